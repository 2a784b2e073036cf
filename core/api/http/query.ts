import { parse } from 'node:querystring';
import { validatorCompiler } from 'fastify-type-provider-zod';
import { z } from 'zod';
import type { FastifyInstance } from 'fastify';
import { problem } from '../../contracts/errors/problem.ts';
import { invalidFields } from './errors.ts';

/**
 * The parameters of an address. One without a value (`?status=`) was left blank, so it counts as not sent, as the hosted
 * service takes it: a form whose filter is cleared asks for everything.
 */
export function readQuery(query: string): Record<string, unknown> {
  return Object.fromEntries(Object.entries(parse(query)).filter(([, value]) => value !== ''));
}

/** The period that a query asks for. */
export function periodOf({ from, until }: { from?: string | undefined; until?: string | undefined }) {
  return {
    from: from === undefined ? undefined : new Date(from),
    until: until === undefined ? undefined : new Date(until),
  };
}

/** Beginnings of the routes that the hosted service does not have. */
const OWN_ROUTES = [
  '/api/dashboard/',
  '/api/v3/persons',
  '/api/v3/duplicate-detection/groups',
  '/api/v3/duplicate-detection/runs',
];

/**
 * Compiles the schema of a part of a request. A route of ours that has parameters refuses others: without a mistyped filter it
 * would answer more than the caller asked for. The routes of the hosted service ignore them, as that service does, so that
 * its callers need no change.
 */
export const compileRequestSchema: typeof validatorCompiler = (route) => {
  const { schema, httpPart, url } = route;
  const isOurs = OWN_ROUTES.some((beginning) => url.startsWith(beginning));
  return isOurs && httpPart === 'querystring' && schema instanceof z.ZodObject
    ? validatorCompiler({ ...route, schema: schema.strict() })
    : validatorCompiler(route);
};

const unused = (): never => {
  throw new Error('Every schema is one of zod.');
};
/** For Fastify, which would load the compilers of other schemas: a third of the time until a command has its routes. */
export const ZOD_SCHEMAS = { compilersFactory: { buildValidator: unused, buildSerializer: unused } };

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
