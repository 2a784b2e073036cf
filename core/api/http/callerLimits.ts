import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { CompanyId } from '../../contracts/ids.ts';
import { type BodyMeter, meterOf } from './bodyMeter.ts';
import type { Bounds } from './bounds.ts';
import { ApiError } from './errors.ts';
import rateLimit, { type FastifyRateLimitStore, type FastifyRateLimitStoreCtor } from '@fastify/rate-limit';
import { networkOf, onceClosed, type Connections } from './connections.ts';
import type { Installation } from '../../storage/settings/companies.ts';
import type { RequestCounts } from '../../storage/openEngine.ts';
import { errorOf } from '../../contracts/errors/problem.ts';
import type { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

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
    onceClosed(reply.raw, () => {
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

/** The account that has proven to be behind a request. */
interface ProvenCaller {
  companyId: CompanyId;
  /** The operator, or the credential of the program. */
  actor: string;
}

/** A body whose bytes are in memory until its request is answered. */
interface KeptBody {
  actor: string;
  request: FastifyRequest;
  meter: BodyMeter;
  bytes: number;
}

/**
 * Limits the concurrent requests of an authenticated caller and of a company, and the bytes of all bodies that are kept in
 * memory, so that no caller takes all connections or the memory of the service.
 */
export class CallerLimits {
  readonly #bounds: Bounds;
  readonly #underWay = new Map<string, number>();
  readonly #bodies = new Set<KeptBody>();
  /** Of all bodies: they are added up one by one only where this exceeds the limit. */
  #bytes = 0;

  constructor(bounds: Bounds) {
    this.#bounds = bounds;
  }

  /**
   * Counts a request until its answer is sent or its connection is closed.
   * @throws {ApiError} 429: the caller or the company has too many requests under way
   */
  begin(request: FastifyRequest, reply: FastifyReply, { companyId, actor }: ProvenCaller): void {
    const { requestsPerCaller, requestsPerCompany } = this.#bounds;
    const counted = [
      { key: actor, most: requestsPerCaller },
      { key: `company:${companyId}`, most: requestsPerCompany },
    ];
    if (counted.some(({ key, most }) => (this.#underWay.get(key) ?? 0) >= most))
      throw new ApiError('TOO_MANY_ATTEMPTS');
    for (const { key } of counted) this.#underWay.set(key, (this.#underWay.get(key) ?? 0) + 1);
    onceClosed(reply.raw, () => {
      for (const { key } of counted) this.#end(key);
    });
  }

  /** Counts the bodies of proven callers while they are in memory. A body that goes to the disk ends that itself. */
  boundBodies(app: FastifyInstance): void {
    app.addHook('preParsing', (request, reply, _payload, done) => {
      // A body that is signed as a whole counts among the unproven ones.
      const proven = request.seal === null || request.seal.provenByHead;
      const actor = request.operator?.actor ?? (proven ? request.caller?.credential : undefined);
      if (actor !== undefined) this.#keep(request, reply, actor);
      done();
    });
  }

  /** Counts a body until its request is answered. */
  #keep(request: FastifyRequest, reply: FastifyReply, actor: string): void {
    const meter = request.bodyMeter;
    if (meter === null) return;
    const body: KeptBody = { actor, request, meter, bytes: 0 };
    this.#bodies.add(body);
    meter.kept = (bytes) => {
      body.bytes += bytes;
      if (this.#bodies.has(body)) this.#bytes += bytes;
      if (this.#bytes > this.#bounds.bodyMemory) this.#keepWithin(body);
    };
    onceClosed(reply.raw, () => this.#forget(body));
  }

  #forget(body: KeptBody): void {
    if (this.#bodies.delete(body)) this.#bytes -= body.bytes;
  }

  #end(key: string): void {
    const left = (this.#underWay.get(key) ?? 1) - 1;
    if (left > 0) this.#underWay.set(key, left);
    else this.#underWay.delete(key);
  }

  /** Gives up the largest body that still arrives of the caller whose bodies are the largest together. */
  #keepWithin(arrived: KeptBody): void {
    if (this.#bodies.size < 2) return;
    const bytesOf = new Map<string, number>();
    for (const { actor, bytes } of this.#bodies) bytesOf.set(actor, (bytesOf.get(actor) ?? 0) + bytes);
    const weight = ({ actor, bytes }: KeptBody) => [bytesOf.get(actor) ?? 0, bytes] as const;
    let victim = arrived;
    for (const body of this.#bodies) {
      if (body.request.raw.complete) continue;
      const [total, own] = weight(body);
      const [most, largest] = weight(victim);
      if (total > most || (total === most && own > largest)) victim = body;
    }
    this.#forget(victim);
    victim.meter.destroy(new ApiError('TOO_MANY_ATTEMPTS'));
  }
}

/**
 * Counts a request against its credential.
 * @throws {ApiError} 429, with `Retry-After` and the `X-RateLimit-*` headers
 */
export type CountRequest = (request: FastifyRequest, reply: FastifyReply) => Promise<void>;

/**
 * Requests of each credential over all routes, in a window of one minute. Only a credential that was proven is counted:
 * a caller who knows the public id of a signing key must not be able to use up its requests. Requests without a
 * credential count against the network that they come from.
 */
export async function createRateLimit(
  app: FastifyInstance,
  { installation, requestCounts }: { installation: Installation; requestCounts?: RequestCounts | undefined },
): Promise<CountRequest> {
  const store = requestCounts && storeOf(requestCounts);
  await app.register(rateLimit, { global: false, ...(store && { store }) });
  const count = app.createRateLimit({
    timeWindow: 60_000,
    max: async () => (await installation.settings()).requestsPerMinute,
    keyGenerator: (request) =>
      request.caller?.credential ?? `network:${networkOf(request.socket.remoteAddress)}`,
  });
  return async (request, reply) => {
    const limit = await count(request);
    if (limit.isAllowed) return;
    void reply.header('x-ratelimit-limit', limit.max).header('x-ratelimit-remaining', limit.remaining);
    if (!limit.isExceeded) return;
    void reply.header('retry-after', Math.max(1, limit.ttlInSeconds));
    throw new ApiError('TOO_MANY_ATTEMPTS');
  };
}

/** The counts of all services, as the library asks for them. */
function storeOf(counts: RequestCounts): FastifyRateLimitStoreCtor {
  return class implements FastifyRateLimitStore {
    incr(...[key, answer, window]: Parameters<FastifyRateLimitStore['incr']>): void {
      counts.count(key, window).then(
        ({ count, remaining }) => {
          answer(null, { current: count, ttl: remaining });
        },
        (error: unknown) => {
          answer(errorOf(error));
        },
      );
    }

    child(): this {
      return this;
    }
  };
}
