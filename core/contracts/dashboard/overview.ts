/** The overview: pending tasks by role, today's counts, health in one line. Every number is the length of a list. */
import { BLOCKED_CODES } from '../errors/problem.ts';
import { z } from 'zod';
import { backupSummary } from './backups.ts';
import { SCORE_BANDS } from '../codes.ts';
import { SEVERITIES } from '../faceListing.ts';
import { poll } from './operation.ts';
import { newHitsQuery, newHits } from './validations.ts';

// Demo photos: sample portraits with which a new company can try the product.

/** `GET /demo`, and the answer of `DELETE /demo`: demo photos that are not erased. */
export const demoState = z.object({ photos: z.number().int() });

/** A part of the query of an upload: the photos are demo photos, which `DELETE /demo` erases. */
export const demoMark = z.object({ demo: z.literal('true').optional() });

/** `since`: when the reader's day began. */
export const overviewQuery = z.object({ since: z.iso.datetime() });

const count = z.number().int();

/** One validation in which a face was found again, with its best match. */
const hit = z.object({
  id: z.number().int(),
  status: z.number().int(),
  name: z.string(),
  thumbnailUrl: z.string().nullable(),
  createdAt: z.iso.datetime(),
  /** Null: the match was erased. */
  match: z
    .object({
      name: z.string(),
      thumbnailUrl: z.string().nullable(),
      /** Null: a duplicate. */
      blacklistName: z.string().nullable(),
      /** Of the blacklist face when it matched; null: a duplicate. */
      severity: z.enum(SEVERITIES).nullable(),
      /** 0 to 100. */
      score: z.number(),
      band: z.enum(SCORE_BANDS),
    })
    .nullable(),
});
export type OverviewHit = z.infer<typeof hit>;

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
    /** Records that the last erasure by retention rules could not erase. */
    unerased: count,
    inProgress: count,
    workers: count,
    freeBytes: z.number().nullable(),
    minFreeBytes: z.number(),
    /** Images processed in a minute, over the last five; null while none was. */
    perMinute: z.number().nullable(),
    /** Images in the queue, of all companies: together they take the time that is left. */
    queued: count,
  }),
  /** The newest, at most eight. */
  hits: z.array(hit),
  /** Null: the role does not include the state of the installation. */
  backup: backupSummary.nullable(),
  /** The first steps of a new company, and whether each is done. */
  firstSteps: z.object({
    enrolled: z.boolean(),
    blacklisted: z.boolean(),
    flowPublished: z.boolean(),
    verified: z.boolean(),
  }),
});
export type Overview = z.infer<typeof overview>;

/** How many days the chart of the first page shows before today. */
export const ACTIVITY_DAYS = 13;

/** `from`: when each of the days began, oldest first; the last one ends at `until`. A day has 23 to 25 hours. */
export const activityQuery = z.object({
  from: z
    .string()
    .transform((text) => text.split(','))
    .pipe(z.array(z.iso.datetime()).min(1).max(ACTIVITY_DAYS)),
  until: z.iso.datetime(),
});
export const activity = z.object({
  days: z.array(
    z.object({ from: z.iso.datetime(), validations: count, duplicates: count, blacklisted: count }),
  ),
});
export type ActivityDay = z.infer<typeof activity>['days'][number];

/** The dashboard's operations. */
export const overviewApi = {
  read: poll('/overview', 'session', { query: overviewQuery, answer: overview }),
  activity: poll('/overview/activity', 'validations:read', { query: activityQuery, answer: activity }),
  newHits: poll('/hits', 'validations:read', { query: newHitsQuery, answer: newHits }),
};
