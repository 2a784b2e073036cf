import {
  infiniteQueryOptions,
  queryOptions,
  type QueryKey,
  type UseQueryOptions,
} from '@tanstack/react-query';
import { z } from 'zod';
import {
  addressOf,
  type AnyOperation,
  type Asked,
  type Operation,
  type Optional,
} from '../../core/contracts/dashboard/operation.ts';
import { translateServerMessage } from '../i18n/errors.ts';
import { connection } from '../state/undo.ts';

/** The service refused a request. `message` and `fields` are in the language of the page. */
export class ApiError extends Error {
  override name = 'ApiError';
  readonly status: number;
  /** The id to quote to support. */
  readonly requestId: string | null;
  readonly fields: Record<string, string[]>;
  /** The machine-readable cause, e.g. REAUTHENTICATE. */
  readonly code: string | null;
  /** The header `Retry-After`. */
  readonly retryAfter: string | null;

  constructor(
    status: number,
    message: string,
    details: {
      requestId?: string | null;
      fields?: Record<string, string[]>;
      code?: string | null;
      retryAfter?: string | null;
    } = {},
  ) {
    super(message);
    this.status = status;
    this.requestId = details.requestId ?? null;
    this.fields = details.fields ?? {};
    this.code = details.code ?? null;
    this.retryAfter = details.retryAfter ?? null;
  }
}

/** An error with the messages of its fields as its text, for a place where the fields themselves are not shown. */
export function formatFieldErrors(error: Error | null): Error | null {
  if (!(error instanceof ApiError)) return error;
  const text = Object.values(error.fields).flat().join(' ');
  return text === '' ? error : new ApiError(error.status, text, { requestId: error.requestId });
}

/** No answer: the service is not running or restarts. The request can be repeated later. */
export class NetworkError extends Error {
  override name = 'NetworkError';
}

/** The answer has another shape than this version of the dashboard expects. */
export class UnexpectedResponse extends Error {
  override name = 'UnexpectedResponse';
}

const problem = z.object({
  code: z.string(),
  get parameters() {
    return z.record(z.string(), z.union([z.string(), z.number(), problem])).default({});
  },
});
const apiErrorBody = z.object({
  ...problem.partial().shape,
  problems: z.record(z.string(), z.array(problem)).default({}),
});

/** The values of a request, whatever its operation. */
interface Values {
  params?: Readonly<Record<string, unknown>> | undefined;
  query?: Readonly<Record<string, unknown>> | undefined;
  body?: unknown;
  signal?: AbortSignal | undefined;
  idempotencyKey?: string | undefined;
}
type Asking<P, Q, B> = Asked<P, Q, B> & Pick<Values, 'signal' | 'idempotencyKey'>;
/** How long an answer is current, and how often it is asked for again. */
type Currency<T> = Pick<UseQueryOptions<T>, 'staleTime' | 'refetchInterval' | 'gcTime'>;

/**
 * Asks for an operation of the own origin; the session cookie goes along.
 * @returns the answer; nothing unchecked reaches a screen
 * @throws {ApiError | NetworkError | UnexpectedResponse}
 */
export function ask<P, Q, B, A extends z.ZodType>(
  operation: Operation<P, Q, B, A>,
  ...asked: Optional<Asking<P, Q, B>>
): Promise<z.output<A>>;
export function ask(operation: AnyOperation, asked: Values = {}): Promise<unknown> {
  return answerOf(operation, asked);
}

async function answerOf(operation: AnyOperation, asked: Values): Promise<unknown> {
  const { method, path, answer } = operation;
  const response = await send(operation, asked);
  const parsed = answer?.safeParse(await response.json());
  if (parsed?.error !== undefined)
    throw new UnexpectedResponse(`${method} ${path}: ${z.prettifyError(parsed.error)}`);
  return parsed?.data;
}

/** Asks for a file. @throws {ApiError | NetworkError} */
export async function requestFile<P, Q, B, A>(
  operation: Operation<P, Q, B, A>,
  ...asked: Optional<Asking<P, Q, B>>
): Promise<Blob>;
export async function requestFile(operation: AnyOperation, asked: Values = {}): Promise<Blob> {
  return (await send(operation, asked)).blob();
}

const optionsOf = <T>(queryKey: QueryKey, read: (signal: AbortSignal) => Promise<T>, currency: Currency<T>) =>
  queryOptions<T>({ queryKey, queryFn: ({ signal }) => read(signal), ...currency });

/** The query of one answer. */
export function readQuery<P, Q, B, A extends z.ZodType>(
  queryKey: QueryKey,
  operation: Operation<P, Q, B, A>,
  ...asked: Optional<Asked<P, Q, B> & Currency<z.output<A>>>
): ReturnType<typeof optionsOf<z.output<A>>>;
export function readQuery(
  queryKey: QueryKey,
  operation: AnyOperation,
  { params, query, ...currency }: Values & Currency<unknown> = {},
) {
  return optionsOf<unknown>(queryKey, (signal) => answerOf(operation, { params, query, signal }), currency);
}

/** The query of a list in pages. @param askedOf the values of the page at a cursor, or of the first one */
export const pagesQuery = <P, Q, B, A extends z.ZodType<{ nextCursor: string | null }>>(
  queryKey: QueryKey,
  operation: Operation<P, Q, B, A>,
  askedOf: (cursor: string | undefined) => Asking<P, Q, B>,
) =>
  infiniteQueryOptions({
    queryKey,
    queryFn: ({ pageParam, signal }) => ask(operation, ...[{ ...askedOf(pageParam), signal }]),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.nextCursor ?? undefined,
  });

async function send(
  operation: AnyOperation,
  { signal, idempotencyKey, body, ...values }: Values,
): Promise<Response> {
  const { method } = operation;
  const headers = new Headers({ accept: operation.answer === undefined ? '*/*' : 'application/json' });
  const init: RequestInit = { method, credentials: 'same-origin', headers };
  if (signal !== undefined) init.signal = signal;
  if (idempotencyKey !== undefined) headers.set('idempotency-key', idempotencyKey);
  if (body instanceof FormData || body instanceof Blob) init.body = body;
  else if (body !== undefined) {
    init.body = JSON.stringify(body);
    headers.set('content-type', 'application/json');
  }
  const response = await fetchOrFail(addressOf(operation, values), init);
  if (!response.ok) throw await apiErrorOf(response);
  return response;
}

async function fetchOrFail(url: string, init: RequestInit): Promise<Response> {
  try {
    const response = await fetch(url, init);
    connection.getState().answered();
    return response;
  } catch (error) {
    if (error instanceof DOMException && error.name === 'AbortError') throw error;
    connection.getState().lost();
    throw new NetworkError('No answer from the service.', { cause: error });
  }
}

async function apiErrorOf(response: Response): Promise<ApiError> {
  const requestId = response.headers.get('x-request-id');
  const retryAfter = response.headers.get('retry-after');
  const body = apiErrorBody.safeParse(await response.json().catch(() => ({})));
  if (!body.success) return new ApiError(response.status, '', { requestId, retryAfter });
  const { code = 'UNEXPECTED', parameters = {}, problems } = body.data;
  const fields = Object.fromEntries(
    Object.entries(problems).map(([field, found]) => [field, found.map(translateServerMessage)]),
  );
  const message = translateServerMessage({ code, parameters });
  return new ApiError(response.status, message, { requestId, retryAfter, fields, code });
}
