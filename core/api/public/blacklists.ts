import { uploadKeyQuery, blacklistProgress, blacklistReceipt, envelope } from '../../contracts/uploads.ts';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { blacklistPage, blacklistQuery } from '../../contracts/blacklists.ts';
import { BLACKLIST_STATUS_LABEL, UPLOAD_STATUS, UPLOAD_STATUS_LABEL } from '../../contracts/codes.ts';
import { runDeclaration } from '../../contracts/dashboard/enrolmentRuns.ts';
import { trusted, uploadId, pathId, type CompanyId, type UploadId } from '../../contracts/ids.ts';
import { MESSAGES } from '../../contracts/errors/messages.ts';
import * as progress from './enrolmentProgress.ts';
import { callingCompany } from '../http/callingCompany.ts';
import { callerOf } from '../http/credentials.ts';
import { serveProgram } from '../http/program.ts';
import { ApiError } from '../http/errors.ts';
import { pageOf, type PageRequest } from '../http/paging.ts';
import { programOf, receiveUpload, takeImageForms, uploadOfKey } from '../http/uploadForm.ts';
import type { PublicPorts } from '../ports.ts';
import type { UploadReceipt } from '../../domain/enrolment/intake.ts';

const LIST = '/api/v3/biometric-blacklists';
const TAGS = ['Internal blacklists'];

/** Internal blacklists for programs. Only the dashboard creates and deletes them. */
export async function blacklistRoutes(app: FastifyInstance, ports: PublicPorts): Promise<void> {
  listRoute(app, ports);
  await app.register((scope, _options, done) => {
    takeImageForms(scope);
    uploadRoute(scope, ports);
    done();
  });
  pollRoutes(app, ports);
}

function listRoute(app: FastifyInstance, ports: PublicPorts): void {
  serveProgram(app, {
    route: `GET ${LIST}`,
    config: { access: 'blacklists:read' },
    operationId: 'listBlacklists',
    summary: "The company's blacklists, oldest first",
    tags: TAGS,
    querystring: blacklistQuery,
    answer: blacklistPage.describe('One page of blacklists.'),
    message: MESSAGES.blacklists,
    failures: [422],
    handle: async ({ query, request }) => {
      const company = await companyWithBlacklists(request, ports);
      const { page, per_page, status } = query;
      const { rows, total } = await ports.blacklists.list(company.id, {
        offset: (page - 1) * per_page,
        limit: per_page,
        status,
      });
      const lists = rows.map((row) => ({ ...row, statusLabel: BLACKLIST_STATUS_LABEL[row.status] }));
      const asked: PageRequest = { page, perPage: per_page, filters: status === undefined ? {} : { status } };
      return pageOf(request, asked, lists, total);
    },
  });
}

function uploadRoute(scope: FastifyInstance, { intake, accepted }: PublicPorts): void {
  serveProgram(scope, {
    route: `POST ${LIST}/:blacklistId/faces`,
    config: { access: 'blacklists:write', imageForm: true },
    operationId: 'addBlacklistFaces',
    summary: 'Queue a batch of face images for an Active blacklist',
    description:
      'Answers at once; poll the upload until its status is 2, 3 or 4. The name of a face is its file name ' +
      'without the extension. With an Idempotency-Key the same content within 24 hours is enrolled once.',
    tags: TAGS,
    params: z.object({ blacklistId: pathId.blacklist }),
    querystring: runDeclaration,
    status: 202,
    answer: envelope(blacklistReceipt).describe('The batch is queued.'),
    message: MESSAGES.blacklistUploadAccepted,
    failures: [404, 409],
    handle: async ({ params, query, request }) => {
      const into = { kind: 'blacklist' as const, blacklistId: params.blacklistId };
      const receipt = await receiveUpload(request, intake, into, programOf(request, query));
      accepted();
      return { data: receiptBody(receipt) };
    },
  });
}

function pollRoutes(app: FastifyInstance, ports: PublicPorts): void {
  const answerOf = async (company: CompanyId, id: UploadId) => {
    const upload = await ports.uploads.find(company, 'blacklist', id);
    if (upload === undefined || !progress.isUploadInto(upload, 'blacklist')) throw new ApiError('NOT_FOUND');
    return { data: progress.blacklistProgress(upload) };
  };
  const config = { access: ['blacklists:read' as const, 'blacklists:write' as const] };

  serveProgram(app, {
    route: `GET ${LIST}/uploads`,
    config,
    operationId: 'findBlacklistUpload',
    summary: 'The blacklist upload that was accepted under an Idempotency-Key',
    description:
      'For a client whose answer was lost: 404 when the service has no such upload, 409 while it is still being ' +
      'received. An upload is found however old it is.',
    tags: TAGS,
    querystring: uploadKeyQuery,
    answer: envelope(blacklistProgress).describe('How far the upload is, and the result of each image.'),
    message: MESSAGES.uploadProgress,
    failures: [404, 409, 422],
    handle: async ({ query, request }) => {
      const { id } = await companyWithBlacklists(request, ports);
      return answerOf(id, await uploadOfKey(ports.intake, id, query.idempotencyKey, 'blacklist'));
    },
  });

  serveProgram(app, {
    route: `GET ${LIST}/uploads/:uploadId`,
    config,
    operationId: 'getBlacklistUpload',
    summary: 'Progress and per-image results of a blacklist upload',
    tags: TAGS,
    params: z.object({ uploadId }),
    answer: envelope(blacklistProgress).describe('How far the upload is, and the result of each image.'),
    message: MESSAGES.uploadProgress,
    failures: [404, 422],
    handle: async ({ params, request }) => {
      const company = await companyWithBlacklists(request, ports);
      return answerOf(company.id, trusted.upload(params.uploadId.toLowerCase()));
    },
  });
}

async function companyWithBlacklists(request: FastifyRequest, ports: PublicPorts) {
  const company = await callingCompany(ports.companies, callerOf(request));
  if (!company.settings.blacklistsEnabled) throw new ApiError('BLACKLISTS_DISABLED');
  return company;
}

function receiptBody({ id, target, numberOfImages }: UploadReceipt): z.infer<typeof blacklistReceipt> {
  if (target.kind !== 'blacklist') throw new Error('A blacklist upload landed in duplicate detection.');
  const status = UPLOAD_STATUS.Processing;
  return {
    uploadId: id,
    blacklistId: target.blacklistId,
    numberOfImages,
    status,
    statusLabel: UPLOAD_STATUS_LABEL[status],
  };
}
