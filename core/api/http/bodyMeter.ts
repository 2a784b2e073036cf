import { problem } from '../../contracts/errors/problem.ts';
import { createHash } from 'node:crypto';
import { Transform, type Readable, type TransformCallback } from 'node:stream';
import { finished } from 'node:stream/promises';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Bounds } from './bounds.ts';
import { ApiError } from './errors.ts';
import type { Socket } from 'node:net';

/**
 * Lets work of unproven callers begin one piece at a time: at most one piece in each turn of the event loop, in the order
 * in which the pieces were asked for. Everything else that has become due runs between two pieces, so that the loop's
 * turns stay short, however many such callers send at once. Short turns matter twice: a listener accepts one connection
 * in each turn.
 */
export class Turns {
  readonly #waiting: (() => void)[] = [];
  #scheduled = false;

  /** Runs `piece` when its turn has come, never before this call returns. */
  take(piece: () => void): void {
    this.#waiting.push(piece);
    this.#schedule();
  }

  #schedule(): void {
    if (this.#scheduled || this.#waiting.length === 0) return;
    this.#scheduled = true;
    setImmediate(() => {
      this.#scheduled = false;
      this.#waiting.shift()?.();
      this.#schedule();
    });
  }
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Around the body, from the moment a reader asks for it; null for a request without one. */
    bodyMeter: BodyMeter | null;
  }
}

/** Bytes of a body whose route said nothing about its size. */
const DEFAULT_LIMIT = 1024 * 1024;

/** For all bodies of this process: they share its event loop. */
const turns = new Turns();

/**
 * Stands between the socket and the reader of a body: counts its bytes, ends it beyond the limit, and hashes it on the
 * way for a signature.
 *
 * Its failures never reach the socket: the rest of a refused body is read and forgotten, so that a caller who is still
 * sending gets to read the answer. Such a rest, and a body that is charged, are read in turns.
 */
export class BodyMeter extends Transform {
  readonly #hash = createHash('sha256');
  readonly #hashes: boolean;
  #limit = DEFAULT_LIMIT;
  #bytes = 0;
  /** Receives the number of bytes that arrived, while the body counts against the bounds of unproven callers and is read in turns. */
  charge: ((bytes: number) => void) | undefined;
  /** Receives the number of bytes that arrived, while the body is kept in memory for a proven caller. */
  kept: ((bytes: number) => void) | undefined;

  constructor(source: Readable, options: { hashes: boolean }) {
    super();
    this.#hashes = options.hashes;
    // The caller broke off: no fault of the service.
    source.on('error', () => this.destroy(new ApiError('MALFORMED_REQUEST')));
    source.on('close', () => {
      if (!source.readableEnded) this.destroy(new ApiError('MALFORMED_REQUEST'));
    });
    this.on('close', () => {
      source.unpipe(this);
      forget(source);
    });
    // The reader of the body receives its error; without a reader there is none to report.
    this.on('error', () => undefined);
    source.pipe(this);
  }

  /**
   * Sets how many bytes the whole body may have.
   * @throws {ApiError} 413 when the request announces more
   */
  allow(bytes: number, request: FastifyRequest): void {
    this.#limit = bytes;
    if (Number(request.headers['content-length'] ?? 0) > bytes) throw tooLarge(bytes);
  }

  /**
   * Reads what is still unread, whatever its size, and returns the hash of the whole body.
   * @returns lowercase hex of SHA-256
   * @throws {ApiError} 400 when the body broke off, 413 when it was ended
   */
  async digest(): Promise<string> {
    this.#limit = Infinity;
    this.resume();
    try {
      if (!this.readableEnded) await finished(this, { writable: false });
    } catch (error) {
      throw error instanceof ApiError ? error : new ApiError('MALFORMED_REQUEST');
    }
    return this.#hash.digest('hex');
  }

