/** How good likelihood ratios are: their cost (Cllr), how much of it is calibration, and how often they mislead. */

/** Ratios as log10, of cases in which the first proposition is true and of cases in which it is not. */
export interface Ratios {
  genuine: readonly number[];
  other: readonly number[];
}

export interface RatioCost {
  /** Log-likelihood-ratio cost (Brümmer and du Preez 2006): 0 is perfect, 1 says nothing. */
  cllr: number;
  /** The cost that remains after the best monotone recalibration. */
  least: number;
}

export function ratioCost(ratios: Ratios): RatioCost {
  const best = monotone(ratios);
  return { cllr: costOf(ratios), least: costOf({ genuine: best.genuine, other: best.other }) };
}

function costOf({ genuine, other }: Ratios): number {
  const cost = (values: readonly number[], sign: number) =>
    values.reduce((sum, value) => sum + Math.log2(1 + 10 ** (sign * value)), 0) / values.length;
  return (cost(genuine, -1) + cost(other, 1)) / 2;
}

interface Block {
  genuine: number;
  other: number;
  values: { value: number; same: boolean }[];
}

/**
 * The best monotone recalibration (pool adjacent violators), each kind weighing the same.
 * @returns log10 ratios by kind, and the pairs of stated and recalibrated ratio in rising order
 */
export function monotone({ genuine, other }: Ratios): Ratios & { points: { x: number; y: number }[] } {
  const sorted = [
    ...genuine.map((value) => ({ value, same: true })),
    ...other.map((value) => ({ value, same: false })),
  ].sort((a, b) => a.value - b.value);
  const share = (block: Block) => block.genuine / (block.genuine + block.other);
  const blocks: Block[] = [];
  for (const one of sorted) {
    const last = blocks.at(-1);
    const weights = { genuine: one.same ? 1 / genuine.length : 0, other: one.same ? 0 : 1 / other.length };
    if (last?.values.at(-1)?.value === one.value) {
      last.genuine += weights.genuine;
      last.other += weights.other;
      last.values.push(one);
    } else blocks.push({ ...weights, values: [one] });
    // A block whose share is not above the one before is pooled with it.
    while (blocks.length > 1 && share(blocks.at(-2)!) >= share(blocks.at(-1)!)) {
      const [upper, lower] = [blocks.pop()!, blocks.pop()!];
      blocks.push({
        genuine: lower.genuine + upper.genuine,
        other: lower.other + upper.other,
        values: [...lower.values, ...upper.values],
      });
    }
  }
  const rated = blocks.flatMap((block) => {
    const y = Math.log10(block.genuine / block.other);
    return block.values.map(({ value, same }) => ({ x: value, y, same }));
  });
  const kind = (same: boolean) => rated.filter((one) => one.same === same).map(({ y }) => y);
  return { genuine: kind(true), other: kind(false), points: rated.map(({ x, y }) => ({ x, y })) };
}

/** Shares of cases whose ratio supports the wrong proposition by ten or more. */
export function misleading({ genuine, other }: Ratios): { genuine: number; other: number } {
  return {
    genuine: genuine.filter((value) => value <= -1).length / genuine.length,
    other: other.filter((value) => value >= 1).length / other.length,
  };
}
