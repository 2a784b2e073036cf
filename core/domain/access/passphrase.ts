import { argon2, randomBytes, timingSafeEqual } from 'node:crypto';
import { MIN_PASSPHRASE } from '../../contracts/dashboard/session.ts';
import { FIELD_MESSAGES } from '../../contracts/messages.ts';
import { UnavailableError } from '../ports/machine.ts';

/** Memory in KiB, passes and lanes of argon2id. */
export interface HashCost {
  memory: number;
  passes: number;
  parallelism: number;
}

/** RFC 9106, section 4: the second recommended choice, for where memory is limited. */
const COST: HashCost = { memory: 64 * 1024, passes: 3, parallelism: 4 };
const SALT_BYTES = 16;
const TAG_BYTES = 32;

/** Hashes at once: each takes 64 MiB, and a flood of sign-ins must not take the machine's memory. */
const AT_ONCE = 2;
/** Sign-ins that may wait for their turn; beyond it they are turned away. */
const WAITING = 32;

const PHC = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([\w+/]+)\$([\w+/]+)$/;

/** Hashes passphrases with argon2id and compares them, a few at a time. */
export class PassphraseHasher {
  readonly #cost: HashCost;
  #running = 0;
  readonly #queue: (() => void)[] = [];
  #decoy: Promise<string> | undefined;

  constructor(cost: HashCost = COST) {
    this.#cost = cost;
  }

  /** @returns a PHC string: it names its own parameters, so that later ones can be dearer */
  async hash(passphrase: string): Promise<string> {
    const salt = randomBytes(SALT_BYTES);
    const tag = await this.#derive(passphrase, salt, this.#cost);
    const { memory, passes, parallelism } = this.#cost;
    return `$argon2id$v=19$m=${memory},t=${passes},p=${parallelism}$${base64(salt)}$${base64(tag)}`;
  }

  /** @param stored undefined when there is nobody to compare with: it takes as long and is never right */
  async matches(passphrase: string, stored: string | undefined): Promise<boolean> {
    const match = PHC.exec(stored ?? (await this.#decoyHash()));
    if (match === null) throw new Error('A stored passphrase hash is not a PHC string of argon2id.');
    const [, memory, passes, parallelism, salt, tag] = match;
    const derived = await this.#derive(passphrase, Buffer.from(salt!, 'base64'), {
      memory: Number(memory),
      passes: Number(passes),
      parallelism: Number(parallelism),
    });
    return timingSafeEqual(derived, Buffer.from(tag!, 'base64')) && stored !== undefined;
  }

  #decoyHash(): Promise<string> {
    return (this.#decoy ??= this.hash(randomBytes(SALT_BYTES).toString('hex')));
  }

  async #derive(passphrase: string, salt: Uint8Array, cost: HashCost): Promise<Buffer> {
    await this.#turn();
    try {
      return await new Promise((resolve, reject) => {
        argon2(
          'argon2id',
          { message: passphrase.normalize('NFKC'), nonce: salt, tagLength: TAG_BYTES, ...cost },
          (error, tag) => {
            if (error === null) resolve(tag);
            else reject(error);
          },
        );
      });
    } finally {
      this.#running -= 1;
      this.#queue.shift()?.();
    }
  }

  async #turn(): Promise<void> {
    if (this.#running >= AT_ONCE) {
      if (this.#queue.length >= WAITING) throw new UnavailableError('Too many sign-ins wait already.');
      await new Promise<void>((resolve) => this.#queue.push(resolve));
    }
    this.#running += 1;
  }
}

/** Runs of these, in either direction, count as one character of a passphrase. */
const RUNS = ['abcdefghijklmnopqrstuvwxyz', '01234567890', 'qwertyuiop', 'asdfghjkl', 'zxcvbnm'];
const LEAST_VARIETY = 6;

/**
 * Why a passphrase will not do, as sentences for its field; none: it will. Length is what counts (NIST SP 800-63B
 * asks for no mixture of kinds); refused besides is what is guessed first: names, repetitions, runs of the keyboard.
 * @param names of the operator and the company
 */
export function passphraseProblems(passphrase: string, names: readonly string[]): string[] {
  const problems: string[] = [];
  const text = passphrase.normalize('NFKC').toLowerCase();
  if (Array.from(text).length < MIN_PASSPHRASE)
    problems.push(`The passphrase must have at least ${MIN_PASSPHRASE} characters.`);
  const bare = names.reduce((rest, name) => rest.replaceAll(name.normalize('NFKC').toLowerCase(), ''), text);
  if (Array.from(bare).length < Math.min(MIN_PASSPHRASE, Array.from(text).length) / 2)
    problems.push(FIELD_MESSAGES.passphraseIsName);
  if (variety(text) < LEAST_VARIETY) problems.push(FIELD_MESSAGES.passphraseGuessed);
  return problems;
}

/** How many different characters there are that do not just continue the one before. */
function variety(text: string): number {
  const characters = Array.from(text);
  const seen = new Set<string>();
  for (const [index, character] of characters.entries()) {
    const pair = (characters[index - 1] ?? '') + character;
    const follows =
      pair.length === 2 &&
      RUNS.some((run) => run.includes(pair) || run.includes(Array.from(pair).reverse().join('')));
    if (!follows) seen.add(character);
  }
  return seen.size;
}

function base64(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('base64').replaceAll('=', '');
}