  override _transform(chunk: Buffer, _encoding: BufferEncoding, done: TransformCallback): void {
    this.#bytes += chunk.length;
    if (this.#bytes > this.#limit) {
      done(tooLarge(this.#limit));
      return;
    }
    this.kept?.(chunk.length);
    if (this.destroyed) return;
    if (this.charge === undefined) this.#pass(chunk, done);
    else
      turns.take(() => {
        this.charge?.(chunk.length);
        if (!this.destroyed) this.#pass(chunk, done);
      });
  }

  #pass(chunk: Buffer, done: TransformCallback): void {
    if (this.#hashes) this.#hash.update(chunk);
    done(null, chunk);
  }
}

/** Reads the rest of a body in turns. */
function forget(source: Readable): void {
  source.on('data', () => {
    source.pause();
    turns.take(() => source.resume());
  });
  source.resume();
}

function tooLarge(bytes: number): ApiError {
  return new ApiError(problem('BODY_TOO_LARGE', { kilobytes: Math.floor(bytes / 1024) }));
}

/**
 * Lets every body be read through a meter.
 * @param bounds `openBodyBytes`: the largest body of a route that needs no credential
 */
export function meterBodies(app: FastifyInstance, { openBodyBytes }: Pick<Bounds, 'openBodyBytes'>): void {
  app.decorateRequest('bodyMeter', null);
  app.addHook('preParsing', (request, _reply, payload, done) => {
    const encoding = request.headers['content-encoding'] ?? 'identity';
    if (hasBody(request) && encoding.toLowerCase() !== 'identity') done(new ApiError('UNSUPPORTED_ENCODING'));
    else done(null, meterWithin(request, openBodyBytes) ?? payload);
  });
  app.addHook('onSend', (request, reply, _payload, done) => {
    if (!request.raw.complete && reply.statusCode !== 408) hearOut(reply);
    done();
  });
  // A body without a reader must not keep its sender waiting for the answer.
  app.addHook('onResponse', (request, _reply, done) => {
    request.bodyMeter?.destroy();
    done();
  });
}

/**
 * Answers now, and leaves the connection to the caller even when it should close after this answer: a caller who is still
 * sending into a closed connection loses the answer. {@link paceBodies} ends it for those who never stop, after `openBody`.
 */
function hearOut(reply: FastifyReply): void {
  void reply.removeHeader('connection');
  reply.raw.shouldKeepAlive = true;
}

function meterWithin(request: FastifyRequest, openBodyBytes: number): BodyMeter | null {
  const meter = meterOf(request, { hashes: false });
  if (isOpen(request)) meter?.allow(openBodyBytes, request);
  return meter;
}

/**
 * The meter around a request's body, put there when there is none yet; null when there is no body.
 * @throws {ApiError} 400: the caller broke off before that, so nothing would ever end the body
 */
export function meterOf(request: FastifyRequest, options: { hashes: boolean }): BodyMeter | null {
  if (!hasBody(request) || request.bodyMeter !== null) return request.bodyMeter;
  if (request.raw.destroyed) throw new ApiError('MALFORMED_REQUEST');
  return (request.bodyMeter = new BodyMeter(request.raw, options));
}

/** Whether the request needs no credential: its route asks for none, or it has no route. */
export function isOpen({ routeOptions: { config } }: FastifyRequest): boolean {
  if (config.access !== undefined && config.access !== 'public') return false;
  return config.operator === undefined || config.operator.needs === 'none';
}

/** Whether a request says that a body follows. */
export function hasBody({ headers }: FastifyRequest): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}

/** Between two looks at the bodies under way, milliseconds. */
const TICK = 500;

/** A body that is arriving. */
interface Body {
  request: FastifyRequest;
  socket: Socket;
  /** Bytes that the socket had received when the body began. */
  before: number;
  /**
   * How long the service has waited for the caller, milliseconds: without the time in which it did not read, until the
   * answer was sent; all time after that.
   */
  waited: number;
  /** The answer was sent: the rest is only received so that the caller can read it. */
  answered: boolean;
  overdue: boolean;
}

/**
 * Gives up bodies that come too slowly: 408 where no answer was sent yet, and the connection is closed. Without a least
 * rate, one byte from time to time would keep a connection for as long as a whole upload may take.
 */
export function paceBodies(app: FastifyInstance, bounds: Bounds): void {
  const bodies = new Set<Body>();
  let ticking: NodeJS.Timeout | undefined;
  app.addHook('onRequest', (request, reply, done) => {
    if (hasBody(request)) {
      const { socket } = request.raw;
      const body: Body = {
        request,
        socket,
        before: socket.bytesRead,
        waited: 0,
        answered: false,
        overdue: false,
      };
      bodies.add(body);
      reply.raw.once('finish', () => {
        body.answered = true;
        body.waited = 0;
      });
      ticking ??= setInterval(look, TICK).unref();
    }
    done();
  });
  app.addHook('onSend', (request, reply, _payload, done) => {
    if (reply.statusCode === 408) void reply.header('connection', 'close');
    done();
  });
  app.addHook('onClose', () => {
    clearInterval(ticking);
  });

  function look(): void {
    for (const body of bodies) {
      const { raw } = body.request;
      if (raw.complete || raw.destroyed || body.socket.destroyed) bodies.delete(body);
      else if (body.answered || raw.readableLength === 0) wait(body);
    }
    if (bodies.size > 0) return;
    clearInterval(ticking);
    ticking = undefined;
  }

  function wait(body: Body): void {
    body.waited += TICK;
    if (!isLate(body)) return;
    const { bodyMeter } = body.request;
    // The rest of an unread body cannot be skipped, so this ends the connection too.
    if (body.answered || body.overdue || bodyMeter === null) body.request.raw.destroy();
    else {
      body.overdue = true;
      bodyMeter.destroy(new ApiError('REQUEST_TIMEOUT'));
    }
  }

  function isLate({ request, socket, before, waited, answered }: Body): boolean {
    if (answered || isOpen(request)) return waited > bounds.openBody;
    const owed = (bounds.bodyRate * (waited - bounds.bodyGrace)) / 1000;
    return socket.bytesRead - before < owed;
  }
}
