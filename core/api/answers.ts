import { randomUUID } from 'node:crypto';
import { STATUS_CODES } from 'node:http';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Logger } from '../domain/ports/machine.ts';
import { ApiError, problemBody, sendApiError, toApiError } from './errors.ts';

/** Answers an error of the table. An unforeseen one is logged under the request's id and answered 500 (decision 0031). */
export function answerError(log: Logger, error: unknown, request: FastifyRequest, reply: FastifyReply): void {
  const foreseen = toApiError(error);
  if (foreseen === undefined)
    log.error({ err: error, requestId: request.id, route: routeOf(request) }, 'an unforeseen error');
  void sendApiError(request, reply, foreseen ?? new ApiError('UNEXPECTED'));
}

/** One line per answer. The route's pattern instead of its address: an address can hold what a log must not. */
export function logAnswers(app: FastifyInstance, log: Logger): void {
  app.addHook('onResponse', (request, reply, done) => {
    log.info(
      {
        requestId: request.id,
        method: request.method,
        route: routeOf(request),
        status: reply.statusCode,
        ms: Math.round(reply.elapsedTime),
        company: request.caller?.companyId,
        credential: request.caller?.credential,
      },
      'answered',
    );
    done();
  });
}

/** The bytes that answer a request which is not even HTTP, or which did not arrive in time. */
export function unparsableAnswer({ code }: { code?: string | undefined }): string {
  const late = code === 'ERR_HTTP_REQUEST_TIMEOUT';
  const error = new ApiError(late ? 'REQUEST_TIMEOUT' : 'MALFORMED_REQUEST');
  const body = problemBody('', error);
  return [
    `HTTP/1.1 ${error.status} ${STATUS_CODES[error.status] ?? ''}`,
    'Content-Type: application/json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(body)}`,
    `X-Request-Id: ${randomUUID()}`,
    'Connection: close',
    '',
    body,
  ].join('\r\n');
}

function routeOf(request: FastifyRequest): string {
  return request.routeOptions.url ?? 'none';
}
