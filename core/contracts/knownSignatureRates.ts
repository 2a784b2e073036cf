/** How often the comparison with several known signatures errs on real signatures that it had never seen. */
import type { KnownAlternative } from './knownSignatures.ts';
import { MEASURED_SIGNATURE_WRITERS, type MeasuredShare } from './signatures.ts';

const measured = (percent: number, from: number, to: number): MeasuredShare => ({
  share: percent / 100,
  from: from / 100,
  to: to / 100,
});

/** Null: not measured, because the writers of that set have too few signatures. */
export interface KnownSetRate {
  of: KnownAlternative;
  /** How many signatures were known. */
  known: number;
  paper: MeasuredShare;
  media: MeasuredShare | null;
}

/** Equal error rates at one threshold for all writers, from docs/explanation/signatures.md (a test compares the two). */
export const KNOWN_SET_RATES: readonly KnownSetRate[] = [
  { of: 'imitation', known: 1, paper: measured(17.2, 10.5, 23.9), media: measured(32, 28.4, 34.5) },
  { of: 'imitation', known: 3, paper: measured(10.8, 6.3, 15.5), media: measured(19.1, 15.7, 23.2) },
  { of: 'imitation', known: 5, paper: measured(9.1, 4.8, 13.9), media: null },
  { of: 'imitation', known: 10, paper: measured(7.8, 4.2, 11.6), media: null },
  { of: 'stranger', known: 1, paper: measured(2.4, 0.7, 3.9), media: measured(3.5, 2.3, 4.7) },
  { of: 'stranger', known: 3, paper: measured(1, 0.2, 2), media: measured(1, 0.2, 1.4) },
  { of: 'stranger', known: 5, paper: measured(0.5, 0.1, 1), media: null },
  { of: 'stranger', known: 10, paper: measured(0.6, 0, 1.7), media: null },
];

/** The measurement that states how often a comparison errs, of one kind of media. */
export interface KnownSetValidity extends Record<KnownAlternative, MeasuredShare> {
  medium: keyof typeof MEASURED_SIGNATURE_WRITERS;
  writers: number;
  /** How many signatures were known in the measurement. */
  known: number;
}

/** Errors with so many known signatures, or with the nearest smaller number that was measured: on paper, then across media. */
export function validityOf(count: number): KnownSetValidity[] {
  return (['paper', 'media'] as const).map((medium) => {
    const measuredOf = (of: KnownAlternative) =>
      KNOWN_SET_RATES.findLast((rate) => rate.of === of && rate.known <= count && rate[medium] !== null)!;
    const imitation = measuredOf('imitation');
    return {
      medium,
      writers: MEASURED_SIGNATURE_WRITERS[medium],
      known: imitation.known,
      imitation: imitation[medium]!,
      stranger: measuredOf('stranger')[medium]!,
    };
  });
}
