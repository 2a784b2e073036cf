/** A questioned signature and several known ones: the images of a request, and the public answer. */
import type { FieldProblems } from '../../contracts/errors/problem.ts';
import { problem } from '../../contracts/errors/problem.ts';
import { KNOWN_SIGNATURE_LIMITS, type KnownAlternative } from '../../contracts/knownSignatures.ts';
import type { SignatureSetRequest, SignatureSetResponse } from '../../contracts/signatureSets.ts';
import {
  SIGNATURE_FAULT_PROBLEMS,
  SIGNATURE_REASON_TEXT,
  VERDICT_ROWS,
  type SignatureFault,
} from '../../contracts/signatures.ts';
import type {
  KnownSet,
  LikelihoodRatio,
  LikelihoodRatios,
  OfEach,
} from '../../domain/ports/knownSignatures.ts';
import type { KnownMatch } from '../../domain/signatures/knownMatching.ts';
import { comparisonBody } from './comparisonBodies.ts';
import { invalidFields } from './errors.ts';
import { readSignatureImage } from './sentImage.ts';

/** @throws {ApiError} 422 on every image at fault, and where all of them together are too large */
export function knownSetOf(sent: SignatureSetRequest): KnownSet {
  const { bytes, bytesTogether } = KNOWN_SIGNATURE_LIMITS;
  const questioned = readSignatureImage(sent.questioned, bytes);
  const known = sent.known.map((uri) => readSignatureImage(uri, bytes));
  const faults: OfEach<SignatureFault> = {
    ...(questioned.kind === 'fault' && { questioned: questioned.fault }),
    known: new Map(known.flatMap((image, i) => (image.kind === 'fault' ? [[i, image.fault] as const] : []))),
  };
  const problems = knownSetProblems(faults);
  if (Object.keys(problems).length > 0) throw invalidFields(problems);
  const images = [questioned, ...known].flatMap((image) => (image.kind === 'image' ? [image.bytes] : []));
  if (images.reduce((sum, image) => sum + image.length, 0) > bytesTogether)
    throw invalidFields({
      known: [problem('SIGNATURE_SET_TOO_MANY_BYTES', { kilobytes: bytesTogether / 1024 })],
    });
  const [first, ...others] = images;
  return { questioned: first!, known: others, acrossMedia: sent.across_media };
}

/** What is wrong with every image at fault, by field: `questioned`, `known.3`. */
export function knownSetProblems(faults: OfEach<SignatureFault>): FieldProblems {
  return Object.fromEntries(
    fieldsOf(faults).map(([field, fault]) => [
      field,
      [SIGNATURE_FAULT_PROBLEMS[fault](field, KNOWN_SIGNATURE_LIMITS.bytes)],
    ]),
  );
}

function fieldsOf<T>({ questioned, known }: OfEach<T>): [field: string, of: T][] {
  return [
    ...(questioned === undefined ? [] : [['questioned', questioned] as [string, T]]),
    ...[...known].map(([i, of]): [string, T] => [`known.${i}`, of]),
  ];
}

/** The public answer; its similarities follow the company's scale. */
export function knownMatchBody({ comparison, similarity, verdict, scale }: KnownMatch): SignatureSetResponse {
  const { message } = VERDICT_ROWS[verdict];
  const { modelVersion } = comparison;
  if (comparison.kind === 'inconclusive') {
    const sentences = fieldsOf(comparison.reasons).map(
      ([field, reason]) => `${field}: ${SIGNATURE_REASON_TEXT[reason]}`,
    );
    const body = comparisonBody(verdict, similarity, [message, ...sentences].join(' '));
    return { ...body, result: { ...body.result, ...NOTHING, model_version: modelVersion } };
  }
  const { ratios, agreement, known, nearest, farthest, typicality, complexity, warnings } = comparison;
  const body = comparisonBody(verdict, similarity, message);
  const at = (index: number) => ({ index, similarity: scale(known[index]!.similarity) });
  const scaled = (value: number | null) => (value === null ? null : scale(value));
  return {
    ...body,
    result: {
      ...body.result,
      log10_lr: ratios && each(ratios, ({ log10 }) => log10),
      log10_lr_bounds: ratios && each(ratios, ({ bounds }) => bounds),
      support: ratios && each(ratios, ({ support }) => support),
      typicality,
      known: {
        count: known.length,
        consistency: scaled(agreement.similarity),
        flagged: agreement.differing === null ? [] : [agreement.differing.index],
        without_flagged: agreement.differing && each(agreement.differing.ratiosWithout, ({ log10 }) => log10),
        groups: agreement.groups?.map((group) => [...group]) ?? null,
      },
      nearest: at(nearest),
      farthest: at(farthest),
      per_known: known.map((specimen) => ({
        similarity: scale(specimen.similarity),
        to_others: scaled(specimen.toOthers),
        complexity: specimen.complexity,
      })),
      complexity,
      warnings: [...warnings],
      model_version: modelVersion,
    },
  };
}

/** The findings of a comparison in which an image could not be compared. */
const NOTHING = {
  log10_lr: null,
  log10_lr_bounds: null,
  support: null,
  typicality: null,
  known: null,
  nearest: null,
  farthest: null,
  per_known: [],
  complexity: null,
  warnings: [],
};

function each<T>(ratios: LikelihoodRatios, of: (ratio: LikelihoodRatio) => T): Record<KnownAlternative, T> {
  return { imitation: of(ratios.imitation), stranger: of(ratios.stranger) };
}
