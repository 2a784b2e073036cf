import { Transform, type Readable, type TransformCallback } from 'node:stream';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { ApiError } from './errors.ts';

/** Bytes of a body whose route said nothing about its size. */
const DEFAULT_LIMIT = 1024 * 1024;

/**
 * Stands between the socket and whoever reads a body: counts its bytes, ends it beyond the limit, and shows every
 * byte to those who must see it all (a signature's hash).
 *
 * Its failures never reach the socket: the rest of a refused body is read and forgotten, so that a caller who is still
 * sending gets to read the answer.
 */
export class BodyMeter extends Transform {
  #limit = DEFAULT_LIMIT;
  #bytes = 0;

  constructor(source: Readable) {
    super();
    source.on('error', (error) => this.destroy(error));
    source.on('close', () => {
      if (!source.readableEnded) this.destroy(new ApiError('MALFORMED_REQUEST'));
    });
    this.on('close', () => {
      source.unpipe(this);
      source.resume();
    });
    source.pipe(this);
  }

  /**
   * Sets how many bytes the whole body may have.
   * @throws {ApiError} 413 when the request announces more
   */
  allow(bytes: number, request: FastifyRequest): void {
    this.#limit = bytes;
    if (Number(request.headers['content-length'] ?? 0) > bytes) throw new ApiError('PAYLOAD_TOO_LARGE');
  }

  override _transform(chunk: Buffer, _encoding: BufferEncoding, done: TransformCallback): void {
    this.#bytes += chunk.length;
    if (this.#bytes > this.#limit) done(new ApiError('PAYLOAD_TOO_LARGE'));
    else done(null, chunk);
  }
}

/** Puts a meter around the body of every request that has one. */
export function meterBodies(app: FastifyInstance): void {
  app.addHook('preParsing', (request, reply, payload, done) => {
    if (!hasBody(request)) {
      done(null, payload);
      return;
    }
    const meter = new BodyMeter(payload);
    // A body that nobody wanted to read must not keep its sender waiting for the answer.
    reply.raw.once('finish', () => meter.destroy());
    done(null, meter);
  });
}

function hasBody({ headers }: FastifyRequest): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}
