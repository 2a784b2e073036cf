/** Changes of groups and persons that a program asks for. */
import type { FastifyRequest } from 'fastify';
import type { AuditContext } from '../../domain/ports/auditContext.ts';
import type { Clock } from '../../domain/ports/machine.ts';
import { callerOf, idempotencyKeyOf } from './credentials.ts';
import { ApiError } from './errors.ts';
import { IDEMPOTENCY_KEY } from '../../contracts/uploads.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** A repetition with the same Idempotency-Key has no second effect. */
    takesKey?: boolean;
  }
}

/** Bytes of a request that changes groups or persons: 500 ids of faces with a name, a note and a reason fit in. */
export const PERSON_BODY_BYTES = 64 * 1024;

/**
 * The program behind a request, the time, and the key under which the request can be repeated.
 * @throws {ApiError} 422: the Idempotency-Key has other characters than a key may have
 */
export function programAct(
  request: Pick<FastifyRequest, 'body' | 'caller' | 'headers' | 'method' | 'url'>,
  { clock }: { clock: Clock },
): AuditContext {
  const act = { by: callerOf(request).credential, at: clock.now() };
  const key = idempotencyKeyOf(request);
  if (key === undefined) return act;
  if (!IDEMPOTENCY_KEY.test(key)) throw new ApiError('IDEMPOTENCY_KEY_INVALID');
  const content = JSON.stringify([request.method, request.url, request.body ?? {}]);
  // Two programs of a company may count their requests alike.
  return { ...act, request: { key: `${act.by} ${key}`, content } };
}
