import {
  infiniteQueryOptions,
  queryOptions,
  type QueryKey,
  type UseQueryOptions,
} from '@tanstack/react-query';
import { z } from 'zod';
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

type Method = 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE';

/**
 * Asks a dashboard route of the own origin; the session cookie goes along.
 * @param path after `/api/dashboard`
 * @param schema what the answer must look like; nothing unchecked reaches a screen
 * @throws {ApiError | NetworkError | UnexpectedResponse}
 */
export async function requestJson<S extends z.ZodType>(
  method: Method,
  path: string,
  schema: S,
  options: { body?: unknown; signal?: AbortSignal | undefined; idempotencyKey?: string } = {},
): Promise<z.infer<S>> {
  const { body, signal, idempotencyKey } = options;
  const headers = new Headers({ accept: 'application/json' });
  const init: RequestInit = { method, credentials: 'same-origin', headers };
  if (signal !== undefined) init.signal = signal;
  if (idempotencyKey !== undefined) headers.set('idempotency-key', idempotencyKey);
  if (body instanceof FormData || body instanceof Blob) init.body = body;
  else if (body !== undefined) {
    init.body = JSON.stringify(body);
    headers.set('content-type', 'application/json');
  }
  const response = await fetchOrFail(`/api/dashboard${path}`, init);
  if (!response.ok) throw await apiErrorOf(response);
  const parsed = schema.safeParse(response.status === 204 ? null : await response.json());
  if (!parsed.success) throw new UnexpectedResponse(`${method} ${path}: ${z.prettifyError(parsed.error)}`);
  return parsed.data;
}

/** The query of one answer. @param more how long the answer is current, and how often it is asked for again */
export const readQuery = <S extends z.ZodType>(
  queryKey: QueryKey,
  path: string,
  schema: S,
  more: Pick<UseQueryOptions<z.infer<S>>, 'staleTime' | 'refetchInterval' | 'gcTime'> = {},
) =>
  queryOptions<z.infer<S>>({
    queryKey,
    queryFn: ({ signal }) => requestJson('GET', path, schema, { signal }),
    ...more,
  });

/** The query of a list in pages. @param pathOf the path of the page at a cursor, or of the first one */
export const pagesQuery = <S extends z.ZodType<{ nextCursor: string | null }>>(
  queryKey: QueryKey,
  schema: S,
  pathOf: (cursor: string | undefined) => string,
) =>
  infiniteQueryOptions({
    queryKey,
    queryFn: ({ pageParam, signal }) => requestJson('GET', pathOf(pageParam), schema, { signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.nextCursor ?? undefined,
  });

/** Asks for a file without a body. @throws {ApiError | NetworkError} */
export async function fetchFile(path: string): Promise<Blob> {
  const response = await fetchOrFail(`/api/dashboard${path}`, { credentials: 'same-origin' });
  if (!response.ok) throw await apiErrorOf(response);
  return response.blob();
}

/** Asks for a file. @throws {ApiError | NetworkError} */
export async function requestFile(path: string, body: unknown): Promise<Blob> {
  const init: RequestInit = { method: 'POST', credentials: 'same-origin' };
  if (body instanceof Blob) init.body = body;
  else {
    init.body = JSON.stringify(body);
    init.headers = { 'content-type': 'application/json' };
  }
  const response = await fetchOrFail(`/api/dashboard${path}`, init);
  if (!response.ok) throw await apiErrorOf(response);
  return response.blob();
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

/** A query string without its empty keys. */
export function queryString(query: Record<string, string | number | undefined>): string {
  const params = new URLSearchParams();
  for (const [key, value] of Object.entries(query))
    if (value !== undefined && value !== '') params.set(key, String(value));
  const text = params.toString();
  return text === '' ? '' : `?${text}`;
}
