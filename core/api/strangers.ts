import type { Socket } from 'node:net';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { ApiError } from './errors.ts';

/** Refused credentials after which a connection is closed: a client that has the right one never comes near. */
const REFUSALS_PER_CONNECTION = 20;
/** Bodies of one address that may be under way at once while nobody knows whether their signature is right. */
const UNPROVEN_BODIES = 64;
const RETRY_AFTER = 5;

/**
 * What may be done for callers who have proven nothing. It is bounded per connection and per address, never per
 * credential: a bound that strangers can reach must not shut out whom they only name.
 */
export class Strangers {
  readonly #refusals = new WeakMap<Socket, number>();
  readonly #bodies = new Map<string, number>();

  constructor(app: FastifyInstance) {
    app.addHook('onSend', (request, reply, _payload, done) => {
      if (reply.statusCode === 401) this.#refused(request, reply);
      done();
    });
  }

  /**
   * Begins to receive a body whose signature can be checked only at its end. It counts until the answer is sent, or the
   * caller is gone.
   * @throws {ApiError} 429: too many of this address are under way
   */
  receive(request: FastifyRequest, reply: FastifyReply): void {
    const address = request.socket.remoteAddress ?? '';
    const underWay = this.#bodies.get(address) ?? 0;
    if (underWay >= UNPROVEN_BODIES) {
      void reply.header('retry-after', RETRY_AFTER);
      throw new ApiError('TOO_MANY_ATTEMPTS');
    }
    this.#bodies.set(address, underWay + 1);
    reply.raw.once('close', () => {
      const left = (this.#bodies.get(address) ?? 1) - 1;
      if (left === 0) this.#bodies.delete(address);
      else this.#bodies.set(address, left);
    });
  }

  #refused(request: FastifyRequest, reply: FastifyReply): void {
    const refusals = (this.#refusals.get(request.socket) ?? 0) + 1;
    this.#refusals.set(request.socket, refusals);
    if (refusals >= REFUSALS_PER_CONNECTION) void reply.header('connection', 'close');
  }
}
