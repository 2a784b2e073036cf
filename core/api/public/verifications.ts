import { problem } from '../../contracts/errors/problem.ts';
import type { FastifyInstance } from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { trusted } from '../../contracts/ids.ts';
import { errorBody } from '../../contracts/uploads.ts';
import {
  biometricsDetected,
  biometricsDetectionRequest,
  biometricsRegistrationV1Request,
  biometricsV1,
  biometricsV1Refusal,
  biometricsVerificationV1Request,
  biometricsVerificationRequest,
  biometricsVerified,
  createdVerification,
  createVerificationRequest,
  designSettings,
  finalizedVerification,
  finalizeVerificationRequest,
} from '../../contracts/verifications.ts';
import { signatureErrorBody } from '../../contracts/signatures.ts';
import { faceCompareRequest, faceCompareResponse } from '../../contracts/faceComparisons.ts';
import type { Caller } from '../../domain/credentials/bearer.ts';
import { compareFaces } from '../../domain/search/faceComparison.ts';
import type { SelfieOutcome, VerificationReference } from '../../domain/screening/verifications.ts';
import * as views from './verificationViews.ts';
import { callingCompany } from '../http/callingCompany.ts';
import { faceCompareBody } from '../http/comparisonBodies.ts';
import { callerOf } from '../http/credentials.ts';
import { ApiError, existing } from '../http/errors.ts';
import { takeFields } from '../http/fieldForm.ts';
import { imageOf, imageProblems, invalidImage, photoProblems, photosOf } from '../http/sentImage.ts';
import { servePost } from '../http/program.ts';
import type { PublicPorts } from '../ports.ts';
import type { Company } from '../../domain/ports/auditContext.ts';

const TAGS = ['Verifications'];
const FORM = {
  config: { access: 'verify' as const },
  tags: TAGS,
  consumes: ['application/json', 'application/x-www-form-urlencoded', 'multipart/form-data'],
};
const BIOMETRICS_V1 = {
  answer: biometricsV1.describe('The selfie was accepted, or its face was enrolled before.'),
  failures: {
    404: signatureErrorBody,
    422: {
      description:
        'The image cannot be used (`code` says why), a field breaks a rule, or a precondition is not met.',
      content: { 'application/json': { schema: biometricsV1Refusal } },
    },
  },
};
/** Bytes of a body that holds no image. */
const SMALL_BODY = 64 * 1024;

const NO_DESIGN: z.infer<typeof designSettings> = {
  templateDesign: {
    id: null,
    template_id: null,
    logo: null,
    settings: null,
    is_active: null,
    file_name: null,
    created_at: null,
    updated_at: null,
  },
};

/** The verification routes of the hosted service that local callers use (docs/explanation/screening.md). */
export async function verificationRoutes(app: FastifyInstance, ports: PublicPorts): Promise<void> {
  designSettingsRoute(app);
  await app.register((scope, _options, done) => {
    takeFields(scope, () => SMALL_BODY);
    serveSettled(scope, ports);
    done();
  });
  await app.register((scope, _options, done) => {
    // Base64 makes four bytes of three, and a form escapes some of them.
    takeFields(scope, async (request) => {
      const { settings } = await callingCompany(ports.companies, callerOf(request));
      return 2 * settings.maxImageBytes + SMALL_BODY;
    });
    serveSelfies(scope, ports);
    done();
  });
  await app.register((scope, _options, done) => {
    takeFields(scope, async (request) => {
      const { settings } = await callingCompany(ports.companies, callerOf(request));
      return 4 * settings.maxImageBytes + SMALL_BODY;
    });
    serveFaceCompare(scope, ports);
    done();
  });
}

