import { createHmac } from 'node:crypto';
import type { KeyedRequest } from '../../domain/ports/auditContext.ts';
import type { Database } from '../engine/database.ts';

/**
 * Digests by which the store recognises a request that is sent twice. A program may have made its Idempotency-Key of a name, and a
 * request may name a person. The digests outlive an erasure, so that a repetition enrols no erased person again. They are keyed with a
 * secret of the store: without it, a guess cannot be tested.
 */
export class RequestDigests {
  readonly #db: Database;
  #secret: Uint8Array | undefined;

  constructor(db: Database) {
    this.#db = db;
  }

  /** HMAC-SHA-256, lowercase hex. */
  async digest(text: string): Promise<string> {
    this.#secret ??= (
      await this.#db.selectFrom('installation_settings').select('request_secret').executeTakeFirstOrThrow()
    ).request_secret;
    return createHmac('sha256', this.#secret).update(text).digest('hex');
  }

  async digestRequest({ key, content }: KeyedRequest): Promise<KeyedRequest> {
    return { key: await this.digest(key), content: await this.digest(content) };
  }
}
