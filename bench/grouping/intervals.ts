/** How far the B-cubed figures of a set of people depend on who is in it. */
import { randomFrom } from '../gallery/templates.ts';
import { bCubed } from './scores.ts';

/** Sets of as many people that are drawn from the people, with repetition. */
const DRAWS = 2_000;

export interface Interval {
  low: number;
  high: number;
}

/** The intervals that hold 95 of 100 drawn sets (percentile bootstrap over people: photos of one person depend on each other). */
export function bCubedIntervals(
  identities: readonly string[],
  groups: readonly (readonly number[])[],
): Record<'precision' | 'recall', Interval> {
  const people = new Map<string, { photos: number; precision: number; recall: number }>();
  for (const [index, { precision, recall }] of bCubed(identities, groups).entries()) {
    const person = people.get(identities[index]!) ?? { photos: 0, precision: 0, recall: 0 };
    person.photos += 1;
    person.precision += precision;
    person.recall += recall;
    people.set(identities[index]!, person);
  }
  const all = [...people.values()];
  const random = randomFrom(11);
  const drawn = Array.from({ length: DRAWS }, () => {
    const set = Array.from({ length: all.length }, () => all[Math.floor(random() * all.length)]!);
    const photos = set.reduce((sum, person) => sum + person.photos, 0);
    return {
      precision: set.reduce((sum, person) => sum + person.precision, 0) / photos,
      recall: set.reduce((sum, person) => sum + person.recall, 0) / photos,
    };
  });
  const interval = (of: 'precision' | 'recall'): Interval => {
    const sorted = drawn.map((each) => each[of]).sort((a, b) => a - b);
    return { low: sorted[Math.floor(0.025 * DRAWS)]!, high: sorted[Math.ceil(0.975 * DRAWS) - 1]! };
  };
  return { precision: interval('precision'), recall: interval('recall') };
}
