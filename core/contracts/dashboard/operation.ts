import type { z } from 'zod';
import type { Permission } from './permissions.ts';

/** The schemas of a request and its answer. */
interface Shapes<P, Q, B, A> {
  params?: P;
  query?: Q;
  body?: B;
  /** Absent: the answer is empty or a file. */
  answer?: A;
  /** Of the answer; 200 unless given. */
  status?: 202;
  /** Made by {@link poll}. */
  background?: true;
}

/** An operation of the dashboard. The service serves it, and pages and terminal ask for it, by this one declaration. */
export interface Operation<P, Q, B, A> extends Shapes<P, Q, B, A> {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** After `/api/dashboard`; `:id` is a parameter. */
  path: `/${string}`;
  /** `none`: every caller on this machine. `session`: any operator who is signed in. */
  needs: Permission | 'session' | 'none';
}

/** The beginning of the path of each operation. */
export const DASHBOARD = '/api/dashboard';

/** A value as its sender may hold it; the service checks the words of a list. */
type Sent<T> = T extends string ? string : T extends object ? { readonly [K in keyof T]: Sent<T[K]> } : T;
type Address<S, Value> = { readonly [K in keyof z.output<S>]: Value };

/** The values that a caller sends. Empty values of the query are left out. */
export type Asked<P, Q, B> = (P extends z.ZodUndefined
  ? { params?: never }
  : { params: Address<P, string | number> }) &
  (Q extends z.ZodUndefined
    ? { query?: never }
    : { query?: Partial<Address<Q, string | number | boolean | undefined>> }) &
  (B extends z.ZodUndefined ? { body?: object } : { body: Sent<z.input<B>> });

/** The last argument of a call; it may be left out where no value is needed. */
export type Optional<T> = object extends T ? [asked?: T] : [asked: T];
export type AnyOperation = Operation<unknown, unknown, unknown, z.ZodType>;

/** The address of a request. */
export function addressOf(
  { path }: { path: string },
  {
    params = {},
    query = {},
  }: {
    params?: Readonly<Record<string, unknown>> | undefined;
    query?: Readonly<Record<string, unknown>> | undefined;
  },
): string {
  const filled = path.replaceAll(/:(\w+)/g, (_, name: string) => encodeURIComponent(String(params[name])));
  const values = Object.entries(query)
    .filter(([, value]) => value !== undefined && value !== '')
    .map(([name, value]) => `${name}=${encodeURIComponent(String(value))}`);
  return `${DASHBOARD}${filled}${values.length === 0 ? '' : `?${values.join('&')}`}`;
}

const operation =
  (method: Operation<never, never, never, never>['method']) =>
  <
    P extends z.ZodType = z.ZodUndefined,
    Q extends z.ZodType = z.ZodUndefined,
    B extends z.ZodType = z.ZodUndefined,
    A extends z.ZodType = z.ZodVoid,
  >(
    path: `/${string}`,
    needs: Operation<P, Q, B, A>['needs'],
    shapes: Shapes<P, Q, B, A> = {},
  ): Operation<P, Q, B, A> => ({ method, path, needs, ...shapes });

export const get = operation('GET');
/** A request that a screen repeats by itself, and that must not keep an unattended session alive. */
export const poll: typeof get = (path, needs, shapes) => ({ ...get(path, needs, shapes), background: true });
export const post = operation('POST');
export const put = operation('PUT');
export const patch = operation('PATCH');
export const remove = operation('DELETE');
