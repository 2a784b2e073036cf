/** A seeded source of chance: the same seed gives the same signatures on every machine. */
export class Chance {
  #state: number;

  constructor(seed: number) {
    this.#state = seed >>> 0;
    for (let i = 0; i < 4; i++) this.next();
  }

  /** Uniform in [0, 1): mulberry32. */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let t = this.#state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  }

  between(low: number, high: number): number {
    return low + (high - low) * this.next();
  }

  /** Whole number from low to high, both included. */
  whole(low: number, high: number): number {
    return low + Math.floor(this.next() * (high - low + 1));
  }

  happens(probability: number): boolean {
    return this.next() < probability;
  }

  /** Normal with mean 0: Box and Muller. */
  normal(sigma: number): number {
    return sigma * Math.sqrt(-2 * Math.log(1 - this.next())) * Math.cos(2 * Math.PI * this.next());
  }

  /** Log-normal around `median`. */
  around(median: number, sigma: number): number {
    return median * Math.exp(this.normal(sigma));
  }

  pick<T>(list: readonly T[]): T {
    return list[Math.floor(this.next() * list.length)]!;
  }

  /** An independent source. */
  split(): Chance {
    return new Chance(Math.floor(this.next() * 4294967296));
  }
}
