import { uploadKeyQuery } from '../../contracts/uploads.ts';
import type { FastifyInstance } from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { UPLOAD_STATUS, UPLOAD_STATUS_LABEL } from '../../contracts/codes.ts';
import { runDeclaration } from '../../contracts/dashboard/enrolmentRuns.ts';
import { trusted, uploadId, type CompanyId, type UploadId } from '../../contracts/ids.ts';
import { MESSAGES } from '../../contracts/errors/messages.ts';
import { enrolmentProgress, enrolmentReceipt, envelope, errorBody } from '../../contracts/uploads.ts';
import * as progress from './enrolmentProgress.ts';
import { callerOf } from '../http/credentials.ts';
import { ApiError } from '../http/errors.ts';
import { programOf, receiveUpload, takeImageForms, uploadOfKey } from '../http/uploadForm.ts';
import type { PublicPorts } from '../ports.ts';
import type { UploadReceipt } from '../../domain/enrolment/intake.ts';

const TAGS = ['Duplicate detection'];

/** Bulk enrolment for duplicate detection, and its poll. */
export async function duplicateDetectionRoutes(app: FastifyInstance, ports: PublicPorts): Promise<void> {
  await app.register((scope, _options, done) => {
    takeImageForms(scope);
    uploadRoute(scope, ports);
    done();
  });
  progressRoutes(app, ports);
}

function uploadRoute(scope: FastifyInstance, { intake, accepted }: PublicPorts): void {
  scope.withTypeProvider<ZodTypeProvider>().post(
    '/api/v3/duplicate-detection/faces',
    {
      config: { access: 'enroll', imageForm: true },
      schema: {
        operationId: 'enrolFaces',
        summary: 'Queue a batch of face images for enrolment',
        description:
          'Answers at once; poll the upload until its status is 2, 3 or 4. Type is decided by content. ' +
          'With an Idempotency-Key the same content within 24 hours gets the same answer and is enrolled once.',
        tags: TAGS,
        querystring: runDeclaration,
        response: {
          202: envelope(enrolmentReceipt).describe('The batch is queued.'),
          409: errorBody,
        },
      },
    },
    async (request, reply) => {
      const receipt = await receiveUpload(
        request,
        intake,
        { kind: 'duplicate' },
        programOf(request, request.query),
      );
      accepted();
      return reply
        .code(202)
        .send({ success: true, message: MESSAGES.uploadAccepted, data: receiptBody(receipt) });
    },
  );
}

function progressRoutes(app: FastifyInstance, { uploads, intake }: PublicPorts): void {
  const routes = app.withTypeProvider<ZodTypeProvider>();
  const answerOf = async (companyId: CompanyId, id: UploadId) => {
    const upload = await uploads.find(companyId, 'duplicate', id);
    if (upload === undefined || !progress.isUploadInto(upload, 'duplicate')) throw new ApiError('NOT_FOUND');
    return {
      success: true as const,
      message: MESSAGES.uploadProgress,
      data: progress.enrolmentProgress(upload),
    };
  };
  routes.get(
    '/api/v3/duplicate-detection/uploads',
    {
      config: { access: 'enroll' },
      schema: {
        operationId: 'findEnrolment',
        summary: 'The batch that was accepted under an Idempotency-Key',
        description:
          'For a client whose answer was lost: 404 when the service has no such batch, 409 while it is still being ' +
          'received. A batch is found however old it is.',
        tags: TAGS,
        querystring: uploadKeyQuery,
        response: {
          200: envelope(enrolmentProgress).describe('How far the upload is, and the result of each image.'),
          404: errorBody,
          409: errorBody,
          422: errorBody,
        },
      },
    },
    async (request) => {
      const { companyId } = callerOf(request);
      const { idempotencyKey } = request.query;
      return answerOf(companyId, await uploadOfKey(intake, companyId, idempotencyKey, 'duplicate'));
    },
  );
  routes.get(
    '/api/v3/duplicate-detection/uploads/:uploadId',
    {
      config: { access: 'enroll' },
      schema: {
        operationId: 'getEnrolment',
        summary: 'Progress and per-image results of a batch',
        tags: TAGS,
        params: z.object({ uploadId }),
        response: {
          200: envelope(enrolmentProgress).describe('How far the upload is, and the result of each image.'),
          404: errorBody,
        },
      },
    },
    (request) => answerOf(callerOf(request).companyId, trusted.upload(request.params.uploadId.toLowerCase())),
  );
}

function receiptBody({ id, target, numberOfImages }: UploadReceipt): z.infer<typeof enrolmentReceipt> {
  if (target.kind !== 'duplicate') throw new Error('The receipt of an enrolment names a blacklist.');
  const status = UPLOAD_STATUS.Processing;
  return {
    uploadId: id,
    trustFlowId: target.trustFlowId,
    numberOfImages,
    status,
    statusLabel: UPLOAD_STATUS_LABEL[status],
  };
}
