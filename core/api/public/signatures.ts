import type { FastifyInstance } from 'fastify';
import {
  SIGNATURE_LIMITS,
  signatureMatchRequest,
  signatureMatchResponse,
} from '../../contracts/signatures.ts';
import { matchKnownSignatures } from '../../domain/signatures/knownMatching.ts';
import { matchSignatures } from '../../domain/signatures/matching.ts';
import { signatureSetRequest, signatureSetResponse } from '../../contracts/signatureSets.ts';
import {
  knownMatchBody,
  knownSetOf,
  knownSetProblems,
  SET_BODY_LIMIT,
  unreadKnownSetProblems,
} from '../http/knownSignatures.ts';
import { signatureMatchBody, signatureProblems } from '../http/comparisonBodies.ts';
import { invalidFields } from '../http/errors.ts';
import { takeJson } from '../http/fieldForm.ts';
import { servePost } from '../http/program.ts';
import { signaturePairProblems, signaturesOf } from '../http/sentImage.ts';
import type { PublicPorts } from '../ports.ts';

/** Two images of the largest size, four bytes for three, and room to say a little too large of which. */
const BODY_LIMIT = 3 * SIGNATURE_LIMITS.bytes;
const COMPARISON = {
  config: { access: 'signatures' as const, bearerOnly: true },
  tags: ['Signatures'],
};
const ANSWERED = 'The images were compared, or could not be (INCONCLUSIVE).';

/** Signature matching. Accepts bearer tokens only. */
export async function signatureRoutes(app: FastifyInstance, ports: PublicPorts): Promise<void> {
  await app.register((scope, _options, done) => {
    takeJson(scope, () => BODY_LIMIT);
    servePost(scope, ports.companies, {
      ...COMPARISON,
      url: '/api/v1/verification/signature/match',
      operationId: 'matchSignatures',
      summary: 'Compare two signature images',
      description:
        'Says how similar they are, never whether one is genuine. Each comparison is kept as a record, without the images.',
      body: signatureMatchRequest,
      answer: signatureMatchResponse.describe(ANSWERED),
      faultsOf: signaturePairProblems,
      handle: async ({ company, caller, body }) => {
        const outcome = await matchSignatures(ports, company, caller.credential, signaturesOf(body));
        if (outcome.kind === 'matched') return signatureMatchBody(outcome.record);
        throw invalidFields(signatureProblems(outcome.faults));
      },
    });
    done();
  });
  await app.register((scope, _options, done) => {
    takeJson(scope, () => SET_BODY_LIMIT);
    servePost(scope, ports.companies, {
      ...COMPARISON,
      url: '/api/v1/verification/signature/compare',
      operationId: 'compareKnownSignatures',
      summary: 'Compare a questioned signature with several known ones',
      description:
        'Says how much more probable the likeness is if the writer of the known signatures wrote the questioned one than if another person imitated them, and than if another person signed without a model. It is not the probability that a signature is genuine. Each comparison is kept as a record, without the images.',
      body: signatureSetRequest,
      answer: signatureSetResponse.describe(ANSWERED),
      faultsOf: unreadKnownSetProblems,
      handle: async ({ company, caller, body }) => {
        const outcome = await matchKnownSignatures(ports, company, caller.credential, knownSetOf(body));
        if (outcome.kind === 'matched') return knownMatchBody(outcome.record);
        throw invalidFields(knownSetProblems(outcome.faults));
      },
    });
    done();
  });
}
