import { argon2, randomBytes, timingSafeEqual } from 'node:crypto';
import type { PassphraseHashing } from '../domain/ports/crypto.ts';

/** Memory in KiB, passes and lanes of argon2id. */
interface HashCost {
  memory: number;
  passes: number;
  parallelism: number;
}

/** RFC 9106, section 4: the second recommended choice, for where memory is limited. */
const COST: HashCost = { memory: 64 * 1024, passes: 3, parallelism: 4 };
const SALT_BYTES = 16;
const TAG_BYTES = 32;
const PHC = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([\w+/]+)\$([\w+/]+)$/;

/** Hashing of passphrases with argon2id. Each hash takes `cost.memory` KiB while it runs. */
export function argon2id(cost: HashCost = COST): PassphraseHashing {
  return {
    async hash(passphrase) {
      const salt = randomBytes(SALT_BYTES);
      const tag = await derive(passphrase, salt, cost);
      const { memory, passes, parallelism } = cost;
      return `$argon2id$v=19$m=${memory},t=${passes},p=${parallelism}$${unpadded(salt)}$${unpadded(tag)}`;
    },
    async matches(passphrase, stored) {
      const match = PHC.exec(stored);
      if (match === null) throw new Error('A stored passphrase hash is not a PHC string of argon2id.');
      const [, memory, passes, parallelism, salt, tag] = match;
      const derived = await derive(passphrase, Buffer.from(salt!, 'base64'), {
        memory: Number(memory),
        passes: Number(passes),
        parallelism: Number(parallelism),
      });
      return timingSafeEqual(derived, Buffer.from(tag!, 'base64'));
    },
  };
}

function derive(passphrase: string, salt: Uint8Array, cost: HashCost): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    argon2(
      'argon2id',
      { message: passphrase.normalize('NFKC'), nonce: salt, tagLength: TAG_BYTES, ...cost },
      (error, tag) => {
        if (error === null) resolve(tag);
        else reject(error);
      },
    );
  });
}

/** Base64 as PHC strings have it. */
function unpadded(bytes: Buffer): string {
  return bytes.toString('base64').replaceAll('=', '');
}
