/** The answers of comparing two images, of signatures or of faces, in their public shapes. */
import { FAILURES } from '../../contracts/errors/failures.ts';
import type { FieldProblems } from '../../contracts/errors/problem.ts';
import { FACE_VERDICT_TEXT, type FaceCompareResponse } from '../../contracts/faceComparisons.ts';
import {
  SIGNATURE_FAULT_PROBLEMS,
  SIGNATURE_REASON_TEXT,
  VERDICT_ROWS,
  type SignatureFault,
  type SignatureMatchResponse,
  type Verdict,
} from '../../contracts/signatures.ts';
import type { NewSignatureComparison, OfEither } from '../../domain/ports/signatures.ts';
import type { FaceComparison } from '../../domain/search/faceComparison.ts';

const IMAGES = ['image1', 'image2'] as const;

/** The body of a comparison of two signatures. An inconclusive one names each image and what is wrong with it. */
export function signatureMatchBody({
  verdict,
  similarity,
  reasons,
}: Pick<NewSignatureComparison, 'verdict' | 'similarity' | 'reasons'>): SignatureMatchResponse {
  const sentences = reasonSentences(reasons, (reason) => SIGNATURE_REASON_TEXT[reason]);
  return comparisonBody(verdict, similarity, [VERDICT_ROWS[verdict].message, ...sentences].join(' '));
}

/** The body of a comparison of two faces. */
export function faceCompareBody(comparison: FaceComparison): FaceCompareResponse {
  const { verdict, similarity, reasons, band, certainty } = comparison;
  const sentences = reasonSentences(reasons, (reason) => FAILURES[reason].sentence);
  const body = comparisonBody(verdict, similarity, [FACE_VERDICT_TEXT[verdict], ...sentences].join(' '));
  return {
    ...body,
    result: {
      ...body.result,
      band: band === 'none' ? null : band,
      false_match_rate: certainty && Number(certainty.falseMatchRate.toPrecision(3)),
      likelihood_ratio: certainty?.likelihood ?? null,
    },
  };
}

/** The faults of the rejected images. */
export function signatureProblems(faults: OfEither<SignatureFault>): FieldProblems {
  const errors: FieldProblems = {};
  for (const key of IMAGES) {
    const fault = faults[key];
    if (fault) errors[key] = [SIGNATURE_FAULT_PROBLEMS[fault](key)];
  }
  return errors;
}

/** @param similarity 0 to 100; null: not compared, which the wire shows as 0 */
export function comparisonBody(
  verdict: Verdict,
  similarity: number | null,
  message: string,
): SignatureMatchResponse {
  const row = VERDICT_ROWS[verdict];
  return {
    status: true,
    message,
    result: {
      similarity: similarity ?? 0,
      verdict,
      verification_status: row.verificationStatus,
      verification_status_code: row.verificationStatusCode,
      verdict_display: row.display,
    },
    match_status: row.matchStatus,
    verification_status: row.verificationStatus,
    verification_status_code: row.verificationStatusCode,
    verdict: row.display,
  };
}

function reasonSentences<Reason extends string>(
  reasons: OfEither<Reason>,
  sentenceOf: (reason: Reason) => string,
): string[] {
  return IMAGES.flatMap((key) => {
    const reason = reasons[key];
    return reason === undefined ? [] : [`${key}: ${sentenceOf(reason)}`];
  });
}
