import { setImmediate as allEvents } from 'node:timers/promises';
import type { Readable } from 'node:stream';
import { Dicer } from '@fastify/busboy';
import { problem } from '../../contracts/errors/problem.ts';
import { ApiError, invalidFields } from './errors.ts';

// Reads the head of a part of a form, in the spellings that clients use (RFC 7578, 5987, 2231, 2047).

/** The fields of the head by their names in lower case, each byte a character. */
type RawHead = Readonly<Record<string, readonly string[]>>;

interface PartHead {
  fieldName: string;
  isFile: boolean;
  /** Without folders. Where its bytes are no text of its encoding, it has U+FFFD. */
  fileName: string | undefined;
  /** Content-Transfer-Encoding, in lower case. */
  encoding: string;
}

/**
 * A quotation mark inside a quoted value that no parameter and no end follows belongs to it: some clients escape none.
 * No two neighbouring repetitions match the same character, so that a long head takes no more time than its bytes.
 */
const PARAMETER =
  /;\s*([\w-]+(?:\*\d{1,2})?\*?)\s*=\s*(?:"((?:\\[^]|"(?!\s*(?:;\s*(?:[\w*-]+\s*=|$)|$))|[^"\\])*)"|([^;"]*))\s*/y;
const FILE_TYPE = /^(?:image\/|application\/octet-stream\b)/i;
/** Some clients leave out the charset. */
const EXTENDED = /^(?:([\w-]+)'[\w-]*')?(.*)$/;
const ENCODED_WORD = /=\?([\w-]+)(?:\*[\w-]+)?\?([BQ])\?([^?]*)\?=/gi;
/** Words of one charset are decoded together: some clients cut a name inside a letter. */
const ENCODED_WORDS = new RegExp(
  `${ENCODED_WORD.source}(?:${ENCODED_WORD.source.replace(String.raw`([\w-]+)`, String.raw`\1`)})*`,
  'gi',
);
/** A letter that the charset of a page lacks, as browsers send it. */
const REFERENCE = /&#(\d{3,7});/g;
const LAST_CHARACTER = 0x10ffff;

/** @returns undefined: it is no part of a form, or damaged */
function partHead(head: RawHead): PartHead | undefined {
  const [disposition, repeated] = head['content-disposition'] ?? [];
  const parameters = repeated === undefined ? parametersOf(disposition ?? '') : undefined;
  const name = parameters?.get('name');
  if (parameters === undefined || name === undefined) return undefined;
  const fileName = fileNameOf(
    parameters.get('filename') ?? continued(parameters, ''),
    parameters.get('filename*') ?? continued(parameters, '*'),
  );
  return {
    fieldName: decode('utf-8', bytesOf(name)) ?? name,
    isFile: fileName !== undefined || FILE_TYPE.test(head['content-type']?.[0] ?? ''),
    fileName: fileName?.split(/[/\\]/).at(-1),
    encoding: head['content-transfer-encoding']?.[0]?.trim().toLowerCase() ?? 'binary',
  };
}

function parametersOf(disposition: string): Map<string, string> | undefined {
  const type = /^\s*form-data\s*/i.exec(disposition)?.[0];
  if (type === undefined) return undefined;
  const parameters = new Map<string, string>();
  let at = type.length;
  while (/[^\s;]/.test(disposition.slice(at))) {
    PARAMETER.lastIndex = at;
    const [whole, name = '', quoted, plain = ''] = PARAMETER.exec(disposition) ?? [];
    const key = name.toLowerCase();
    if (whole === undefined || parameters.has(key)) return undefined;
    parameters.set(key, quoted?.replaceAll(/\\(["\\])/g, '$1') ?? plain.trim());
    at += whole.length;
  }
  return parameters;
}

/**
 * A file name that is cut into numbered parameters (RFC 2231). An encoded one has its charset in the first part; its later
 * parts may be plain.
 */
function continued(parameters: ReadonlyMap<string, string>, mark: '' | '*'): string | undefined {
  let name = parameters.get(`filename*0${mark}`);
  if (name === undefined) return undefined;
  for (let part = 1; ; part++) {
    const plain = parameters.get(`filename*${part}`);
    const next =
      parameters.get(`filename*${part}*`) ?? (mark === '*' ? plain?.replaceAll('%', '%25') : plain);
    if (next === undefined) return name;
    name += next;
  }
}

/** `filename*` counts before `filename`, whatever their order, unless letters of it are lost. */
function fileNameOf(plain: string | undefined, extended: string | undefined): string | undefined {
  const [, charset = 'utf-8', escaped = ''] = EXTENDED.exec(extended ?? '') ?? [];
  const named = escaped === '' ? undefined : decode(charset, bytesOf(unescaped(escaped, '%')));
  if (plain === undefined || named?.includes('\uFFFD') === false) return named;
  const name = decode('utf-8', bytesOf(plain)) ?? plain;
  const words = name.replaceAll(/(?<=\?=)\s+(?==\?)/g, '').replaceAll(ENCODED_WORDS, decodedWords);
  return percentDecoded(words.replaceAll(REFERENCE, referredTo));
}

function decodedWords(words: string, charset: string): string {
  const parts = Array.from(words.matchAll(ENCODED_WORD), ([, , kind = '', text = '']) =>
    kind.toUpperCase() === 'B'
      ? Buffer.from(text, 'base64')
      : bytesOf(unescaped(text.replaceAll('_', ' '), '=')),
  );
  return decode(charset, Buffer.concat(parts)) ?? words;
}

function referredTo(reference: string, code: string): string {
  const character = Number(code);
  return character < 128 || character > LAST_CHARACTER ? reference : String.fromCodePoint(character);
}

/**
 * A name of ASCII alone whose percent-encoding is one of UTF-8 beyond ASCII, or one of its blanks, as some clients send it; else
 * the name.
 */
function percentDecoded(name: string): string {
  const isEscaped = /%[89a-f][\da-f]/i.test(name) || (name.includes('%20') && !name.includes(' '));
  if (!isEscaped || /[^ -~]/.test(name)) return name;
  const decoded = decode('utf-8', bytesOf(unescaped(name, '%')));
  return decoded === undefined || decoded.includes('\uFFFD') ? name : decoded;
}

/** Characters for the bytes that are written as `%41` or `=41`. */
function unescaped(text: string, mark: '%' | '='): string {
  const escape = mark === '%' ? /%([\da-f]{2})/gi : /=([\da-f]{2})/gi;
  return text.replaceAll(escape, (_, hex: string) => String.fromCharCode(parseInt(hex, 16)));
}

function bytesOf(text: string): Buffer {
  return Buffer.from(text, 'latin1');
}

/** @returns undefined: there is no such encoding */
function decode(charset: string, bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder(charset).decode(bytes);
  } catch {
    return undefined;
  }
}

/** A part of a multipart form. A file's content must be read to its end before the next part comes. */
export type FormPart =
  | { kind: 'file'; fieldName: string; fileName: string | undefined; content: AsyncIterable<Buffer> }
  | { kind: 'text'; fieldName: string; value: string };

/** Fields of a form. */
export const MAX_FIELDS = 200;
/** Room for field names and file names. */
const MAX_HEAD = { maxHeaderPairs: 20, maxHeaderSize: 16 * 1024 };
/** Encodings of a part that leave its bytes as they are. */
const PLAIN_ENCODINGS = new Set(['7bit', '8bit', 'binary']);
/** Marks of the head of a part. Elsewhere in a body they are the rest of a part whose delimiter was damaged. */
const HEAD_MARKS = ['form-data', '; name=', '; filename'] as const;

/** A part as the parser finds it. */
interface Section {
  head?: RawHead;
  chunks: Buffer[];
  ended: boolean;
}

/**
 * The parts of a multipart/form-data body in their order, while it streams in. Of parts that are not yet asked for, one
 * chunk of the body is in memory.
 * @param most how many files are worth telling, those beyond are read and forgotten; and bytes of a field's value, cut
 *   beyond them
 * @throws {ApiError} 400 when it is no complete multipart form, 413 when it has more fields than any form of ours, 422
 *   when a part cannot be told apart or is encoded
 */
export async function* formParts(
  body: Readable,
  contentType: string,
  most: { files: number; fieldBytes: number },
): AsyncGenerator<FormPart> {
  // A body that was destroyed before it is read calls no listener.
  if (body.destroyed) throw asApiError(body.errored);
  const sections = new Sections(body, contentType);
  let files = 0;
  let fields = 0;
  try {
    for (let place = 1; ; place += 1) {
      const section = await sections.next();
      if (section === undefined) return;
      const head = headOf(section, place);
      if (head.isFile) {
        files += 1;
        const { fieldName, fileName } = head;
        const content = sections.contentOf(section);
        if (files <= most.files) yield { kind: 'file', fieldName, fileName, content };
        for await (const rest of content) void rest;
      } else {
        fields += 1;
        if (fields > MAX_FIELDS) throw tooManyFields();
        const value = await sections.textOf(section, most.fieldBytes);
        yield { kind: 'text', fieldName: head.fieldName, value };
      }
    }
  } finally {
    body.resume();
  }
}

/** @throws {ApiError} 422: nothing tells what the part is, or its bytes are encoded */
function headOf({ head }: Section, place: number): PartHead {
  const found = head === undefined ? undefined : partHead(head);
  if (found === undefined)
    throw invalidFields({ [`parts.${place}`]: [problem('FORM_PART_UNREADABLE', { part: place })] });
  const { fieldName, encoding } = found;
  if (!PLAIN_ENCODINGS.has(encoding))
    throw invalidFields({ [fieldName]: [problem('FORM_PART_ENCODED', { field: fieldName, encoding })] });
  return found;
}

/** Feeds the parser chunk by chunk, as the parts are read. */
class Sections {
  readonly #source: AsyncIterator<Buffer>;
  readonly #parser: Dicer;
  readonly #found: Section[] = [];
  /** Marks of heads in the body that no head and no value of a field accounts for. */
  readonly #marks = HEAD_MARKS.map((mark) => ({ mark: Buffer.from(mark), tail: Buffer.alloc(0), count: 0 }));
  #isComplete = false;
  #isBroken = false;

  constructor(body: Readable, contentType: string) {
    this.#source = body.iterator({ destroyOnReturn: false });
    this.#parser = createParser(contentType);
    this.#parser.on('part', (part) => {
      const section: Section = { chunks: [], ended: false };
      this.#found.push(section);
      part.on('header', (head) => (section.head = head as RawHead));
      part.on('data', (chunk) => section.chunks.push(chunk as Buffer));
      part.on('end', () => (section.ended = true));
      // The parser reports it too.
      part.on('error', () => undefined);
    });
    this.#parser.on('error', () => (this.#isBroken = true));
    this.#parser.on('finish', () => (this.#isComplete = true));
  }

  /** The next part, with its head unless that is damaged. @returns undefined: the form is complete */
  async next(): Promise<Section | undefined> {
    for (;;) {
      const [section] = this.#found;
      if (section !== undefined && (section.head !== undefined || section.ended)) return this.#found.shift();
      if (!(await this.#feed())) break;
    }
    if (this.#isBroken || !this.#isComplete || this.#marks.some(({ count }) => count !== 0)) throw notAForm();
    return undefined;
  }

  /** @throws {ApiError} the body breaks off */
  async *contentOf(section: Section): AsyncGenerator<Buffer> {
    const { 'content-disposition': disposition = [], 'content-type': type = [] } = section.head ?? {};
    this.#account([...disposition, ...type].join('\n'));
    for (;;) {
      yield* section.chunks.splice(0);
      if (section.ended) return;
      if (!(await this.#feed())) throw notAForm();
    }
  }

  async textOf(section: Section, most: number): Promise<string> {
    const chunks: Buffer[] = [];
    let bytes = 0;
    for await (const chunk of this.contentOf(section)) {
      if (bytes < most) chunks.push(chunk.subarray(0, most - bytes));
      bytes += chunk.length;
    }
    const value = Buffer.concat(chunks);
    // A value that swallowed a part has the blank line behind its head.
    if (!value.includes('\r\n\r\n')) this.#account(value.toString('latin1'));
    return value.toString('utf8');
  }

  #account(text: string): void {
    for (const each of this.#marks) each.count -= text.split(each.mark.toString()).length - 1;
  }

  /** Gives the parser the next chunk and lets it report. @returns whether there was one */
  async #feed(): Promise<boolean> {
    const next = await this.#source.next().catch((error: unknown) => {
      throw asApiError(error);
    });
    if (next.done === true) {
      if (!this.#parser.writableEnded) this.#parser.end();
    } else {
      this.#count(next.value);
      this.#parser.write(next.value);
    }
    await allEvents();
    return next.done !== true || this.#found.some(({ head, ended }) => head !== undefined && !ended);
  }

  /** Without a copy of the chunk: what began in the chunk before is looked for where the two meet. */
  #count(chunk: Buffer): void {
    for (const each of this.#marks) {
      const most = each.mark.length - 1;
      const seam = Buffer.concat([each.tail, chunk.subarray(0, most)]);
      for (const text of [seam, chunk])
        for (let at = text.indexOf(each.mark); at >= 0; at = text.indexOf(each.mark, at + each.mark.length))
          each.count += 1;
      each.tail = Buffer.from((chunk.length < most ? seam : chunk).subarray(-most));
    }
  }
}

function createParser(contentType: string): Dicer {
  const [, quoted, plain] = /;\s*boundary=(?:"([^"]+)"|([^\s;]+))/i.exec(contentType) ?? [];
  const boundary = quoted ?? plain;
  if (boundary === undefined) throw notAForm();
  try {
    // It never waits: its chunks are as large as those of the body, and come when they are asked for.
    const options = { boundary, ...MAX_HEAD, partHwm: Number.MAX_SAFE_INTEGER };
    return new Dicer(options);
  } catch {
    // A boundary that cannot be.
    throw notAForm();
  }
}

function asApiError(error: unknown): ApiError {
  return error instanceof ApiError ? error : notAForm();
}

/** 413: no form of ours has so many fields. */
export function tooManyFields(): ApiError {
  return new ApiError(problem('FORM_TOO_MANY_FIELDS', { most: MAX_FIELDS }));
}

/** 400: the body is no complete multipart form. */
function notAForm(): ApiError {
  return new ApiError('BODY_NOT_A_FORM');
}
