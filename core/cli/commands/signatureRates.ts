/** How often the matcher errs, and on how many writers that was measured, as the terminal prints it. */
import type { SignatureSetResponse } from '../../contracts/signatureSets.ts';
import {
  MEASURED_SIGNATURE_BANDS,
  MEASURED_SIGNATURE_RATES,
  MEASURED_SIGNATURE_WRITERS,
  type MeasuredShare,
} from '../../contracts/signatures.ts';

/** @param media as the rates name it */
const writersOf = (media: 'paper' | 'media') =>
  `${MEASURED_SIGNATURE_WRITERS[media]} writers ${media === 'paper' ? 'on paper, Latin script' : 'across media'}`;

const percent = (share: number) => String(Number((share * 100).toFixed(1)));
const measured = ({ share, from, to }: MeasuredShare) =>
  `${percent(share)}% (95%: ${percent(from)}–${percent(to)})`;

/** The rates of comparisons of two images, on the scale of the matcher. */
export function pairRateLines(): string[] {
  const { match, possibleMatch } = MEASURED_SIGNATURE_BANDS;
  return (['paper', 'media'] as const).map((media) => {
    const { match: upper, possibleMatch: lower } = MEASURED_SIGNATURE_RATES[media];
    return `Measured on ${writersOf(media)}: ${measured(upper.differentWriters)} of different writers and ${measured(upper.skilledForgeries)} of imitations reach ${match}; ${measured(lower.genuine)} of one writer stay below ${possibleMatch}.`;
  });
}

/** The rates that the answer of a comparison with known signatures states. */
export function knownRateLines(validity: SignatureSetResponse['result']['validity']): string[] {
  const errors = ({ eer, from, to }: (typeof validity)[number]['imitation']) =>
    measured({ share: eer, from, to });
  return validity.map(
    ({ medium, writers, script, known, imitation, stranger }) =>
      `Errors at one threshold on ${writers} writers ${medium === 'paper' ? `on paper, ${script} script` : 'across media'}, ${known} known: ${errors(imitation)} against imitation, ${errors(stranger)} against another writer.`,
  );
}
