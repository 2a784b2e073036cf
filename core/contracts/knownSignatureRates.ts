/** How often the comparison with several known signatures errs on real signatures that it had never seen. */
import type { KnownAlternative } from './knownSignatures.ts';
import type { MeasuredShare } from './signatures.ts';

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
  { of: 'imitation', known: 1, paper: measured(17.3, 10.7, 23.5), media: measured(32.2, 29.3, 35.3) },
  { of: 'imitation', known: 3, paper: measured(11.1, 6.4, 15.3), media: measured(20.1, 17.3, 24.5) },
  { of: 'imitation', known: 5, paper: measured(9.4, 5.4, 13.1), media: null },
  { of: 'imitation', known: 10, paper: measured(8.2, 4.4, 11.2), media: null },
  { of: 'stranger', known: 1, paper: measured(2.3, 0.7, 3.7), media: measured(4, 2.5, 5.6) },
  { of: 'stranger', known: 3, paper: measured(1, 0.3, 2.1), media: measured(0.9, 0.3, 1.9) },
  { of: 'stranger', known: 5, paper: measured(0.6, 0.1, 1.2), media: null },
  { of: 'stranger', known: 10, paper: measured(0.6, 0, 1.7), media: null },
];
