/** How often the matcher errs, and on how many writers that was measured, as the terminal prints it. */
import { KNOWN_SET_RATES, type KnownSetRate } from '../../contracts/knownSignatureRates.ts';
import { KNOWN_ALTERNATIVES } from '../../contracts/knownSignatures.ts';
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

/** The rates of comparisons with so many known signatures, or with the nearest smaller number that was measured. */
export function knownRateLines(count: number): string[] {
  return (['paper', 'media'] as const).map((media) => {
    const rates = KNOWN_ALTERNATIVES.map((of) =>
      KNOWN_SET_RATES.findLast((rate) => rate.of === of && rate.known <= count && rate[media] !== null)!,
    );
    const [imitation, stranger] = rates.map((rate: KnownSetRate) => measured(rate[media]!));
    return `Errors at one threshold on ${writersOf(media)}, ${rates[0]!.known} known: ${imitation} against imitation, ${stranger} against another writer.`;
  });
}
