/** Runs, groups and decisions of duplicate detection as programs read and write them. */
import { z } from 'zod';
import { SCORE_BANDS } from './codes.ts';
import {
  duplicateRun,
  GROUP_LISTED,
  GROUP_STATES,
  groupQuery,
  PERSON_DECISIONS,
  NOT_JOINED,
} from './dashboard/duplicates.ts';
import { cursorPage, cursorQuery, personFaceView, personView } from './persons.ts';
import { timestamp } from './uploads.ts';

const id = z.number().int();
const similarity = {
  similarityScore: z.number().describe('0 to 100'),
  band: z.enum(SCORE_BANDS),
};

/** `GET /api/v3/duplicate-detection/groups`; the filters of the dashboard. */
export const groupsQuery = groupQuery.extend(cursorQuery);

export const groupView = z.object({
  groupId: id,
  version: id.describe('rises with every change; a decision names the version that its program has read'),
  state: z.enum(GROUP_STATES),
  identicalPhotos: z.boolean().describe('all its photos are the same bytes'),
  certainty: z
    .number()
    .describe(
      'share of near pairs as similar as its least similar link that chance does not explain, 0 to 1',
    ),
  ...similarity,
  numberOfFaces: id,
  faceIds: z.array(id).describe(`the first by id, at most ${GROUP_LISTED.row}`),
  createdAt: timestamp,
  updatedAt: timestamp,
});
export const groupsPage = cursorPage(groupView);

export const groupDetailView = groupView.omit({ faceIds: true }).extend({
  faces: z.array(personFaceView).describe(`by id, at most ${GROUP_LISTED.faces}`),
  pairs: z
    .array(
      z.object({
        faceIds: z.array(id).describe('two faces'),
        identicalPhotos: z.boolean(),
        decision: z.enum(PERSON_DECISIONS).nullable().describe('the decision in force about both'),
        ...similarity,
      }),
    )
    .describe(`the least similar first, at most ${GROUP_LISTED.pairs}`),
  numberOfPairs: id,
  alsoNear: z
    .array(
      z.object({
        faceId: id,
        groupId: id.nullable(),
        groupVersion: id.nullable(),
        reason: z.enum(NOT_JOINED),
        ...similarity,
      }),
    )
    .describe('faces that are near one of this group, and why they are not in the group'),
  history: z
    .array(
      z.object({
        decisionId: id,
        decision: z.enum(PERSON_DECISIONS),
        faceIds: z.array(id),
        actor: z.string(),
        at: timestamp,
        reason: z.string().nullable(),
        measured: z
          .object({ similarityScore: similarity.similarityScore.nullable(), pipeline: z.string() })
          .nullable()
          .describe(
            'its least similar pair when it was made; the score is null without that pipeline today, all is null where nothing was measured',
          ),
        undoneAt: timestamp.nullable(),
        awaitsConfirmation: z.boolean().describe('a second operator must confirm it before it takes effect'),
      }),
    )
    .describe('newest first'),
});

/** After a decision or its undo. */
export const groupDecided = z.object({
  decisionId: id.nullable().describe('undoes the decision; null after an undo'),
  group: groupView.nullable().describe('null: another group has its faces now'),
  person: personView.nullable().describe('the person that the faces belong to now'),
});

export const runView = duplicateRun
  .omit({ id: true, startedByName: true, blacklists: true })
  .extend({ runId: id, blacklistIds: z.array(id) });
/** A run that has just been started. */
export const runStarted = runView.pick({
  runId: true,
  mode: true,
  state: true,
  blacklistIds: true,
  oneIn: true,
  faces: true,
  startedAt: true,
});
export const runsQuery = z.object(cursorQuery);
export const runsPage = cursorPage(runView);
