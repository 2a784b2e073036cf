import type { ErrorCode } from '../../contracts/errors/problem.ts';
import { createHash } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import type { SignedRequest } from '../../domain/credentials/signedRequests.ts';
import { meterOf } from './bodyMeter.ts';
import { ApiError } from './errors.ts';

const HASH_OF_NOTHING = createHash('sha256').digest('hex');

/** The signature of a request whose body has not been received whole: nothing may be accepted before `verify`. */
export class PendingRequestSignature {
  readonly #request: FastifyRequest;
  readonly #signed: SignedRequest;
  readonly #proven: () => Promise<void>;
  #verified: Promise<void> | undefined;

  /** @param proven runs once, when a signature over the body was found right; an error that it throws refuses the request */
  constructor(request: FastifyRequest, signed: SignedRequest, proven: () => Promise<void>) {
    this.#request = request;
    this.#signed = signed;
    this.#proven = proven;
    // Every byte of the body is hashed from here on, whichever code reads it.
    meterOf(request, { hashes: true });
  }

  /** Whether the caller is proven by the head alone, so that a refusal need not wait for the body. */
  get provenByHead(): boolean {
    return this.#signed.kind === 'proven';
  }

  /**
   * Waits for the rest of the body and checks the signature over all of it; repeated calls get the same answer.
   * @throws {ApiError} 401 the signature or the announced hash is wrong, or the signature was used before; 429 the
   *   credential's requests are used up
   */
  verify(): Promise<void> {
    this.#verified ??= this.#verify();
    return this.#verified;
  }

  async #verify(): Promise<void> {
    const meter = this.#request.bodyMeter;
    const bodyHash = meter === null ? HASH_OF_NOTHING : await meter.digest();
    if (this.#signed.kind === 'proven') {
      // The check before the body is enough where there is none.
      if (bodyHash !== this.#signed.announcedHash || (meter !== null && !(await this.#signed.stands())))
        throw new ApiError('UNAUTHENTICATED');
      return;
    }
    if (!(await this.#signed.confirm(bodyHash))) throw new ApiError('UNAUTHENTICATED');
    await this.#proven();
  }
}

/** Responses to a request whose body is not read, from any sender. */
const UNREAD = new Set<ErrorCode>(['UNAUTHENTICATED', 'TOO_MANY_ATTEMPTS', 'REQUEST_TIMEOUT']);

/**
 * The answer to a request that failed: when it is signed over its body and the signature is wrong, that comes first,
 * whatever else is wrong with it. A body that is too large is no exception: the limit is the company's, so an answer
 * before the check would reveal that the user id is known.
 */
export async function verifiedBeforeUse(error: unknown, { seal }: FastifyRequest): Promise<unknown> {
  if (seal === null || seal.provenByHead || (error instanceof ApiError && UNREAD.has(error.problem.code)))
    return error;
  try {
    await seal.verify();
    return error;
  } catch (unverified) {
    return unverified;
  }
}
