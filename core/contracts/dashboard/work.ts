/** The queue, the uploads that feed it, and what the service pushes to open screens. */
import { BLOCKED_CODES } from '../errors/problem.ts';
import { z } from 'zod';
import { FAILURE_CODES } from '../errors/failures.ts';
import { poll, post, remove } from './operation.ts';
import { uploadId, pathId } from '../ids.ts';
import { uploadKeyQuery } from '../uploads.ts';
import { runDeclaration, retryDeclaration } from './enrolmentRuns.ts';
import { demoMark, demoState } from './overview.ts';
import { faceListingEdit } from '../faceListing.ts';

export const queueState = z.object({
  paused: z.boolean(),
  waiting: z.number().int(),
  inProgress: z.number().int(),
  workers: z.number().int(),
});
export type QueueState = z.infer<typeof queueState>;

/** The limits of an upload to this company; the plan is checked against them before sending. */
export const uploadLimits = z.object({
  imagesPerUpload: z.number().int(),
  bytesPerImage: z.number().int(),
  /** A sentence when nothing can be enrolled at all (storage, feature), else null. */
  blocked: z.enum(BLOCKED_CODES).nullable(),
});
export type UploadLimits = z.infer<typeof uploadLimits>;

export const uploadRow = z.object({
  uploadId: z.uuid(),
  kind: z.enum(['duplicate', 'blacklist']),
  blacklistName: z.string().nullable(),
  numberOfImages: z.number().int(),
  succeededCount: z.number().int(),
  failedCount: z.number().int(),
  status: z.number().int(),
  createdAt: z.iso.datetime(),
  completedAt: z.iso.datetime().nullable(),
});
export type UploadRow = z.infer<typeof uploadRow>;

/** Progress of one upload: the poll of the public interface, with the additional facts of the screen. */
export const uploadDetail = uploadRow.extend({
  runId: z.uuid(),
  images: z.array(
    z.object({
      index: z.number().int(),
      /** Names the photo if it failed. */
      itemId: z.number().int(),
      fileName: z.string(),
      status: z.number().int(),
      trustValidationId: z.number().int().nullable(),
      faceId: z.number().int().nullable(),
      failureCode: z.enum(FAILURE_CODES).nullable(),
      thumbnailUrl: z.string().nullable(),
    }),
  ),
});
export type UploadDetail = z.infer<typeof uploadDetail>;

/** The upload that was accepted under an Idempotency-Key. */
export const uploadOfKeyAnswer = z.object({ uploadId: z.uuid() });

/** Names of what changed; an open screen asks again for what it shows of it. */
export const EVENT_TOPICS = [
  'queue',
  'uploads',
  'validations',
  'blacklists',
  'flows',
  'signatures',
  'pipelines',
  'duplicates',
  'persons',
] as const;
export type EventTopic = (typeof EVENT_TOPICS)[number];
export const dashboardEvent = z.object({ topics: z.array(z.enum(EVENT_TOPICS)) });

/** The dashboard's operations. */
export const workApi = {
  events: poll('/events', 'session'),
  queue: poll('/queue', 'uploads:read', { answer: queueState }),
  pause: post('/queue/pause', 'queue:control', { answer: queueState }),
  resume: post('/queue/resume', 'queue:control', { answer: queueState }),
  limits: poll('/uploads/limits', 'uploads:read', { answer: uploadLimits }),
  upload: poll('/uploads/:id', 'uploads:read', { params: z.object({ id: uploadId }), answer: uploadDetail }),
  uploadOfKey: poll('/uploads', 'uploads:create', { query: uploadKeyQuery, answer: uploadOfKeyAnswer }),
  send: post('/uploads', 'uploads:create', {
    query: runDeclaration.extend({ ...retryDeclaration.shape, ...demoMark.shape }),
  }),
  sendToBlacklist: post('/blacklists/:id/faces', 'uploads:create', {
    params: z.object({ id: pathId.blacklist }),
    query: runDeclaration
      .extend({ ...retryDeclaration.shape, ...demoMark.shape })
      .extend(faceListingEdit.shape),
  }),
  demo: poll('/demo', 'uploads:read', { answer: demoState }),
  removeDemo: remove('/demo', 'persons:erase', { answer: demoState }),
};
