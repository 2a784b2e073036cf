import { problem } from '../../contracts/errors/problem.ts';
import type { FastifyInstance, FastifyRequest } from 'fastify';
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
import { compareFaces } from '../../domain/search/faceComparison.ts';
import type { SelfieOutcome, VerificationReference } from '../../domain/screening/verifications.ts';
import * as views from './verificationViews.ts';
import { callingCompany } from '../http/callingCompany.ts';
import { faceCompareBody } from '../http/comparisonBodies.ts';
import { callerOf } from '../http/credentials.ts';
import { ApiError, refuseInvalidBody } from '../http/errors.ts';
import { takeFields } from '../http/fieldForm.ts';
import { imageOf, imageProblems, invalidImage, photoProblems, photosOf } from '../http/sentImage.ts';
import type { PublicPorts } from '../ports.ts';
import type { Company } from '../../domain/ports/auditContext.ts';

const TAGS = ['Verifications'];
const FORM = {
  tags: TAGS,
  consumes: ['application/json', 'application/x-www-form-urlencoded', 'multipart/form-data'],
};
const VERIFY = { access: 'verify' } as const;
const BIOMETRICS_V1_RESPONSES = {
  200: biometricsV1.describe('The selfie was accepted, or its face was enrolled before.'),
  404: signatureErrorBody,
  422: {
    description:
      'The image cannot be used (`code` says why), a field breaks a rule, or a precondition is not met.',
    content: { 'application/json': { schema: biometricsV1Refusal } },
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
    createRoute(scope, ports);
    finalizeRoute(scope, ports);
    done();
  });
  await app.register((scope, _options, done) => {
    // Base64 makes four bytes of three, and a form escapes some of them.
    takeFields(scope, async (request) => {
      const { settings } = await callingCompany(ports.companies, callerOf(request));
      return 2 * settings.maxImageBytes + SMALL_BODY;
    });
    biometricsVerificationRoute(scope, ports);
    biometricsDetectionRoute(scope, ports);
    biometricsVerificationV1Route(scope, ports);
    biometricsRegistrationV1Route(scope, ports);
    done();
  });
  await app.register((scope, _options, done) => {
    takeFields(scope, async (request) => {
      const { settings } = await callingCompany(ports.companies, callerOf(request));
      return 4 * settings.maxImageBytes + SMALL_BODY;
    });
    faceCompareRoute(scope, ports);
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

function createRoute(scope: FastifyInstance, ports: PublicPorts): void {
  scope.withTypeProvider<ZodTypeProvider>().post(
    '/api/v1/verification/create-verification',
    {
      config: VERIFY,
      schema: {
        ...FORM,
        operationId: 'createVerification',
        summary: 'Begin a verification',
        description: 'It will be screened by the version of the Trust Flow that is saved now.',
        body: createVerificationRequest,
        response: {
          200: createdVerification.describe('The verification was created; it waits for a selfie.'),
          404: signatureErrorBody,
        },
      },
    },
    async (request) => {
      const caller = callerOf(request);
      const company = await callingCompany(ports.companies, caller);
      const { template_id, metadata } = request.body;
      const created =
        template_id === null
          ? undefined
          : await ports.verifications.create(
              company,
              trusted.trustFlow(template_id),
              metadata ?? null,
              caller.credential,
            );
      if (created === undefined) throw new ApiError('NOT_FOUND');
      return views.created(caller, created.flow, created.validation);
    },
  );
}

function finalizeRoute(scope: FastifyInstance, ports: PublicPorts): void {
  scope.withTypeProvider<ZodTypeProvider>().post(
    '/api/v1/verification/finalize-verification',
    {
      config: VERIFY,
      schema: {
        ...FORM,
        operationId: 'finalizeVerification',
        summary: 'Screen a verification and settle its status',
        description: 'Finalising again answers what stands and screens nothing.',
        body: finalizeVerificationRequest,
        response: {
          200: finalizedVerification.describe('The verification with its final status.'),
          404: signatureErrorBody,
        },
      },
    },
    async (request) => {
      const caller = callerOf(request);
      const company = await callingCompany(ports.companies, caller);
      const { template_id, verification_id } = request.body;
      const finalised = await ports.verifications.finalise(
        company,
        reference(template_id, verification_id),
        caller.credential,
      );
      if (finalised === undefined) throw new ApiError('NOT_FOUND');
      return views.finalized(caller, finalised);
    },
  );
}

function biometricsVerificationRoute(scope: FastifyInstance, ports: PublicPorts): void {
  scope.withTypeProvider<ZodTypeProvider>().post(
    '/api/v3/verifications/biometrics-verification',
    {
      config: VERIFY,
      attachValidation: true,
      schema: {
        ...FORM,
        operationId: 'verifyBiometrics',
        summary: 'Give a verification its selfie',
        description:
          'A second selfie becomes the photo of the validation; both are screened at finalisation, and each is in the history.',
        body: biometricsVerificationRequest,
        response: { 200: biometricsVerified.describe('The selfie was accepted.'), 404: errorBody },
      },
    },
    async (request) => {
      await refuseInvalid(request, ports);
      const { trust_flow_id, trust_validation_id } = request.body;
      const at = reference(trust_flow_id, trust_validation_id);
      return views.biometricsVerified(await takeSelfie(request, ports, at));
    },
  );
}

function biometricsDetectionRoute(scope: FastifyInstance, ports: PublicPorts): void {
  scope.withTypeProvider<ZodTypeProvider>().post(
    '/api/v3/verifications/biometrics-detection',
    {
      config: VERIFY,
      attachValidation: true,
      schema: {
        ...FORM,
        operationId: 'detectBiometrics',
        summary: 'Enrol a selfie for duplicate detection and compare it with everybody enrolled before',
        body: biometricsDetectionRequest,
        response: {
          200: biometricsDetected.describe(
            'The face was enrolled, and these enrolled before it are similar.',
          ),
          404: errorBody,
        },
      },
    },
    async (request) => {
      await refuseInvalid(request, ports);
      const { trustFlowId, trustValidationId, username } = request.body;
      const at = reference(trustFlowId, trustValidationId);
      const { company, outcome, name } = await register(request, ports, at, username);
      return views.biometricsDetected(company.id, outcome, name ?? null);
    },
  );
}

function biometricsVerificationV1Route(scope: FastifyInstance, ports: PublicPorts): void {
  scope.withTypeProvider<ZodTypeProvider>().post(
    '/api/v1/verification/biometricsverification',
    {
      config: VERIFY,
      attachValidation: true,
      schema: {
        ...FORM,
        operationId: 'verifyBiometricsV1',
        summary: 'Give a verification its selfie, in the form of the Flutter client',
        description: 'The same as biometrics-verification with field names and answers of v1.',
        body: biometricsVerificationV1Request,
        response: BIOMETRICS_V1_RESPONSES,
      },
    },
    async (request) => {
      await refuseInvalid(request, ports);
      const { template_id, verification_id } = request.body;
      const at = reference(template_id, verification_id);
      return views.biometricsVerifiedV1(await takeSelfie(request, ports, at));
    },
  );
}

function biometricsRegistrationV1Route(scope: FastifyInstance, ports: PublicPorts): void {
  scope.withTypeProvider<ZodTypeProvider>().post(
    '/api/v1/verification/biometricsregistration',
    {
      config: VERIFY,
      attachValidation: true,
      schema: {
        ...FORM,
        operationId: 'registerBiometricsV1',
        summary: 'Enrol the selfie of a verification, in the form of the Flutter client',
        description:
          'The same as biometrics-detection with field names and answers of v1. A face that was enrolled before answers status false and "Account already exists".',
        body: biometricsRegistrationV1Request,
        response: BIOMETRICS_V1_RESPONSES,
      },
    },
    async (request) => {
      await refuseInvalid(request, ports);
      const { template_id, verification_id, username } = request.body;
      const { outcome } = await register(request, ports, reference(template_id, verification_id), username);
      return views.biometricsRegisteredV1(outcome);
    },
  );
}

function faceCompareRoute(scope: FastifyInstance, ports: PublicPorts): void {
  scope.withTypeProvider<ZodTypeProvider>().post(
    '/api/v1/verification/biometricsfacecompare',
    {
      config: VERIFY,
      attachValidation: true,
      schema: {
        ...FORM,
        operationId: 'compareFaces',
        summary: 'Compare the faces of two photos',
        description:
          'Enrols nothing and keeps no image. The similarity has the scale and the bands of face search. A photo that shows no single usable face makes the answer INCONCLUSIVE. Each comparison is kept as a record.',
        body: faceCompareRequest,
        response: {
          200: faceCompareResponse.describe('How similar the two faces are, or why they cannot be compared.'),
          422: biometricsV1Refusal.describe(
            'A field breaks a rule, or an image is neither a JPEG nor a PNG.',
          ),
        },
      },
    },
    async (request) => {
      const caller = callerOf(request);
      const company = await callingCompany(ports.companies, caller);
      const most = company.settings.maxImageBytes;
      refuseInvalidBody(request, (sent) => photoProblems(sent, most));
      const pair = photosOf(request.body, most);
      return faceCompareBody(await compareFaces(ports, company, caller.credential, pair));
    },
  );
}

/** @throws {ApiError} 422 on every field and image at fault */
async function refuseInvalid(request: FastifyRequest, ports: PublicPorts): Promise<void> {
  const { settings } = await callingCompany(ports.companies, callerOf(request));
  refuseInvalidBody(request, (sent) => imageProblems(sent, settings.maxImageBytes));
}

/** Gives a verification the image of the request. @throws {ApiError} the reason why the image is not accepted */
async function takeSelfie(
  request: FastifyRequest<{ Body: { image: string | Uint8Array } }>,
  ports: PublicPorts,
  at: VerificationReference,
) {
  const { company, image } = await imageRequest(request, ports);
  const outcome = await ports.verifications.takeSelfie(company, at, image, callerOf(request).credential);
  if (outcome.kind !== 'taken') throw refusal(outcome);
  return outcome;
}

/** Enrols the image of the request. @throws {ApiError} the reason why the image is not enrolled */
async function register(
  request: FastifyRequest<{ Body: { image: string | Uint8Array } }>,
  ports: PublicPorts,
  at: VerificationReference,
  username: string | null | undefined,
) {
  const { company, image } = await imageRequest(request, ports);
  if (!company.settings.registrationEnabled) throw new ApiError('REGISTRATION_DISABLED');
  const name = username == null || username === '' ? undefined : username;
  const outcome = await ports.verifications.register(company, at, image, callerOf(request).credential, name);
  if (outcome.kind !== 'taken') throw refusal(outcome);
  return { company, outcome, name };
}

function reference(flowId: number | null, id: number | null): VerificationReference {
  if (flowId === null || id === null) throw new ApiError('NOT_FOUND');
  return { flowId: trusted.trustFlow(flowId), id: trusted.trustValidation(id) };
}

async function imageRequest(
  request: FastifyRequest<{ Body: { image: string | Uint8Array } }>,
  ports: PublicPorts,
): Promise<{ company: Company; image: Uint8Array }> {
  const company = await callingCompany(ports.companies, callerOf(request));
  return { company, image: imageOf(request.body.image, company.settings.maxImageBytes) };
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
