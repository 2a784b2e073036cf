import { uploadKeyQuery, enrolmentProgress, enrolmentReceipt, envelope } from '../../contracts/uploads.ts';
import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { UPLOAD_STATUS, UPLOAD_STATUS_LABEL } from '../../contracts/codes.ts';
import { runDeclaration } from '../../contracts/dashboard/enrolmentRuns.ts';
import { trusted, uploadId, type CompanyId, type UploadId } from '../../contracts/ids.ts';
import { MESSAGES } from '../../contracts/errors/messages.ts';
import * as progress from './enrolmentProgress.ts';
import { serveProgram } from '../http/program.ts';
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
  serveProgram(scope, {
    route: 'POST /api/v3/duplicate-detection/faces',
    config: { access: 'enroll', imageForm: true },
    operationId: 'enrolFaces',
    summary: 'Queue a batch of face images for enrolment',
    description:
      'Answers at once; poll the upload until its status is 2, 3 or 4. Type is decided by content. ' +
      'With an Idempotency-Key the same content within 24 hours gets the same answer and is enrolled once.',
    tags: TAGS,
    querystring: runDeclaration,
    status: 202,
    answer: envelope(enrolmentReceipt).describe('The batch is queued.'),
    message: MESSAGES.uploadAccepted,
    failures: [409],
    handle: async ({ query, request }) => {
      const program = programOf(request, query);
      const receipt = await receiveUpload(request, intake, { kind: 'duplicate' }, program);
      accepted();
      return { data: receiptBody(receipt) };
    },
  });
}

function progressRoutes(app: FastifyInstance, { uploads, intake }: PublicPorts): void {
  const answerOf = async (companyId: CompanyId, id: UploadId) => {
    const upload = await uploads.find(companyId, 'duplicate', id);
    if (upload === undefined || !progress.isUploadInto(upload, 'duplicate')) throw new ApiError('NOT_FOUND');
    return { data: progress.enrolmentProgress(upload) };
  };
  serveProgram(app, {
    route: 'GET /api/v3/duplicate-detection/uploads',
    config: { access: 'enroll' },
    operationId: 'findEnrolment',
    summary: 'The batch that was accepted under an Idempotency-Key',
    description:
      'For a client whose answer was lost: 404 when the service has no such batch, 409 while it is still being ' +
      'received. A batch is found however old it is.',
    tags: TAGS,
    querystring: uploadKeyQuery,
    answer: envelope(enrolmentProgress).describe('How far the upload is, and the result of each image.'),
    message: MESSAGES.uploadProgress,
    failures: [404, 409, 422],
    handle: async ({ companyId, query }) =>
      answerOf(companyId, await uploadOfKey(intake, companyId, query.idempotencyKey, 'duplicate')),
  });
  serveProgram(app, {
    route: 'GET /api/v3/duplicate-detection/uploads/:uploadId',
    config: { access: 'enroll' },
    operationId: 'getEnrolment',
    summary: 'Progress and per-image results of a batch',
    tags: TAGS,
    params: z.object({ uploadId }),
    answer: envelope(enrolmentProgress).describe('How far the upload is, and the result of each image.'),
    message: MESSAGES.uploadProgress,
    failures: [404],
    handle: ({ companyId, params }) => answerOf(companyId, trusted.upload(params.uploadId.toLowerCase())),
  });
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
