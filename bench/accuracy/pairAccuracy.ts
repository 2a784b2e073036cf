/** The official pair-matching protocol of LFW (View 2): accuracy on each fold with a threshold from the others. */
import { euclidean } from './comparisons.ts';
import type { Descriptions } from './describing.ts';
import type { Interval } from './errorRates.ts';
import type { PhotoSet } from './photos.ts';

interface Scored {
  distance: number;
  same: boolean;
  fold: number;
}

/** Mean over the folds, and the lowest and highest fold; a pair with a missed face is an error whatever the threshold. */
export function pairAccuracy(set: PhotoSet, descriptions: Descriptions): Interval {
  const byName = new Map(set.photos.map(({ name }, i) => [name, descriptions[i]]));
  const scored = set.pairs.map(({ a, b, same, fold }): Scored => {
    const [first, second] = [byName.get(a), byName.get(b)];
    return { same, fold, distance: first && second ? euclidean(first, second) : Number.NaN };
  });
  const folds = [...new Set(scored.map(({ fold }) => fold))];
  const accuracies = folds.map((fold) => {
    const threshold = bestThreshold(scored.filter((pair) => pair.fold !== fold));
    return accuracy(
      scored.filter((pair) => pair.fold === fold),
      threshold,
    );
  });
  return {
    rate: accuracies.reduce((sum, each) => sum + each, 0) / accuracies.length,
    low: Math.min(...accuracies),
    high: Math.max(...accuracies),
  };
}

/** Not a number compares as false both ways, so a missed face is never right. */
function accuracy(pairs: readonly Scored[], threshold: number): number {
  const right = pairs.filter(({ distance, same }) => (same ? distance <= threshold : distance > threshold));
  return right.length / pairs.length;
}

function bestThreshold(pairs: readonly Scored[]): number {
  const candidates = pairs.map(({ distance }) => distance).filter((distance) => !Number.isNaN(distance));
  return candidates.reduce(
    (best, threshold) => {
      const found = accuracy(pairs, threshold);
      return found > best.found ? { threshold, found } : best;
    },
    { threshold: 0, found: 0 },
  ).threshold;
}
