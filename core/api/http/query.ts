import { parse } from 'node:querystring';

/**
 * The parameters of an address. One without a value (`?status=`) was left blank, so it counts as not sent, as the hosted
 * service takes it: a form whose filter is cleared asks for everything.
 */
export function readQuery(query: string): Record<string, unknown> {
  return Object.fromEntries(Object.entries(parse(query)).filter(([, value]) => value !== ''));
}
