/** The answer of a comparison with several known signatures, as the terminal prints it. */
import { CERTAINTY, ratioText } from '../../contracts/certainty.ts';
import {
  KNOWN_ALTERNATIVES,
  KNOWN_WARNING_TEXT,
  OVERSTATES_TEXT,
  overstatesSupport,
  type KnownAlternative,
} from '../../contracts/knownSignatures.ts';
import type { SignatureSetResponse } from '../../contracts/signatureSets.ts';
import {
  MEASURED_SIGNATURE_BANDS,
  MEASURED_SIGNATURE_RATES,
  MEASURED_SIGNATURE_WRITERS,
  type MeasuredShare,
} from '../../contracts/signatures.ts';

// How often the matcher errs, and on how many writers that was measured, as the terminal prints it.

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
function knownRateLines(validity: SignatureSetResponse['result']['validity']): string[] {
  const errors = ({ eer, from, to }: (typeof validity)[number]['imitation']) =>
    measured({ share: eer, from, to });
  return validity.map(
    ({ medium, writers, script, known, imitation, stranger }) =>
      `Errors at one threshold on ${writers} writers ${medium === 'paper' ? `on paper, ${script} script` : 'across media'}, ${known} known: ${errors(imitation)} against imitation, ${errors(stranger)} against another writer.`,
  );
}

type Findings = SignatureSetResponse['result'];

const ALTERNATIVES: Record<KnownAlternative, string> = {
  imitation: 'another person imitated them',
  stranger: 'another person signed without a model',
};
const SIDES = {
  known_writer: ' for the writer of the known signatures',
  alternative: ' for the alternative',
  neither: ' either way',
};

/**
 * The findings in sentences.
 * @param names of the known signatures, in the order of the request
 */
export function knownSignatureLines(
  { message, result }: SignatureSetResponse,
  names: readonly string[],
): string[] {
  const { verdict_display: verdict, similarity, nearest, farthest, warnings } = result;
  const named = (at: { index: number; similarity: number }) =>
    `${nameAt(names, at.index)} (${at.similarity.toFixed(2)})`;
  return [
    `${verdict}, similarity ${similarity.toFixed(2)}. ${message}`,
    ...ratioLines(result),
    ...questionedLines(result),
    ...(nearest === null || farthest === null
      ? []
      : [`Nearest: ${named(nearest)}. Farthest: ${named(farthest)}.`]),
    ...agreementLines(result, names),
    ...warnings.map((warning) => KNOWN_WARNING_TEXT[warning]),
    ...knownRateLines(result.validity),
    'Disguise, age and illness of a writer are in no value. This is not the probability that the signature is genuine.',
  ];
}

/** One row for each known signature; none if an image could not be compared. @param names as in {@link knownSignatureLines} */
export function knownSignatureRows({ result }: SignatureSetResponse, names: readonly string[]) {
  return result.per_known.map(({ similarity, to_others: toOthers, complexity }, index) => ({
    known: nameAt(names, index),
    similarity: similarity.toFixed(2),
    toOtherKnown: toOthers?.toFixed(2) ?? '-',
    complexity: complexity.toLowerCase(),
  }));
}

const supportedText = ({ lowest, highest }: { lowest: number; highest: number }) =>
  `the validation supports ${ratioText(lowest)} to ${ratioText(highest)}`;

const boundedText = (log10Lr: number, bounds: { lowest: number; highest: number }) =>
  `${ratioText(log10Lr)} (${supportedText(bounds)})`;

function ratioLines({ log10_lr: ratios, log10_lr_bounds: bounds, support }: Findings): string[] {
  if (ratios === null || bounds === null || support === null) return [];
  const lines = KNOWN_ALTERNATIVES.map((alternative) => {
    const { favours, strength } = support[alternative];
    const ratio = `likelihood ratio ${ratioText(ratios[alternative])}; ${supportedText(bounds[alternative])}`;
    return `If ${ALTERNATIVES[alternative]}: ${CERTAINTY.en.strengths[strength]}${SIDES[favours]} (${ratio}).`;
  });
  const overstates = KNOWN_ALTERNATIVES.some((alternative) => overstatesSupport(ratios[alternative]));
  return overstates ? [...lines, OVERSTATES_TEXT] : lines;
}

/** The rank of the questioned signature among the known ones, and how hard it is to imitate. */
function questionedLines({ typicality, complexity }: Findings): string[] {
  return [
    ...(typicality === null
      ? []
      : [
          `The questioned signature is farther from the known ones than ${typicality.closer} of ${typicality.of} are from one another.`,
        ]),
    ...(complexity === null ? [] : [`Complexity of the questioned signature: ${complexity.toLowerCase()}.`]),
  ];
}

/** The known signature that differs, with the values without it, and the two groups. */
function agreementLines({ known }: Findings, names: readonly string[]): string[] {
  if (known === null) return [];
  const { flagged, without_flagged: without, without_flagged_bounds: bounds, groups } = known;
  const list = (indices: readonly number[]) => indices.map((index) => nameAt(names, index)).join(', ');
  return [
    ...(flagged.length === 0 ? [] : [`Differs from the other known signatures: ${list(flagged)}`]),
    ...(without === null || bounds === null
      ? []
      : [
          `Without it, the likelihood ratio is ${boundedText(without.imitation, bounds.imitation)} against imitation and ${boundedText(without.stranger, bounds.stranger)} against another writer.`,
        ]),
    ...(groups ?? []).map((group, index) => `Group ${index + 1}: ${list(group)}`),
  ];
}

const nameAt = (names: readonly string[], index: number) => names[index] ?? `known signature ${index + 1}`;
