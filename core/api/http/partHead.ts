/** Reads the head of a part of a form, in the spellings that clients use (RFC 7578, 5987, 2231, 2047). */

/** The fields of the head by their names in lower case, each byte a character. */
export type RawHead = Readonly<Record<string, readonly string[]>>;

export interface PartHead {
  fieldName: string;
  isFile: boolean;
  /** Without folders. Where its bytes are no text of its encoding, it has U+FFFD. */
  fileName: string | undefined;
  /** Content-Transfer-Encoding, in lower case. */
  encoding: string;
}

/** A quotation mark inside a quoted value that no parameter and no end follows belongs to it: some clients escape none. */
const PARAMETER =
  /;\s*([\w-]+(?:\*\d{1,2})?\*?)\s*=\s*(?:"((?:\\[^]|"(?!\s*(?:;\s*[\w-]+[*\d]*\s*=|;?\s*$))|[^"\\])*)"|([^;"]*))\s*/y;
const FILE_TYPE = /^(?:image\/|application\/octet-stream\b)/i;
const EXTENDED = /^([\w-]+)'[\w-]*'(.*)$/;
const ENCODED_WORD = /=\?([\w-]+)\?([BQ])\?([^?\s]*)\?=/gi;

/** @returns undefined: it is no part of a form, or damaged */
export function partHead(head: RawHead): PartHead | undefined {
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

/** `filename*` counts before `filename`, whatever their order. */
function fileNameOf(plain: string | undefined, extended: string | undefined): string | undefined {
  const [, charset = '', escaped = ''] = EXTENDED.exec(extended ?? '') ?? [];
  const named = decode(charset, bytesOf(unescaped(escaped, '%')));
  if (named !== undefined && named !== '') return named;
  if (plain === undefined) return undefined;
  const name = decode('utf-8', bytesOf(plain)) ?? plain;
  const words = name.replaceAll(/(?<=\?=)\s+(?==\?)/g, '').replaceAll(ENCODED_WORD, decodedWord);
  return percentDecoded(words);
}

function decodedWord(word: string, charset: string, kind: string, text: string): string {
  const bytes =
    kind.toUpperCase() === 'B'
      ? Buffer.from(text, 'base64')
      : bytesOf(unescaped(text.replaceAll('_', ' '), '='));
  return decode(charset, bytes) ?? word;
}

/**
 * A name of ASCII alone whose percent-encoding is one of UTF-8 beyond ASCII, or one of its blanks, as some clients send it; else
 * the name.
 */
function percentDecoded(name: string): string {
  if (!/^[ -~]*%[89a-f][\da-f][ -~]*$/i.test(name) && !/^[!-~]*%20[!-~]*$/.test(name)) return name;
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
