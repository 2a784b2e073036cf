import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { CompanyId } from '../../contracts/ids.ts';
import type { BodyMeter } from './bodyMeter.ts';
import type { Bounds } from './bounds.ts';
import { ApiError } from './errors.ts';

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
    reply.raw.once('close', () => {
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
    reply.raw.once('close', () => this.#forget(body));
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
