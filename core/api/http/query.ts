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

/**
 * Compiles the schema of a part of a request. A route that has parameters refuses others: without a mistyped filter it would
 * answer more than the caller asked for.
 */
export const compileRequestSchema: typeof validatorCompiler = (route) => {
  const { schema, httpPart } = route;
  return httpPart === 'querystring' && schema instanceof z.ZodObject
    ? validatorCompiler({ ...route, schema: schema.strict() })
    : validatorCompiler(route);
};
