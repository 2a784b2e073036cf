/**
 * The meaning of a threshold for a company today: false alarms a week by its own use, and the share of enrolled people who are found
 * by the number of their photos. The dashboard and the terminal state it in the same sentences.
 */
import { z } from 'zod';
import type { CertaintyWords } from './certainty.ts';

/** Fewer searches than this say nothing: 3 errors in 30 may be 3 % or 26 %. */
export const LEAST_SEARCHES = 30;

/** The use that is counted: of so many weeks before now. */
export const USE_WEEKS = 4;

const share = z.object({
  photos: z.number().int(),
  share: z.number(),
  /** With `high`: the 95 % interval over resampled people. */
  low: z.number(),
  high: z.number(),
});
type Share = z.infer<typeof share>;

export const expectation = z.object({
  /** Weeks that are counted: {@link USE_WEEKS}, or fewer where the company is younger. */
  weeks: z.number(),
  searches: z.number().int(),
  /** Finished verifications by Trust Flow; flows without any are left out. */
  verifications: z.array(z.object({ flow: z.number().int(), number: z.number().int() })),
  /** The shares of people who are found, by falling false match rate; null: not measured with this pipeline. */
  found: z
    .object({
      people: z.number().int(),
      rows: z.array(z.object({ falseMatchRate: z.number(), found: z.array(share) })),
    })
    .nullable(),
});
export type Expectation = z.infer<typeof expectation>;

interface Expected {
  /** Uses in the weeks that are counted. */
  uses: number;
  kind: 'searches' | 'verifications';
  /** False alarms to expect for one unknown person. */
  alarms: number;
  /** False match rate of one comparison, of the strictest threshold. */
  rate: number;
}

/** Fewer weeks say nothing about one. */
const LEAST_WEEKS = 1;

/**
 * The sentences: false alarms a week, and who is found.
 * @param count writes a number
 */
export function expectationSentences(
  words: CertaintyWords['expected'],
  { weeks, found }: Pick<Expectation, 'weeks' | 'found'>,
  { uses, kind, alarms, rate }: Expected,
  count: (value: number) => string,
): string[] {
  const of = { uses: count(uses), weeks: count(Math.round(10 * weeks) / 10) };
  const weekly = (alarms * uses) / weeks;
  const use =
    uses < LEAST_SEARCHES || weeks < LEAST_WEEKS
      ? words.tooFew[kind](of.uses)
      : weekly < 1
        ? words.rarely[kind](count(Math.round(1 / Math.max(weekly, 1e-9))), of.uses, of.weeks)
        : words.weekly[kind](count(Number(weekly.toPrecision(2))), of.uses, of.weeks);
  const shares = found === null ? null : foundAt(found.rows, rate);
  if (found === null || shares === null) return [use, words.notMeasured];
  const percent = (value: number) => count(Math.round(1000 * value) / 10);
  const each = shares
    .filter(({ photos }) => photos === 1 || photos === shares.at(-1)?.photos)
    .map(({ photos, share: of100, low, high }) =>
      words.found(photos, percent(of100), percent(low), percent(high)),
    );
  return [use, words.finds(each.join(words.and)), words.measuredOn(count(found.people))];
}

/** The shares at a rate, between two rows linear in log rate; null: the threshold is stricter than those that were measured. */
function foundAt(rows: NonNullable<Expectation['found']>['rows'], rate: number): Share[] | null {
  const next = rows.findIndex(({ falseMatchRate }) => falseMatchRate <= rate * (1 + 1e-9));
  const after = rows[next];
  if (after === undefined) return null;
  const before = rows[next - 1] ?? after;
  const span = Math.log(after.falseMatchRate / before.falseMatchRate);
  const part = span === 0 ? 1 : Math.log(rate / before.falseMatchRate) / span;
  const between = (from: number, to: number) => from + part * (to - from);
  return after.found.map((to, i) => {
    const from = before.found[i] ?? to;
    return {
      photos: to.photos,
      share: between(from.share, to.share),
      low: between(from.low, to.low),
      high: between(from.high, to.high),
    };
  });
}
