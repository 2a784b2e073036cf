import type { SearchShare } from '../../contracts/calibration.ts';

const NORMAL_95 = 1.96;

/** A share with its 95 % interval (Wilson 1927); without trials it may be anything. */
export function shareOf(errors: number, of: number): SearchShare {
  if (of === 0) return { errors, of, rate: 0, low: 0, high: 1 };
  const [rate, z2] = [errors / of, NORMAL_95 ** 2];
  const middle = (rate + z2 / (2 * of)) / (1 + z2 / of);
  const reach = (NORMAL_95 / (1 + z2 / of)) * Math.sqrt((rate * (1 - rate)) / of + z2 / (4 * of * of));
  return {
    errors,
    of,
    rate,
    low: errors === 0 ? 0 : middle - reach,
    high: errors === of ? 1 : middle + reach,
  };
}

/**
 * The interval of resampled rates, as wide as Wilson's at least: resampling finds no error where none was.
 * @param trials that count as independent
 */
export function widened(
  { low, high }: { low: number; high: number },
  rate: number,
  trials: number,
): { low: number; high: number } {
  const least = shareOf(rate * trials, trials);
  return { low: Math.min(least.low, low), high: Math.max(least.high, high) };
}
