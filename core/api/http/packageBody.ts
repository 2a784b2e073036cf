import { Readable } from 'node:stream';
import type { FastifyInstance, FastifyRequest, RouteShorthandOptions } from 'fastify';
import { ApiError } from './errors.ts';

/** Routes whose body is a sealed package, which they read as it comes. @param most bytes */
export async function takePackages(
  app: FastifyInstance,
  most: number,
  routes: (scope: FastifyInstance, limits: Pick<RouteShorthandOptions, 'bodyLimit' | 'preParsing'>) => void,
): Promise<void> {
  await app.register((scope, _options, done) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('application/octet-stream', (_request, body, parsed) => {
      parsed(null, body);
    });
    routes(scope, {
      bodyLimit: most,
      preParsing: (request, _reply, payload, next) => {
        request.bodyMeter?.allow(most, request);
        next(null, payload);
      },
    });
    done();
  });
}

/** @throws {ApiError} 415: it is no package */
export function packageOf({ body }: FastifyRequest): AsyncIterable<Uint8Array> {
  if (!(body instanceof Readable)) throw new ApiError('UNSUPPORTED_MEDIA_TYPE');
  return body;
}
