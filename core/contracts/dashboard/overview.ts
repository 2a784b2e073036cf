/** The first page: what waits for whom, today's counts, health in one line. Every number is the length of a list. */
import { BLOCKED_CODES } from '../errors/problem.ts';
import { z } from 'zod';

/** `since`: when the reader's day began. */
export const overviewQuery = z.object({ since: z.iso.datetime() });

const count = z.number().int();

export const overview = z.object({
  since: z.iso.datetime(),
  waiting: z.object({
    /** Validations in Review Needed. */
    review: count,
    /** Uploads whose images are not all answered yet, and how many images wait. */
    runningUploads: count,
    waitingImages: count,
    /** Uploads since then in which images failed, and how many images. */
    failedUploads: count,
    failedImages: count,
    /** Trust Flows whose tool settings are saved but not with the flow. */
    draftFlows: count,
  }),
  today: z.object({
    uploads: count,
    validations: count,
    /** Of these validations: */
    verified: count,
    rejected: count,
    duplicates: count,
    blacklisted: count,
    signatures: count,
  }),
  health: z.object({
    paused: z.boolean(),
    /** A sentence when nothing can be enrolled at all (storage, feature), else null. */
    blocked: z.enum(BLOCKED_CODES).nullable(),
    inProgress: count,
    workers: count,
    freeBytes: z.number().nullable(),
    minFreeBytes: z.number(),
  }),
});
export type Overview = z.infer<typeof overview>;