/** Answers from a constant: the store is not read, so neither the body nor the time reveals which Trust Flows exist. */
function designSettingsRoute(app: FastifyInstance): void {
  app.withTypeProvider<ZodTypeProvider>().get(
    '/api/user/api-trust-flow/get-design-settings/:id',
    {
      config: { access: 'public', countsAddress: true },
      schema: {
        operationId: 'getDesignSettings',
        summary: 'Design of a client, always empty',
        description:
          'The Flutter client asks for it before it starts. The appliance keeps no designs: every id gets the same answer, and the client uses its own colours.',
        tags: TAGS,
        params: z.object({ id: z.string() }),
        response: { 200: designSettings.describe('No design for any id.') },
      },
    },
    () => NO_DESIGN,
  );
}

function serveSettled(scope: FastifyInstance, ports: PublicPorts): void {
  servePost(scope, ports.companies, {
    ...FORM,
    url: '/api/v1/verification/create-verification',
    operationId: 'createVerification',
    summary: 'Begin a verification',
    description: 'It will be screened by the version of the Trust Flow that is saved now.',
    body: createVerificationRequest,
    answer: createdVerification.describe('The verification was created; it waits for a selfie.'),
    failures: { 404: signatureErrorBody },
    handle: async ({ company, caller, body: { template_id, metadata } }) => {
      const created =
        template_id === null
          ? undefined
          : await ports.verifications.create(
              company,
              trusted.trustFlow(template_id),
              metadata ?? null,
              caller.credential,
            );
      const { flow, validation } = existing(created);
      return views.created(caller, flow, validation);
    },
  });
  servePost(scope, ports.companies, {
    ...FORM,
    url: '/api/v1/verification/finalize-verification',
    operationId: 'finalizeVerification',
    summary: 'Screen a verification and settle its status',
    description: 'Finalising again answers what stands and screens nothing.',
    body: finalizeVerificationRequest,
    answer: finalizedVerification.describe('The verification with its final status.'),
    failures: { 404: signatureErrorBody },
    handle: async ({ company, caller, body: { template_id, verification_id } }) => {
      const at = reference(template_id, verification_id);
      const finalised = await ports.verifications.finalise(company, at, caller.credential);
      return views.finalized(caller, existing(finalised));
    },
  });
}

function serveSelfies(scope: FastifyInstance, ports: PublicPorts): void {
  const selfie = { ...FORM, faultsOf: imageProblems };
  servePost(scope, ports.companies, {
    ...selfie,
    url: '/api/v3/verifications/biometrics-verification',
    operationId: 'verifyBiometrics',
    summary: 'Give a verification its selfie',
    description:
      'A second selfie becomes the photo of the validation; both are screened at finalisation, and each is in the history.',
    body: biometricsVerificationRequest,
    answer: biometricsVerified.describe('The selfie was accepted.'),
    failures: { 404: errorBody },
    handle: async (asked) => {
      const at = reference(asked.body.trust_flow_id, asked.body.trust_validation_id);
      return views.biometricsVerified(await takeSelfie(asked, ports, at));
    },
  });
  servePost(scope, ports.companies, {
    ...selfie,
    url: '/api/v3/verifications/biometrics-detection',
    operationId: 'detectBiometrics',
    summary: 'Enrol a selfie for duplicate detection and compare it with everybody enrolled before',
    body: biometricsDetectionRequest,
    answer: biometricsDetected.describe('The face was enrolled, and these enrolled before it are similar.'),
    failures: { 404: errorBody },
    handle: async (asked) => {
      const at = reference(asked.body.trustFlowId, asked.body.trustValidationId);
      const { outcome, name } = await register(asked, ports, at, asked.body.username);
      return views.biometricsDetected(asked.company.id, outcome, name ?? null);
    },
  });
  servePost(scope, ports.companies, {
    ...selfie,
    url: '/api/v1/verification/biometricsverification',
    operationId: 'verifyBiometricsV1',
    summary: 'Give a verification its selfie, in the form of the Flutter client',
    description: 'The same as biometrics-verification with field names and answers of v1.',
    body: biometricsVerificationV1Request,
    ...BIOMETRICS_V1,
    handle: async (asked) => {
      const at = reference(asked.body.template_id, asked.body.verification_id);
      return views.biometricsVerifiedV1(await takeSelfie(asked, ports, at));
    },
  });
  servePost(scope, ports.companies, {
    ...selfie,
    url: '/api/v1/verification/biometricsregistration',
    operationId: 'registerBiometricsV1',
    summary: 'Enrol the selfie of a verification, in the form of the Flutter client',
    description:
      'The same as biometrics-detection with field names and answers of v1. A face that was enrolled before answers status false and "Account already exists".',
    body: biometricsRegistrationV1Request,
    ...BIOMETRICS_V1,
    handle: async (asked) => {
      const at = reference(asked.body.template_id, asked.body.verification_id);
      const { outcome } = await register(asked, ports, at, asked.body.username);
      return views.biometricsRegisteredV1(outcome);
    },
  });
}

