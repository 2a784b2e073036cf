/** The rules of signature matching without I/O: what an image may be, and what a similarity means (contract §6). */
import {
  SIGNATURE_FAULT_TEXT,
  SIGNATURE_LIMITS,
  SIGNATURE_REASON_TEXT,
  VERDICT_ROWS,
} from '../contracts/signatures.ts';
import { MESSAGES } from '../contracts/messages.ts';
import type {
  SignatureErrorBody,
  SignatureFault,
  SignatureMatchResponse,
  SignatureReason,
  Verdict,
} from '../contracts/signatures.ts';
import type { SignatureSettings } from '../contracts/settings.ts';
import { sniffImageFormat } from './imageFormat.ts';
import type { OfEither, SignatureComparison } from './ports.ts';

type ParsedImage = { kind: 'image'; bytes: Uint8Array } | { kind: 'fault'; fault: SignatureFault };

const DATA_URI_HEAD = /^data:([a-z0-9.+-]+\/[a-z0-9.+-]+);base64,/i;
const LONGEST_HEAD = 128;
const BASE64 = /^[A-Za-z0-9+/]*={0,2}$/;

/** Reads one field of the request: decodes the data URI within the limit of bytes and sniffs its content. */
export function parseSignatureImage(uri: string): ParsedImage {
  const fault = (code: SignatureFault): ParsedImage => ({ kind: 'fault', fault: code });
  const head = DATA_URI_HEAD.exec(uri.slice(0, LONGEST_HEAD));
  if (!head) return fault('NOT_A_DATA_URI');
  if (!/^image\/(png|jpeg)$/i.test(head[1] ?? '')) return fault('WRONG_MEDIA_TYPE');
  const payload = uri.slice(head[0].length);
  if (payload.length === 0) return fault('EMPTY');
  if (decodedLength(payload) > SIGNATURE_LIMITS.bytes) return fault('TOO_MANY_BYTES');
  if (payload.length % 4 !== 0 || !BASE64.test(payload)) return fault('NOT_BASE64');
  const bytes = new Uint8Array(Buffer.from(payload, 'base64'));
  if (!sniffImageFormat(bytes)) return fault('NOT_AN_IMAGE');
  return { kind: 'image', bytes };
}

function decodedLength(base64: string): number {
  const padding = base64.endsWith('==') ? 2 : base64.endsWith('=') ? 1 : 0;
  return Math.floor(base64.length * 0.75) - padding;
}

/** Where a similarity falls between the company's two thresholds; a threshold belongs to the band above it. */
export function verdictOf(similarity: number, thresholds: SignatureSettings): Verdict {
  if (similarity >= thresholds.match) return 'MATCH';
  return similarity >= thresholds.possibleMatch ? 'POSSIBLE_MATCH' : 'NO_MATCH';
}

/** The 200 body of a comparison: every field of service.md 2.7. */
export function signatureMatchBody(
  comparison: Exclude<SignatureComparison, { kind: 'refused' }>,
  thresholds: SignatureSettings,
): SignatureMatchResponse {
  const compared = comparison.kind === 'compared';
  const verdict = compared ? verdictOf(comparison.similarity, thresholds) : 'INCONCLUSIVE';
  const row = VERDICT_ROWS[verdict];
  return {
    status: true,
    message: compared ? row.message : `${row.message} ${reasonSentence(comparison.reasons)}`,
    result: {
      similarity: compared ? comparison.similarity : 0,
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

/** The 422 body that names every image at fault. */
export function signatureFaultBody(faults: OfEither<SignatureFault>): SignatureErrorBody {
  const errors: Record<string, string[]> = {};
  for (const key of KEYS) {
    const fault = faults[key];
    if (fault) errors[key] = [SIGNATURE_FAULT_TEXT[fault](key)];
  }
  return { status: false, message: MESSAGES.validationError, errors };
}
