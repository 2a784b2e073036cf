/** The answer of a comparison with several known signatures, as the terminal prints it. */
import {
  KNOWN_ALTERNATIVES,
  KNOWN_WARNING_TEXT,
  SUPPORT_TEXT,
  type KnownAlternative,
} from '../../contracts/knownSignatures.ts';
import type { SignatureSetResponse } from '../../contracts/signatureSets.ts';

type Findings = SignatureSetResponse['result'];

const ALTERNATIVES: Record<KnownAlternative, string> = {
  imitation: 'another person imitated them',
  stranger: 'another person signed without a model',
};
const SIDES = {
  known_writer: ' for the writer of the known signatures',
  alternative: ' for the alternative',
  neither: '',
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
    ...(nearest === null || farthest === null
      ? []
      : [`Nearest: ${named(nearest)}. Farthest: ${named(farthest)}.`]),
    ...agreementLines(result, names),
    ...warnings.map((warning) => KNOWN_WARNING_TEXT[warning]),
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

function ratioLines({ log10_lr: ratios, support }: Findings): string[] {
  if (ratios === null || support === null) return [];
  return KNOWN_ALTERNATIVES.map((alternative) => {
    const { favours, strength } = support[alternative];
    const ratio = ratios[alternative].toFixed(2);
    return `If ${ALTERNATIVES[alternative]}: ${SUPPORT_TEXT[strength]}${SIDES[favours]} (log10 of the likelihood ratio ${ratio}).`;
  });
}

/** The known signature that differs, with the values without it, and the two groups. */
function agreementLines({ known }: Findings, names: readonly string[]): string[] {
  if (known === null) return [];
  const { flagged, without_flagged: without, groups } = known;
  const list = (indices: readonly number[]) => indices.map((index) => nameAt(names, index)).join(', ');
  return [
    ...(flagged.length === 0 ? [] : [`Differs from the other known signatures: ${list(flagged)}`]),
    ...(without === null
      ? []
      : [
          `Without it, log10 of the likelihood ratio is ${without.imitation.toFixed(2)} against imitation and ${without.stranger.toFixed(2)} against another writer.`,
        ]),
    ...(groups ?? []).map((group, index) => `Group ${index + 1}: ${list(group)}`),
  ];
}

const nameAt = (names: readonly string[], index: number) => names[index] ?? `known signature ${index + 1}`;
