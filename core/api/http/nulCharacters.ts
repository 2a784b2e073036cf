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
export function fieldWithNul(value: unknown, path: readonly string[] = []): string | undefined {
  if (typeof value === 'string') return value.includes('\0') ? printable(path) : undefined;
  if (!isPlain(value)) return undefined;
  for (const [key, inner] of Object.entries(value)) {
    const found = key.includes('\0') ? printable([...path, key]) : fieldWithNul(inner, [...path, key]);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Lists and objects of a parsed body; not the stream of a form. */
function isPlain(value: unknown): value is object {
  if (typeof value !== 'object' || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return Array.isArray(value) || prototype === Object.prototype || prototype === null;
}

function printable(path: readonly string[]): string {
  return path.join('.').replaceAll('\0', '\u2400');
}
