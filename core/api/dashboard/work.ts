import { workApi, type UploadRow } from '../../contracts/dashboard/work.ts';
import { type RunDeclaration } from '../../contracts/dashboard/enrolmentRuns.ts';
import type { BLOCKED_CODES } from '../../contracts/errors/problem.ts';
import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { UPLOAD_STATUS, UPLOAD_STATUS_LABEL } from '../../contracts/codes.ts';
import { demoMark } from '../../contracts/dashboard/overview.ts';
import { MESSAGES } from '../../contracts/errors/messages.ts';
import { mayRole } from '../../domain/identity/roles.ts';
import type { UploadDestination } from '../../domain/enrolment/intake.ts';
import { uploadLimits as limitsOf } from '../../domain/enrolment/intakeUpload.ts';
import { operatorOf, serve } from './access/guard.ts';
import { retriedPhotos } from './enrolmentRuns.ts';
import { readListingEdit } from '../../domain/blacklists/faceListings.ts';
import { existing } from '../http/errors.ts';
import { receiveUpload, runOf, takeImageForms, uploadOfKey } from '../http/uploadForm.ts';
import { pictureUrl } from './scoreInterpretation.ts';
import { callingCompany } from '../http/callingCompany.ts';
import type { DashboardRoutePorts } from '../ports.ts';
import type { Company } from '../../domain/ports/auditContext.ts';

/** The queue, what feeds it, and sending images to it. */
export async function workRoutes(app: FastifyInstance, ports: DashboardRoutePorts): Promise<void> {
  queueRoutes(app, ports);
  uploadRoutes(app, ports);
  await app.register((scope, _options, done) => {
    takeImageForms(scope);
    sendingRoutes(scope, ports);
    done();
  });
}

function queueRoutes(app: FastifyInstance, ports: DashboardRoutePorts): void {
  const state = async () => ({
    paused: (await ports.installation.settings()).paused,
    waiting: await ports.queue.waiting(),
    inProgress: ports.inProgress(),
    workers: ports.vision.workers,
  });
  serve(app, workApi.queue, state);
  serve(app, workApi.pause, async ({ act }) => {
    await ports.installation.update({ paused: true }, act);
    return state();
  });
  serve(app, workApi.resume, async ({ act }) => {
    await ports.installation.update({ paused: false }, act);
    ports.accepted();
    return state();
  });
}

function uploadRoutes(app: FastifyInstance, { views, companies, installation }: DashboardRoutePorts): void {
  serve(app, workApi.limits, async ({ operator }) => {
    const company = await callingCompany(companies, operator);
    const { images, imageBytes } = limitsOf(company.settings, await installation.settings());
    return { imagesPerUpload: images, bytesPerImage: imageBytes, blocked: whyBlocked(company) };
  });
  serve(app, workApi.upload, async ({ operator, params: { id } }) => {
    const found = existing(await views.upload(operator.companyId, id));
    const images = found.images.map((image) => ({
      ...image,
      thumbnailUrl: pictureUrl(operator, image.faceId, 'thumbnail'),
    }));
    return { ...found, status: statusOf(found), images };
  });
}

function sendingRoutes(scope: FastifyInstance, { intake, runs, accepted, clock }: DashboardRoutePorts): void {
  const receive = async (
    request: Parameters<typeof receiveUpload>[0],
    destination: UploadDestination,
    declared: RunDeclaration & z.infer<typeof demoMark> & { fixes?: string | undefined },
  ): ReturnType<typeof receiveUpload> => {
    const { companyId, actor: by, role } = operatorOf(request);
    const mayName = mayRole(role, 'persons:write');
    const run = runOf(declared, declared.demo === undefined ? 'dashboard' : 'demo');
    const fix = await retriedPhotos(runs, companyId, destination, declared.fixes);
    const sender = { companyId, by, mayName, run, fix, otherFormats: true };
    const receipt = await receiveUpload(request, intake, destination, sender);
    accepted();
    return receipt;
  };
  serve(scope, workApi.uploadOfKey, async ({ companyId, query: { idempotencyKey } }) => ({
    uploadId: await uploadOfKey(intake, companyId, idempotencyKey),
  }));
  const processing = {
    status: UPLOAD_STATUS.Processing,
    statusLabel: UPLOAD_STATUS_LABEL[UPLOAD_STATUS.Processing],
  };
  serve(scope, workApi.send, async ({ query, request, reply }) => {
    const { id, target, numberOfImages } = await receive(request, { kind: 'duplicate' }, query);
    if (target.kind !== 'duplicate') throw new Error('An upload landed in another watchlist.');
    const data = { uploadId: id, trustFlowId: target.trustFlowId, numberOfImages, ...processing };
    return reply.code(202).send({ success: true, message: MESSAGES.uploadAccepted, data });
  });
  serve(scope, workApi.sendToBlacklist, async ({ params: { id: blacklistId }, query, request, reply }) => {
    const { listing } = readListingEdit(query, clock.now());
    const { id, numberOfImages } = await receive(request, { kind: 'blacklist', blacklistId, listing }, query);
    const data = { uploadId: id, blacklistId, numberOfImages, ...processing };
    return reply.code(202).send({ success: true, message: MESSAGES.blacklistUploadAccepted, data });
  });
}

/** The code of the reason when nothing can be enrolled at all, else null. */
export function whyBlocked({ storageFolder, settings }: Company): (typeof BLOCKED_CODES)[number] | null {
  if (storageFolder === null) return 'STORAGE_NOT_CONFIGURED';
  if (!settings.registrationEnabled && !settings.blacklistsEnabled) return 'REGISTRATION_DISABLED';
  return null;
}

function statusOf(upload: Omit<UploadRow, 'status'>): number {
  const { numberOfImages, succeededCount, failedCount } = upload;
  if (succeededCount + failedCount < numberOfImages) return UPLOAD_STATUS.Processing;
  if (failedCount === 0) return UPLOAD_STATUS.Completed;
  return succeededCount === 0 ? UPLOAD_STATUS.Failed : UPLOAD_STATUS.PartiallyCompleted;
}

/** The demo photos of a company: whether some are enrolled, and their erasure with a receipt. */
export function demoRoutes(app: FastifyInstance, { runs, erasureService }: DashboardRoutePorts): void {
  serve(app, workApi.demo, async ({ companyId }) => ({
    photos: (await runs.demoRecords(companyId)).photos.length,
  }));
  serve(app, workApi.removeDemo, async ({ companyId, act }) => {
    const records = await runs.demoRecords(companyId);
    if (records.photos.length === 0) return { photos: 0 };
    const choice = { ...records, faces: [], comparisons: [] };
    const { code } = await erasureService.plan(companyId, choice);
    await erasureService.run(companyId, { choice, code, copies: 'keep' }, act);
    return { photos: (await runs.demoRecords(companyId)).photos.length };
  });
}
