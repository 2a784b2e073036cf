import type { CompanyId } from '../../contracts/ids.ts';

/**
 * One piece of work of a company at a time, in the order in which it came: of two photos of one person that arrive
 * together, the second is compared with the first.
 */
export class KeyedMutex {
  /** Per company, the end of what was begun last. */
  readonly #ends = new Map<CompanyId, Promise<unknown>>();

  async run<T>(company: CompanyId, work: () => Promise<T>): Promise<T> {
    const before = this.#ends.get(company);
    const turn = (async () => {
      await before?.catch(() => undefined);
      return work();
    })();
    this.#ends.set(company, turn);
    try {
      return await turn;
    } finally {
      if (this.#ends.get(company) === turn) this.#ends.delete(company);
    }
  }
}
