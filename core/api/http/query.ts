import { parse } from 'node:querystring';
import { validatorCompiler } from 'fastify-type-provider-zod';
import { z } from 'zod';

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