function serveFaceCompare(scope: FastifyInstance, ports: PublicPorts): void {
  servePost(scope, ports.companies, {
    ...FORM,
    url: '/api/v1/verification/biometricsfacecompare',
    operationId: 'compareFaces',
    summary: 'Compare the faces of two photos',
    description:
      'Enrols nothing and keeps no image. The similarity has the scale and the bands of face search. A photo that shows no single usable face makes the answer INCONCLUSIVE. Each comparison is kept as a record.',
    body: faceCompareRequest,
    answer: faceCompareResponse.describe('How similar the two faces are, or why they cannot be compared.'),
    failures: {
      422: biometricsV1Refusal.describe('A field breaks a rule, or an image is neither a JPEG nor a PNG.'),
    },
    faultsOf: photoProblems,
    handle: async ({ company, caller, body }) => {
      const pair = photosOf(body, company.settings.maxImageBytes);
      return faceCompareBody(await compareFaces(ports, company, caller.credential, pair));
    },
  });
}

interface SentSelfie {
  company: Company;
  caller: Caller;
  body: { image: string | Uint8Array };
}

/** Gives a verification the image of the request. @throws {ApiError} the reason why the image is not accepted */
async function takeSelfie(sent: SentSelfie, { verifications }: PublicPorts, at: VerificationReference) {
  const outcome = await verifications.takeSelfie(sent.company, at, imageIn(sent), sent.caller.credential);
  if (outcome.kind !== 'taken') throw refusal(outcome);
  return outcome;
}

/** Enrols the image of the request. @throws {ApiError} the reason why the image is not enrolled */
async function register(
  sent: SentSelfie,
  { verifications }: PublicPorts,
  at: VerificationReference,
  username: string | null | undefined,
) {
  const { company, caller } = sent;
  const image = imageIn(sent);
  if (!company.settings.registrationEnabled) throw new ApiError('REGISTRATION_DISABLED');
  const name = username == null || username === '' ? undefined : username;
  const outcome = await verifications.register(company, at, image, caller.credential, name);
  if (outcome.kind !== 'taken') throw refusal(outcome);
  return { outcome, name };
}

function imageIn({ company, body }: SentSelfie): Uint8Array {
  return imageOf(body.image, company.settings.maxImageBytes);
}

function reference(flowId: number | null, id: number | null): VerificationReference {
  if (flowId === null || id === null) throw new ApiError('NOT_FOUND');
  return { flowId: trusted.trustFlow(flowId), id: trusted.trustValidation(id) };
}

function refusal(outcome: Exclude<SelfieOutcome, { kind: 'taken' }>): ApiError {
  switch (outcome.kind) {
    case 'refused': {
      const reason = { code: outcome.code, parameters: {} };
      return new ApiError(reason, new Map([['image', [reason]]]));
    }
    case 'wrong-type':
      return invalidImage(problem('IMAGE_WRONG_TYPE', { field: 'image' }));
    case 'no-storage':
      return new ApiError('STORAGE_NOT_CONFIGURED');
    case 'closed':
      return new ApiError('VERIFICATION_CLOSED');
    case 'unknown':
      return new ApiError('NOT_FOUND');
  }
}
