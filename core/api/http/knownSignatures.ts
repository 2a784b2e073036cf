/** A questioned signature and several known ones: the images of a request, and the public answer. */
import { type FieldProblems, problem } from '../../contracts/errors/problem.ts';
import {
  validityOf,
  KNOWN_SIGNATURE_LIMITS,
  type KnownAlternative,
} from '../../contracts/knownSignatures.ts';
import type { SignatureSetRequest, SignatureSetResponse } from '../../contracts/signatureSets.ts';
import {
  SIGNATURE_FAULT_PROBLEMS,
  SIGNATURE_REASON_TEXT,
  VERDICT_ROWS,
  type MeasuredShare,
  type SignatureFault,
} from '../../contracts/signatures.ts';
import type { LikelihoodRatio, LikelihoodRatios, OfEach } from '../../domain/ports/knownSignatures.ts';
import type { NewKnownSetComparison } from '../../domain/ports/signatures.ts';
import type { ReferencedKnownSet } from '../../domain/signatures/knownMatching.ts';
import { comparisonBody } from './comparisonBodies.ts';
import { invalidFields, type FieldErrors, type UncheckedBody } from './errors.ts';
import { readSignatureImage, signatureFaultOf } from './sentImage.ts';

/** All images of a set, four bytes for three, and room to say a little too large of which. */
export const SET_BODY_LIMIT = 1.75 * KNOWN_SIGNATURE_LIMITS.bytesTogether;

/** @throws {ApiError} 422 on every image at fault, and where all of them together are too large */
export function knownSetOf(sent: SignatureSetRequest): ReferencedKnownSet {
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
  return {
    questioned: first!,
    known: others,
    acrossMedia: sent.across_media,
    templateId: sent.template_id,
    verificationId: sent.verification_id,
  };
}

/** The faults of the images of a body that breaks a rule, in the words of {@link knownSetOf}. */
export function unreadKnownSetProblems({ questioned, known }: UncheckedBody): FieldErrors {
  const faultOf = (sent: unknown) => signatureFaultOf(sent, KNOWN_SIGNATURE_LIMITS.bytes);
  const fault = faultOf(questioned);
  const sent: unknown[] = Array.isArray(known) ? known.slice(0, KNOWN_SIGNATURE_LIMITS.most) : [];
  const faults = sent.map(faultOf).flatMap((one, i) => (one === undefined ? [] : [[i, one] as const]));
  const problems = knownSetProblems({ ...(fault && { questioned: fault }), known: new Map(faults) });
  return new Map(Object.entries(problems));
}

/** The faults of the rejected images, by field: `questioned`, `known.3`. */
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
export function knownMatchBody({
  known: { calibrationId, findings, reasons },
  modelVersion,
  similarity,
  thresholds,
  verdict,
}: NewKnownSetComparison): SignatureSetResponse {
  const { message } = VERDICT_ROWS[verdict];
  const origin = {
    model_version: modelVersion,
    scale: {
      calibration_id: calibrationId,
      possible_match: thresholds.possibleMatch,
      match: thresholds.match,
    },
  };
  if (findings === null) {
    const of = {
      ...(reasons.questioned !== null && { questioned: reasons.questioned }),
      known: new Map(reasons.known.flatMap((reason, i) => (reason === null ? [] : [[i, reason] as const]))),
    };
    const sentences = fieldsOf(of).map(([field, reason]) => `${field}: ${SIGNATURE_REASON_TEXT[reason]}`);
    const body = comparisonBody(verdict, similarity, [message, ...sentences].join(' '));
    return { ...body, result: { ...body.result, ...NOTHING, ...origin } };
  }
  const { ratios, agreement, known, nearest, farthest, typicality, complexity, warnings } = findings;
  const body = comparisonBody(verdict, similarity, message);
  const at = (index: number) => ({ index, similarity: known[index]!.similarity });
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
        consistency: agreement.similarity,
        flagged: agreement.differing === null ? [] : [agreement.differing.index],
        without_flagged: agreement.differing && each(agreement.differing.ratiosWithout, ({ log10 }) => log10),
        without_flagged_bounds:
          agreement.differing && each(agreement.differing.ratiosWithout, ({ bounds }) => bounds),
        groups: agreement.groups,
      },
      nearest: at(nearest),
      farthest: at(farthest),
      per_known: known.map((specimen) => ({
        similarity: specimen.similarity,
        to_others: specimen.toOthers,
        complexity: specimen.complexity,
      })),
      complexity,
      validity: validityBody(known.length, modelVersion),
      warnings,
      ...origin,
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
  validity: [],
  warnings: [],
};

function validityBody(known: number, calibrationId: string): SignatureSetResponse['result']['validity'] {
  const rounded = (share: number) => Number(share.toFixed(4));
  const rate = ({ share, from, to }: MeasuredShare) => ({
    eer: rounded(share),
    from: rounded(from),
    to: rounded(to),
  });
  return validityOf(known).map(({ medium, imitation, stranger, ...counts }) => ({
    medium: medium === 'paper' ? 'paper' : 'across_media',
    script: 'Latin',
    calibration_id: calibrationId,
    ...counts,
    imitation: rate(imitation),
    stranger: rate(stranger),
  }));
}

function each<T>(ratios: LikelihoodRatios, of: (ratio: LikelihoodRatio) => T): Record<KnownAlternative, T> {
  return { imitation: of(ratios.imitation), stranger: of(ratios.stranger) };
}
