import { hexOf } from '../values/bytes.ts';
import type { PassphraseHashing } from '../ports/crypto.ts';
import { UnavailableError } from '../ports/machine.ts';
import { Service, type Parts } from '../serviceParts.ts';

interface HasherPorts extends Pick<Parts, 'crypto' | 'timer'> {
  hashing: PassphraseHashing;
}

/** Hashes that run concurrently: each takes 64 MiB, and a flood of sign-ins must not exhaust the machine's memory. */
const MAX_CONCURRENT = 2;
/** Sign-ins that may wait for their turn; beyond it one of them is turned away. */
const MAX_WAITING = 32;
/** Comparisons whose durations are kept. */
const MAX_DURATIONS = 32;
/** Random bytes of the passphrase that the decoy comparison hashes. */
const DECOY_BYTES = 16;

/** The origin of a request for a turn. */
export interface TurnOrigin {
  /** Turns go round the addresses, so that one with many requests does not delay the others. */
  address: string;
  /** Served first: an operator with a session, or in a browser of an earlier sign-in. */
  trusted: boolean;
}

interface Waiting extends TurnOrigin {
  start(): void;
  refuse(): void;
}

/** An act of the service itself or of an authorised operator. */
const OWN: TurnOrigin = { address: '', trusted: true };

/** Hashes passphrases and compares them, a few at a time. */
export class PassphraseHasher extends Service<HasherPorts> {
  #running = 0;
  readonly #queue: Waiting[] = [];
  /** Which turn each address had last; addresses without an entry come first. */
  readonly #served = new Map<string, number>();
  #turns = 0;
  /** Milliseconds that recent comparisons took, their waits included. */
  readonly #durations: number[] = [];
  #first: Promise<void> | undefined;

  /** @returns what {@link PassphraseHashing.hash} returns */
  hash(passphrase: string): Promise<string> {
    return this.inTurn(OWN, () => this.ports.hashing.hash(passphrase));
  }

  /**
   * Runs comparisons when their turn has come.
   * @throws {UnavailableError} too many wait; `work` was not begun
   */
  async inTurn<T>(
    from: TurnOrigin,
    work: (matches: (passphrase: string, stored: string) => Promise<boolean>) => Promise<T>,
  ): Promise<T> {
    const { hashing, timer } = this.ports;
    const asked = timer.elapsed();
    await this.#turn(from);
    try {
      return await work(async (passphrase, stored) => {
        const right = await hashing.matches(passphrase, stored);
        this.#remember(timer.elapsed() - asked);
        return right;
      });
    } finally {
      this.#running -= 1;
      this.#startNext();
    }
  }

  /**
   * Takes as long as a comparison took recently, without its work: a name that no operator has must not be revealed by
   * the time of its answer, and must not delay the comparisons of operators.
   */
  async pretend(): Promise<void> {
    if (this.#durations.length === 0) {
      // Nothing was compared yet: one comparison, for all who ask until it is done, shows how long it takes.
      this.#first ??= this.#compareDecoy().finally(() => (this.#first = undefined));
      return this.#first;
    }
    // The bias of one random byte over at most 32 durations shows nothing.
    const random = this.ports.crypto.randomBytes(1)[0] ?? 0;
    await this.ports.timer.wait(this.#durations[random % this.#durations.length] ?? 0);
  }

  async #compareDecoy(): Promise<void> {
    const decoy = hexOf(this.ports.crypto.randomBytes(DECOY_BYTES));
    const stored = await this.hash(decoy);
    await this.inTurn(OWN, (compare) => compare(decoy, stored));
  }

  #remember(duration: number): void {
    this.#durations.push(duration);
    if (this.#durations.length > MAX_DURATIONS) this.#durations.shift();
  }

  async #turn(from: TurnOrigin): Promise<void> {
    if (this.#running < MAX_CONCURRENT) {
      this.#begin(from);
      return;
    }
    await new Promise<void>((resolve, reject) => {
      const refuse = () => {
        reject(new UnavailableError('Too many sign-ins wait already.'));
      };
      this.#queue.push({ ...from, start: resolve, refuse });
      if (this.#queue.length > MAX_WAITING) this.#refuseOne();
    });
  }

  #begin({ address }: TurnOrigin): void {
    this.#running += 1;
    this.#turns += 1;
    this.#served.set(address, this.#turns);
  }

  #startNext(): void {
    const trusted = this.#queue.filter((one) => one.trusted);
    const lastTurn = ({ address }: Waiting) => this.#served.get(address) ?? 0;
    const [next] = (trusted.length > 0 ? trusted : this.#queue).toSorted((a, b) => lastTurn(a) - lastTurn(b));
    if (next === undefined) {
      if (this.#running === 0) this.#served.clear();
      return;
    }
    this.#queue.splice(this.#queue.indexOf(next), 1);
    this.#begin(next);
    next.start();
  }

  /** Turns away the newest request of the address that has the most waiting; a trusted one only when all are. */
  #refuseOne(): void {
    const untrusted = this.#queue.filter((one) => !one.trusted);
    const candidates = untrusted.length > 0 ? untrusted : this.#queue;
    const waiting = (address: string) => candidates.filter((one) => one.address === address).length;
    const most = Math.max(...candidates.map(({ address }) => waiting(address)));
    const refused = candidates.findLast(({ address }) => waiting(address) === most);
    if (refused === undefined) return;
    this.#queue.splice(this.#queue.indexOf(refused), 1);
    refused.refuse();
  }
}
