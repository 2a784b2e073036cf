import type {
  SignatureFault,
  SignatureMatchRequest,
  SignatureMatchResponse,
  SignatureReason,
} from '../contracts/signatures.ts';
import type { Actor } from './actor.ts';
import type { Clock, Company, OfEither, SignatureComparisons, SignaturePort } from './ports.ts';
import { parseSignatureImage, signatureMatchBody } from './signatures.ts';

interface MatchingPorts {
  signatures: SignaturePort;
  comparisons: SignatureComparisons;
  clock: Clock;
}

type MatchingOutcome =
  | { kind: 'matched'; body: SignatureMatchResponse }
  /** What is wrong with either image; nothing was compared and nothing is kept. */
  | { kind: 'refused'; faults: OfEither<SignatureFault> };

/**
 * Compares the two images of a request and keeps a record of it before anybody gets the answer.
 * @param credential who asks, e.g. `token:7`
 */
export async function matchSignatures(
  ports: MatchingPorts,
  company: Company,
  credential: Actor,
  request: SignatureMatchRequest,
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
  const comparison = await ports.signatures.compare(image1.bytes, image2.bytes, { pictures: false });
  if (comparison.kind === 'refused') return comparison;
  const thresholds = company.settings.signatures;
  const body = signatureMatchBody(comparison, thresholds);
  const reasons: OfEither<SignatureReason> = comparison.kind === 'inconclusive' ? comparison.reasons : {};
  await ports.comparisons.record(company.id, {
    templateId: request.template_id,
    verificationId: request.verification_id,
    credential,
    at: ports.clock.now(),
    similarity: comparison.kind === 'compared' ? comparison.similarity : null,
    verdict: body.result.verdict,
    reasons,
    thresholds,
    modelVersion: comparison.modelVersion,
  });
  return { kind: 'matched', body };
}
