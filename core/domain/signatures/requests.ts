/** The rules of signature matching without I/O: what an image may be, and what a similarity means. */
import type { FieldProblems } from '../../contracts/errors/problem.ts';
import {
  SIGNATURE_FAULT_PROBLEMS,
  SIGNATURE_LIMITS,
  SIGNATURE_REASON_TEXT,
  VERDICT_ROWS,
} from '../../contracts/signatures.ts';
import type {
  SignatureFault,
  SignatureMatchResponse,
  SignatureReason,
  Verdict,
} from '../../contracts/signatures.ts';
import type { SignatureSettings } from '../../contracts/settings.ts';
import { readDataUri } from '../common/dataUri.ts';
import { sniffImageFormat } from '../common/imageFormat.ts';
import type { OfEither, SignatureComparison } from '../ports/signatures.ts';

type ParsedImage = { kind: 'image'; bytes: Uint8Array } | { kind: 'fault'; fault: SignatureFault };

/** `image/jpg` is no media type, and what many callers write; the content decides. */
const IMAGE_TYPE = /^image\/(png|jpe?g)$/i;

/** Reads one field of the request: decodes the data URI within the limit of bytes and sniffs its content. */
export function parseSignatureImage(uri: string): ParsedImage {
  const read = readDataUri(uri, { bytes: SIGNATURE_LIMITS.bytes, mediaType: IMAGE_TYPE });
  if (read.kind === 'fault') return read;
  if (!sniffImageFormat(read.bytes)) return { kind: 'fault', fault: 'NOT_AN_IMAGE' };
  return { kind: 'image', bytes: read.bytes };
}

/** Where a similarity falls between the company's two thresholds; a threshold belongs to the band above it. */
export function verdictOf(similarity: number, thresholds: SignatureSettings): Verdict {
  if (similarity >= thresholds.match) return 'MATCH';
  return similarity >= thresholds.possibleMatch ? 'POSSIBLE_MATCH' : 'NO_MATCH';
}

/** The 200 body of a comparison, with every field of the public interface. */
export function signatureMatchBody(
  comparison: Exclude<SignatureComparison, { kind: 'refused' }>,
  thresholds: SignatureSettings,
): SignatureMatchResponse {
  const compared = comparison.kind === 'compared';
  const verdict = compared ? verdictOf(comparison.similarity, thresholds) : 'INCONCLUSIVE';
  const { message } = VERDICT_ROWS[verdict];
  return comparisonAnswer({
    verdict,
    similarity: compared ? comparison.similarity : 0,
    message: compared ? message : `${message} ${reasonSentence(comparison.reasons)}`,
  });
}

/** The answer of a comparison of two images, of signatures or of faces: the codes and labels of its verdict. */
export function comparisonAnswer(outcome: {
  verdict: Verdict;
  /** 0 to 100. */
  similarity: number;
  message: string;
}): SignatureMatchResponse {
  const { verdict, similarity, message } = outcome;
  const row = VERDICT_ROWS[verdict];
  return {
    status: true,
    message,
    result: {
      similarity,
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

const KEYS = ['image1', 'image2'] as const;

function reasonSentence(reasons: OfEither<SignatureReason>): string {
  const sentences: string[] = [];
  for (const key of KEYS) {
    const reason = reasons[key];
    if (reason) sentences.push(`${key}: ${SIGNATURE_REASON_TEXT[reason]}`);
  }
  return sentences.join(' ');
}

/** What is wrong with every image at fault. */
export function signatureProblems(faults: OfEither<SignatureFault>): FieldProblems {
  const errors: FieldProblems = {};
  for (const key of KEYS) {
    const fault = faults[key];
    if (fault) errors[key] = [SIGNATURE_FAULT_PROBLEMS[fault](key)];
  }
  return errors;
}
