import { randomUUID } from 'node:crypto';
import type { Socket } from 'node:net';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { UnavailableError, type Logger } from '../../domain/ports/machine.ts';
import { STATUS_CODES } from '../../platform/nodeHttp.ts';
import { ApiError, problemBody, sendApiError, toApiError } from './errors.ts';

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/**
 * Answers an error of the table. An unforeseen one is logged under the request's id and answered 500 (ADR 0023). So is the cause
 * why something is unavailable, which the answer does not name.
 */
export function answerError(log: Logger, error: unknown, request: FastifyRequest, reply: FastifyReply): void {
  const foreseen = toApiError(error);
  const facts = { err: error, requestId: request.id, route: routeOf(request) };
  if (foreseen === undefined) log.error(facts, 'an unforeseen error');
  else if (error instanceof UnavailableError) log.warn(facts, 'a request could not be carried out now');
  void sendApiError(request, reply, foreseen ?? new ApiError('UNEXPECTED'));
}

/**
 * Answers 503 to a whole request whose connection has been silent for too long, whatever its handler waits for. Node would
 * close the connection, and the caller would not learn that the outcome is unknown.
 */
export function answerSilence(app: FastifyInstance): void {
  app.addHook('onRequest', (request, reply, done) => {
    reply.raw.on('timeout', (socket: Socket) => {
      if (!request.raw.complete || reply.sent || reply.raw.headersSent) socket.destroy();
      else void sendApiError(request, reply, new ApiError('OUTCOME_UNKNOWN'));
    });
    done();
  });
}

/** One line per answer. The route's pattern instead of its address: an address can hold what a log must not. */
export function logAnswers(app: FastifyInstance, log: Logger): void {
  app.addHook('onResponse', (request, reply, done) => {
    log.info(
      {
        requestId: request.id,
        correlationId: correlationIdOf(request),
        method: request.method,
        route: routeOf(request),
        status: reply.statusCode,
        code: request.errorCode,
        ms: Math.round(reply.elapsedTime),
        company: request.caller?.companyId,
        credential: request.caller?.credential,
      },
      'answered',
    );
    done();
  });
}

const UNPARSABLE: Record<string, 'REQUEST_TIMEOUT' | 'HEADERS_TOO_LARGE'> = {
  ERR_HTTP_REQUEST_TIMEOUT: 'REQUEST_TIMEOUT',
  HPE_HEADER_OVERFLOW: 'HEADERS_TOO_LARGE',
};

/** The bytes that answer a request which is not even HTTP, or which did not arrive in time. */
export function unparsableAnswer({ code }: { code?: string | undefined }): string {
  const error = new ApiError(UNPARSABLE[code ?? ''] ?? 'MALFORMED_REQUEST');
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

/** The caller's own id of a request, where it is a UUID: other text is neither logged nor sent back. */
export function correlationIdOf({ headers }: FastifyRequest): string | undefined {
  const sent = headers['x-request-id'];
  return typeof sent === 'string' && UUID.test(sent) ? sent.toLowerCase() : undefined;
}

function routeOf(request: FastifyRequest): string {
  return request.pathOfOtherMethods ?? request.routeOptions.url ?? 'none';
}
