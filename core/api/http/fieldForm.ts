import type { FastifyInstance, FastifyRequest } from 'fastify';
import { problem } from '../../contracts/errors/problem.ts';
import { BodyMeter } from './bodyMeter.ts';
import { ApiError } from './errors.ts';
import { formParts, MAX_FIELDS, tooManyFields } from './formParts.ts';

/** Opens a text, a list or an object, or separates two values. */
const STRUCTURE = /["[{,]/g;

/**
 * Whether a JSON text has more lists, objects, texts and commas than this, found without parsing it: a parsed list of
 * small values takes a hundred times the memory of its text, and the check of each value stops all other requests.
 */
export function hasMoreValues(text: string, most: number): boolean {
  let count = 0;
  for (let at = 0; ;) {
    STRUCTURE.lastIndex = at;
    const found = STRUCTURE.exec(text);
    if (found === null) return false;
    count += 1;
    if (count > most) return true;
    at = found[0] === '"' ? endOfText(text, STRUCTURE.lastIndex) : STRUCTURE.lastIndex;
  }
}

/** Where the text ends whose first character is at `from`; an image in base64 is passed over in one step. */
function endOfText(text: string, from: number): number {
  for (let quote = text.indexOf('"', from); quote >= 0; quote = text.indexOf('"', quote + 1)) {
    let slashes = 0;
    while (text[quote - 1 - slashes] === '\\') slashes += 1;
    if (slashes % 2 === 0) return quote + 1;
  }
  return text.length;
}

/** Files of a form of fields: more than any route takes, so that one too many is met by name. */
const FILES = 200;

/** Lists, objects, texts and commas of a JSON body. The longest one names the 20,000 uploads of an export. */
const MAX_VALUES = 50_000;

/** Some writers put it in front; readers may ignore it (RFC 8259, 8.1). */
const BYTE_ORDER_MARK = /^\uFEFF/;

type Fields = Record<string, unknown>;
type Limit = (request: FastifyRequest) => number | Promise<number>;

/**
 * Lets the routes of this scope take their fields as JSON, as an urlencoded form or as a multipart form, and nothing
 * else: 415. The handler sees one object, whatever they came in: a file is its bytes, `metadata[key]` a key of the
 * object `metadata`.
 * @param bytes how large the whole body of a request may be
 */
export function takeFields(scope: FastifyInstance, bytes: Limit): void {
  takeJson(scope, bytes);
  scope.addContentTypeParser('application/x-www-form-urlencoded', within(bytes, readUrlencoded));
  scope.addContentTypeParser('multipart/form-data', within(bytes, readMultipart));
}

/** Lets routes that say nothing about their body take a JSON object, as large as the meter of the body allows. */
export function takeJsonByDefault(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('application/json', async (request: FastifyRequest, payload: unknown) =>
    payload instanceof BodyMeter ? readJson(payload, request) : {},
  );
}

/**
 * The same for JSON alone, which is also what a body without a content type is taken for.
 * @param takes `list`: the body is a list, in place of an object
 */
export function takeJson(scope: FastifyInstance, bytes: Limit, takes: 'object' | 'list' = 'object'): void {
  scope.removeAllContentTypeParsers();
  const read = takes === 'list' ? readJsonList : readJson;
  scope.addContentTypeParser('application/json', within<unknown>(bytes, read));
  scope.addHook('onRequest', ({ headers }, _reply, done) => {
    headers['content-type'] ??= 'application/json';
    done();
  });
  // A request without any body has no fields: which of them it lacks is for the schema to say.
  scope.addHook('preValidation', (request, _reply, done) => {
    request.body ??= {};
    done();
  });
}

function within<Body = Fields>(
  bytes: Limit,
  read: (body: BodyMeter, request: FastifyRequest, limit: number) => Promise<Body>,
) {
  return async (request: FastifyRequest, payload: unknown): Promise<Body | Fields> => {
    if (!(payload instanceof BodyMeter)) return {};
    const limit = await bytes(request);
    payload.allow(limit, request);
    return read(payload, request, limit);
  };
}

async function readJson(body: BodyMeter, request: FastifyRequest): Promise<Fields> {
  const value = await readValue(body, request);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw notJson();
  return Object.fromEntries(Object.entries(value));
}

async function readJsonList(body: BodyMeter, request: FastifyRequest): Promise<unknown> {
  const value = await readValue(body, request);
  if (!Array.isArray(value)) throw new ApiError('MALFORMED_REQUEST');
  return value;
}

async function readValue(body: BodyMeter, request: FastifyRequest): Promise<unknown> {
  const text = await readText(body, request);
  if (hasMoreValues(text, MAX_VALUES))
    throw new ApiError(problem('JSON_TOO_MANY_VALUES', { most: MAX_VALUES }));
  try {
    return JSON.parse(text.replace(BYTE_ORDER_MARK, ''));
  } catch {
    throw notJson();
  }
}

function notJson(): ApiError {
  return new ApiError('BODY_NOT_JSON');
}

async function readUrlencoded(body: BodyMeter, request: FastifyRequest): Promise<Fields> {
  const text = (await readText(body, request)).replace(BYTE_ORDER_MARK, '');
  if (text.split('&', MAX_FIELDS + 1).length > MAX_FIELDS) throw tooManyFields();
  return nested([...new URLSearchParams(text)]);
}

async function readMultipart(body: BodyMeter, request: FastifyRequest, limit: number): Promise<Fields> {
  const entries: [string, unknown][] = [];
  const most = { files: FILES, fieldBytes: limit };
  for await (const part of formParts(body, request.headers['content-type'] ?? '', most))
    if (part.fieldName === '') throw new ApiError('BODY_NOT_A_FORM');
    else
      entries.push([
        part.fieldName,
        part.kind === 'text' ? part.value : Buffer.concat(await readChunks(part.content)),
      ]);
  return nested(entries);
}

/** `metadata[key]` of a form, one level deep. The last of several values with one name counts. */
function nested(entries: readonly (readonly [string, unknown])[]): Fields {
  const fields = new Map<string, unknown>();
  for (const [name, value] of entries) {
    const [, outer, inner] = /^(\w+)\[([^[\]]+)\]$/.exec(name) ?? [];
    if (outer === undefined || inner === undefined) {
      fields.set(name, value);
      continue;
    }
    const before = fields.get(outer);
    const group = before instanceof Map ? (before as Map<string, unknown>) : new Map<string, unknown>();
    fields.set(outer, group.set(inner, value));
  }
  return Object.fromEntries(
    [...fields].map(([name, value]) => [
      name,
      value instanceof Map ? Object.fromEntries(value as Map<string, unknown>) : value,
    ]),
  );
}

/** The text of a body. A signature over it is checked first, so that no forged body is joined, decoded or parsed. */
async function readText(body: BodyMeter, request: FastifyRequest): Promise<string> {
  const chunks = await readChunks(body);
  await request.seal?.verify();
  return Buffer.concat(chunks).toString('utf8');
}

async function readChunks(content: AsyncIterable<Buffer>): Promise<Buffer[]> {
  const chunks: Buffer[] = [];
  for await (const chunk of content) chunks.push(chunk);
  return chunks;
}
