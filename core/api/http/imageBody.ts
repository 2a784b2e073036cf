import type { FastifyInstance, FastifyRequest } from 'fastify';
import { ApiError } from './errors.ts';

/** Lets the routes of this scope take one image as their whole body, and nothing else: 415. */
export function takeImage(scope: FastifyInstance): void {
  scope.removeAllContentTypeParsers();
  scope.addContentTypeParser(['image/jpeg', 'image/png'], { parseAs: 'buffer' }, (_request, body, parsed) => {
    parsed(null, body);
  });
}

/** Options of a route whose body is an image of at most so many bytes: 413 beyond them. */
export function imageOfAtMost(bytes: number) {
  return {
    bodyLimit: bytes,
    preParsing: (
      request: FastifyRequest,
      _reply: unknown,
      payload: unknown,
      next: (error: null, payload: never) => void,
    ) => {
      request.bodyMeter?.allow(bytes, request);
      next(null, payload as never);
    },
  };
}

/** @throws {ApiError} 415: the request has no image */
export function imageBodyOf({ body }: FastifyRequest): Uint8Array {
  if (!Buffer.isBuffer(body)) throw new ApiError('UNSUPPORTED_MEDIA_TYPE');
  return body;
}
