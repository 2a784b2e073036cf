import type { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { meterOf, type BodyMeter } from './bodyMeter.ts';
import type { Bounds } from './bounds.ts';
import type { Connections } from './connections.ts';
import { ApiError } from './errors.ts';
import { networkOf } from './network.ts';

/** A body whose signature can be checked only at its end. */
interface UnprovenBody {
  network: string;
  /** Where its bytes wait for the check. */
  store: 'disk' | 'memory';
  meter: BodyMeter;
  bytes: number;
  /** Milliseconds. */
  begunAt: number;
  endedAt: number | undefined;
}

/**
 * Bounds what is done for callers that have proven nothing: per connection, per address and over all of them, never per
 * credential. A limit that a caller reaches by naming a credential would lock out the credential's holder.
 */
export class UnauthenticatedLimits {
  readonly #bounds: Bounds;
  readonly #connections: Connections;
  readonly #refusals = new WeakMap<Socket, number>();
  readonly #bodies = new Map<FastifyRequest, UnprovenBody>();

  constructor(app: FastifyInstance, { bounds, connections }: { bounds: Bounds; connections: Connections }) {
    this.#bounds = bounds;
    this.#connections = connections;
    app.addHook('onSend', async (request, reply) => {
      if (reply.statusCode === 401) await this.#refused(request, reply);
    });
  }

  /**
   * Begins to receive a body whose signature can be checked only at its end. It counts until the signature is found
   * right, the answer is sent, or the connection is closed.
   * @throws {ApiError} 429: too many of this address are under way
   */
  receive(request: FastifyRequest, reply: FastifyReply): void {
    const meter = meterOf(request, { hashes: true });
    if (meter === null) return;
    const network = networkOf(request.socket.remoteAddress);
    const now = performance.now();
    this.#makePlace(network, now);
    const store = request.routeOptions.config.imageForm === true ? 'disk' : 'memory';
    const body: UnprovenBody = { network, store, meter, bytes: 0, begunAt: now, endedAt: undefined };
    this.#bodies.set(request, body);
    meter.charge = (bytes) => {
      body.bytes += bytes;
      this.#keepWithin(store);
    };
    meter.once('end', () => (body.endedAt = performance.now()));
    reply.raw.once('close', () => {
      this.#bodies.delete(request);
    });
  }

  /** The caller of the request has proven who they are. */
  proven(request: FastifyRequest): void {
    const body = this.#bodies.get(request);
    if (body !== undefined) body.meter.charge = undefined;
    this.#bodies.delete(request);
    this.#connections.prove(request.raw.socket, true);
  }

  /** Gives up the oldest body of the address when all its places are taken, unless that one began just now. */
  #makePlace(network: string, now: number): void {
    const neighbours = [...this.#bodies.values()].filter((body) => body.network === network);
    if (neighbours.length < this.#bounds.unprovenBodies) return;
    const oldest = neighbours[0];
    if (oldest === undefined || now - oldest.begunAt < this.#bounds.bodyGrace)
      throw new ApiError('TOO_MANY_ATTEMPTS');
    this.#giveUp(oldest);
  }

  /**
   * Gives up the largest body when all together have too many bytes. The last one is never given up: alone, a body may be
   * as large as its form.
   */
  #keepWithin(store: UnprovenBody['store']): void {
    const limit = store === 'disk' ? this.#bounds.unprovenDisk : this.#bounds.unprovenMemory;
    const bodies = [...this.#bodies.values()].filter((body) => body.store === store);
    if (bodies.length < 2 || bodies.reduce((sum, { bytes }) => sum + bytes, 0) <= limit) return;
    const largest = bodies.reduce((most, body) => (body.bytes > most.bytes ? body : most));
    this.#giveUp(largest);
  }

  #giveUp(body: UnprovenBody): void {
    for (const [request, each] of this.#bodies) if (each === body) this.#bodies.delete(request);
    body.meter.charge = undefined;
    body.meter.destroy(new ApiError('TOO_MANY_ATTEMPTS'));
  }

  async #refused(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const { socket } = request.raw;
    this.#connections.prove(socket, false);
    const refusals = (this.#refusals.get(socket) ?? 0) + 1;
    this.#refusals.set(socket, refusals);
    if (refusals >= this.#bounds.refusalsPerConnection) void reply.header('connection', 'close');
    const { endedAt } = this.#bodies.get(request) ?? {};
    if (endedAt === undefined) return;
    // The body of a known user id takes longer to process than that of an unknown one.
    const { refusalGrid } = this.#bounds;
    await sleep(refusalGrid - ((performance.now() - endedAt) % refusalGrid));
  }
}
