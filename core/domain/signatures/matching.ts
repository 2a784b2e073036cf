import { createHash } from 'node:crypto';
import type {
  SignatureFault,
  SignatureMatchRequest,
  SignatureMatchResponse,
} from '../../contracts/signatures.ts';
import type { Actor } from '../ports/auditContext.ts';
import type { Company } from '../ports/companies.ts';
import type { Clock } from '../ports/machine.ts';
import type {
  NewSignatureComparison,
  OfEither,
  SignatureComparison,
  SignatureComparisons,
  SignaturePort,
} from '../ports/signatures.ts';
import { parseSignatureImage, signatureMatchBody } from './requests.ts';

interface MatchingPorts {
  signatures: SignaturePort;
  comparisons: SignatureComparisons;
  clock: Clock;
}

type Compared = Exclude<SignatureComparison, { kind: 'refused' }>;

type MatchingOutcome =
  | {
      kind: 'matched';
      body: SignatureMatchResponse;
      /** What was kept, and what the matcher found besides. */
      record: NewSignatureComparison & { id: number };
      comparison: Compared;
    }
  /** What is wrong with either image; nothing was compared and nothing is kept. */
  | { kind: 'refused'; faults: OfEither<SignatureFault> };

/**
 * Compares the two images of a request and keeps a record of it before anybody gets the answer.
 * @param credential who asks
 * @param options `pictures`: draw what the matcher saw, for a person
 */
export async function matchSignatures(
  ports: MatchingPorts,
  company: Company,
  credential: Actor,
  request: SignatureMatchRequest,
  options: { pictures: boolean } = { pictures: false },
): Promise<MatchingOutcome> {
  const image1 = parseSignatureImage(request.image1);
  const image2 = parseSignatureImage(request.image2);
  if (image1.kind === 'fault' || image2.kind === 'fault')
    return {
      kind: 'refused',
      faults: {
        ...(image1.kind === 'fault' && { image1: image1.fault }),
        ...(image2.kind === 'fault' && { image2: image2.fault }),
      },
    };
  const comparison = await ports.signatures.compare(image1.bytes, image2.bytes, options);
  if (comparison.kind === 'refused') return comparison;
  const thresholds = company.settings.signatures;
  const body = signatureMatchBody(comparison, thresholds);
  const record: NewSignatureComparison = {
    templateId: request.template_id,
    verificationId: request.verification_id,
    credential,
    at: ports.clock.now(),
    similarity: comparison.kind === 'compared' ? comparison.similarity : null,
    verdict: body.result.verdict,
    reasons: comparison.kind === 'inconclusive' ? comparison.reasons : {},
    thresholds,
    modelVersion: comparison.modelVersion,
    sha256: { image1: sha256Of(image1.bytes), image2: sha256Of(image2.bytes) },
  };
  const id = await ports.comparisons.record(company.id, record);
  return { kind: 'matched', body, record: { ...record, id }, comparison };
}

/** Lowercase hex. */
export function sha256Of(content: Uint8Array): string {
  return createHash('sha256').update(content).digest('hex');
}
