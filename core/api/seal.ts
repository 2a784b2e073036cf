import { createHash } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import type { ClaimedRequest } from '../domain/signedRequests.ts';
import { meterOf } from './bodyMeter.ts';
import { ApiError } from './errors.ts';

const HASH_OF_NOTHING = createHash('sha256').digest('hex');

/** The signature of a request whose body has not been seen whole: nothing may be accepted before it is verified. */
export class Seal {
  readonly #request: FastifyRequest;
  readonly #claim: ClaimedRequest;
  readonly #proven: () => Promise<void>;
  #verified: Promise<void> | undefined;

  /** @param proven runs once, when the signature was found right; what it throws refuses the request */
  constructor(request: FastifyRequest, claim: ClaimedRequest, proven: () => Promise<void>) {
    this.#request = request;
    this.#claim = claim;
    this.#proven = proven;
    // From here on every byte of the body is hashed, whoever reads it.
    meterOf(request, { hashes: true });
  }

  /**
   * Waits for the rest of the body and checks the signature over all of it; again and again the same answer.
   * @throws {ApiError} 401 not signed so, or signed so before; 429 the credential's requests are used up
   */
  verify(): Promise<void> {
    this.#verified ??= this.#verify();
    return this.#verified;
  }

  async #verify(): Promise<void> {
    const meter = this.#request.bodyMeter;
    const bodyHash = meter === null ? HASH_OF_NOTHING : await meter.digest();
    if (!(await this.#claim.confirm(bodyHash))) throw new ApiError('UNAUTHENTICATED');
    await this.#proven();
  }
}

/** Answers that a request gets unread, whoever sent it. */
const UNREAD = new Set<unknown>(['UNAUTHENTICATED', 'TOO_MANY_ATTEMPTS', 'PAYLOAD_TOO_LARGE']);

/**
 * What to answer a request that failed: when it is signed and the signature is wrong, that comes first, whatever else
 * is wrong with it (contract §1: one 401 for every cause).
 */
export async function sealedFirst(error: unknown, { seal }: FastifyRequest): Promise<unknown> {
  if (seal === null || (error instanceof ApiError && UNREAD.has(error.code))) return error;
  try {
    await seal.verify();
    return error;
  } catch (unverified) {
    return unverified;
  }
}
