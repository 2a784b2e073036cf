import type { FastifyInstance } from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
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
import { callingCompany } from '../http/callingCompany.ts';
import { callerOf } from '../http/credentials.ts';
import { invalidFields, refuseInvalidBody } from '../http/errors.ts';
import { takeJson } from '../http/fieldForm.ts';
import { signaturePairProblems, signaturesOf } from '../http/sentImage.ts';
import type { PublicPorts } from '../ports.ts';

/** Two images of the largest size, four bytes for three, and room to say a little too large of which. */
const BODY_LIMIT = 3 * SIGNATURE_LIMITS.bytes;

/** Signature matching. Accepts bearer tokens only. */
export async function signatureRoutes(app: FastifyInstance, ports: PublicPorts): Promise<void> {
  await app.register((scope, _options, done) => {
    takeJson(scope, () => BODY_LIMIT);
    scope.withTypeProvider<ZodTypeProvider>().post(
      '/api/v1/verification/signature/match',
      {
        config: { access: 'signatures', bearerOnly: true },
        attachValidation: true,
        schema: {
          operationId: 'matchSignatures',
          summary: 'Compare two signature images',
          description:
            'Says how similar they are, never whether one is genuine. Each comparison is kept as a record, without the images.',
          tags: ['Signatures'],
          body: signatureMatchRequest,
          response: {
            200: signatureMatchResponse.describe('The images were compared, or could not be (INCONCLUSIVE).'),
          },
        },
      },
      async (request) => {
        refuseInvalidBody(request, signaturePairProblems);
        const caller = callerOf(request);
        const company = await callingCompany(ports.companies, caller);
        const outcome = await matchSignatures(ports, company, caller.credential, signaturesOf(request.body));
        if (outcome.kind === 'matched') return signatureMatchBody(outcome.record);
        throw invalidFields(signatureProblems(outcome.faults));
      },
    );
    done();
  });
  await app.register((scope, _options, done) => {
    takeJson(scope, () => SET_BODY_LIMIT);
    scope.withTypeProvider<ZodTypeProvider>().post(
      '/api/v1/verification/signature/compare',
      {
        config: { access: 'signatures', bearerOnly: true },
        attachValidation: true,
        schema: {
          operationId: 'compareKnownSignatures',
          summary: 'Compare a questioned signature with several known ones',
          description:
            'Says how much more probable the likeness is if the writer of the known signatures wrote the questioned one than if another person imitated them, and than if another person signed without a model. It is not the probability that a signature is genuine. Each comparison is kept as a record, without the images.',
          tags: ['Signatures'],
          body: signatureSetRequest,
          response: {
            200: signatureSetResponse.describe('The images were compared, or could not be (INCONCLUSIVE).'),
          },
        },
      },
      async (request) => {
        refuseInvalidBody(request, unreadKnownSetProblems);
        const caller = callerOf(request);
        const company = await callingCompany(ports.companies, caller);
        const set = knownSetOf(request.body);
        const outcome = await matchKnownSignatures(ports, company, caller.credential, set);
        if (outcome.kind === 'matched') return knownMatchBody(outcome.record);
        throw invalidFields(knownSetProblems(outcome.faults));
      },
    );
    done();
  });
}
