import type { FastifyInstance } from 'fastify';
import { problem } from '../../contracts/errors/problem.ts';
import { invalidFields } from './errors.ts';

/**
 * Refuses a request whose fields hold the character U+0000. No name or note needs it, and PostgreSQL stores no text that
 * contains it. Files and streams are not read here.
 */
export function refuseNulCharacters(app: FastifyInstance): void {
  app.addHook('preValidation', (request, _reply, done) => {
    const { params, query, body } = request;
    const field = fieldWithNul(params) ?? fieldWithNul(query) ?? fieldWithNul(body);
    if (field === undefined) done();
    else done(invalidFields({ [field]: [problem('TEXT_HAS_NUL', { field })] }));
  });
}

/** The path of a text that contains U+0000, such as `persons.0.name`; undefined: there is none. */
export function fieldWithNul(body: unknown): string | undefined {
  // A body may be nested deeper than calls can be.
  const waiting: { value: unknown; path: Path | undefined }[] = [{ value: body, path: undefined }];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const { value, path } = next;
    if (typeof value === 'string' && value.includes('\0')) return dotted(path);
    if (!isPlain(value)) continue;
    for (const [key, inner] of Object.entries(value)) {
      const at = { key, within: path };
      if (key.includes('\0')) return dotted(at);
      waiting.push({ value: inner, path: at });
    }
  }
  return undefined;
}

interface Path {
  key: string;
  within: Path | undefined;
}

/** Lists and objects of a parsed body; not the stream of a form. */
function isPlain(value: unknown): value is object {
  if (typeof value !== 'object' || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return Array.isArray(value) || prototype === Object.prototype || prototype === null;
}

function dotted(path: Path | undefined): string {
  const keys: string[] = [];
  for (let at = path; at !== undefined; at = at.within) keys.unshift(at.key);
  return keys.join('.').replaceAll('\0', '\u2400');
}
