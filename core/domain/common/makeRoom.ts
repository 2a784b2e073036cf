/**
 * Takes entries out of a map until it has at most so many: each time the oldest one of the holder who has most of them, so that
 * no holder can push out what another one keeps.
 * @param kept in the order of their last use
 * @param holderOf who keeps an entry: a company, an operator
 */
export function makeRoom<Id, Kept>(kept: Map<Id, Kept>, most: number, holderOf: (of: Kept) => unknown): void {
  while (kept.size > most) {
    const held = new Map<unknown, Id[]>();
    for (const [id, entry] of kept) {
      const ids = held.get(holderOf(entry)) ?? [];
      ids.push(id);
      held.set(holderOf(entry), ids);
    }
    const [largest = []] = [...held.values()].toSorted((one, other) => other.length - one.length);
    const [oldest] = largest;
    if (oldest === undefined) return;
    kept.delete(oldest);
  }
}
