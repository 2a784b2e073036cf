/** Recognition pipelines as the terminal and the dashboard show them. */
import { z } from 'zod';
import { problemShape } from './errors/problemShape.ts';
import { FAILURE_CODES } from './errors/failures.ts';
import { get, poll, post } from './dashboard/operation.ts';
import { displayLine } from './displayLine.ts';

export const pipelineFacts = z.object({
  id: z.string(),
  name: z.string(),
  title: z.string(),
  builtIn: z.boolean(),
  /** Superseded: not selectable, and still active for companies without templates of its successor. */
  retired: z.boolean(),
  dimensions: z.number().int(),
  licence: z.string(),
});

export const pipelineList = z.object({
  pipelines: z.array(pipelineFacts),
  /** Packs that are there and are not used, each with what is wrong with it. */
  refused: z.array(z.object({ name: z.string(), reason: z.string() })),
});

export const MIGRATION_STAGES = ['extracting', 'paused', 'refused', 'waiting'] as const;

/** How a company's faces are compared, and the change to another pipeline while it is under way (else null). */
export const companyPipeline = z.object({
  company: z.string(),
  serving: z.string(),
  /** Null: the pack is missing, and nothing can be compared. */
  name: z.string().nullable(),
  changingTo: z.string().nullable(),
  stage: z.enum(MIGRATION_STAGES).nullable(),
  faces: z.number().int().nullable(),
  extracted: z.number().int().nullable(),
  refused: z.number().int().nullable(),
  facesPerSecond: z.number().nullable(),
  secondsLeft: z.number().nullable(),
  stored: z.array(z.object({ pipeline: z.string(), templates: z.number().int() })),
  /** Pipelines that the company's own photos were measured with; the thresholds found count while that one serves. */
  measured: z.array(z.string()),
});

/** Whether thresholds were measured on a company's own photos, but not with this pipeline: here they do not count. */
export function measuredElsewhere(measured: readonly string[], pipeline: string): boolean {
  return measured.length > 0 && !measured.includes(pipeline);
}

export const pipelineName = z.string().trim().min(1).max(40);

// Which network describes the company's faces, what else could, and a change from one to the other.

/** A pipeline that can be chosen. */
const pipelineChoice = pipelineFacts.extend({
  /** Templates of the company that this pipeline has made, now or earlier: a change back starts with these. */
  templates: z.number().int(),
});
export type PipelineChoice = z.infer<typeof pipelineChoice>;

/** The change that is under way. */
const pipelineChange = z.object({
  target: z.string(),
  /** Null: its pack is not there any more. */
  targetName: z.string().nullable(),
  startedAt: z.iso.datetime(),
  stage: z.enum(MIGRATION_STAGES),
  faces: z.number().int(),
  extracted: z.number().int(),
  /** Faces that the new pipeline refuses: an administrator decides about them. */
  refused: z.number().int(),
  /** Over the last minute; null while no template is being extracted. */
  facesPerSecond: z.number().nullable(),
  secondsLeft: z.number().nullable(),
});
export type PipelineChange = z.infer<typeof pipelineChange>;

/** `GET /pipelines`; what changes something answers the same. */
export const pipelineState = z.object({
  serving: z.string(),
  /** Null: its pack is missing, and nothing can be compared. */
  servingName: z.string().nullable(),
  pipelines: z.array(pipelineChoice),
  /** Packs that are there and are not used, each with what is wrong with it. */
  refusedPacks: z.array(z.object({ name: z.string(), reason: problemShape })),
  measured: companyPipeline.shape.measured,
  change: pipelineChange.nullable(),
});
export type PipelineState = z.infer<typeof pipelineState>;

/** `POST /pipelines/use`: describes everybody by this one; the old one serves until that is done. */
export const pipelineUse = z.object({ name: pipelineName });

/** `leave`: changes over without the faces that are refused. `cancel`: stays with what serves. */
export const PIPELINE_STEPS = ['pause', 'resume', 'retry', 'leave', 'cancel'] as const;
export type PipelineStep = (typeof PIPELINE_STEPS)[number];
/** `POST /pipelines/change` */
export const pipelineStep = z.object({ step: z.enum(PIPELINE_STEPS) });

/** `GET /pipelines/refused`, by rising ids. `cursor` is the last id of the page before. */
export const refusedFaceQuery = z.object({
  cursor: z.coerce.number().int().nonnegative().brand<'FaceId'>().optional(),
  limit: z.coerce.number().int().min(1).max(500).optional(),
});
export const refusedFacePage = z.object({
  items: z.array(
    z.object({
      faceId: z.number().int(),
      /** File name without its extension. */
      name: z.string(),
      /** Null: enrolled for duplicate detection. */
      blacklistId: z.number().int().nullable(),
      code: z.enum(FAILURE_CODES),
      thumbnailUrl: z.string().nullable(),
    }),
  ),
  nextCursor: z.string().nullable(),
});

/** `POST /local/pipelines/purge`. */
export const pipelinePurge = z.object({ pipeline: z.string().min(1).max(200) });

export const purgedTemplates = z.object({ templates: z.number().int() });

/** The dashboard's operations. */
export const pipelineApi = {
  state: poll('/pipelines', 'system:read', { answer: pipelineState }),
  refused: poll('/pipelines/refused', 'system:read', { query: refusedFaceQuery, answer: refusedFacePage }),
  use: post('/pipelines/use', 'pipelines:write', { body: pipelineUse, answer: pipelineState }),
  change: post('/pipelines/change', 'pipelines:write', { body: pipelineStep, answer: pipelineState }),
  purge: post('/local/pipelines/purge', 'session', { body: pipelinePurge, answer: purgedTemplates }),
  installed: get('/local/pipelines', 'session', { answer: pipelineList }),
  ofCompanies: get('/local/pipelines/companies', 'session', {
    query: z.object({ company: displayLine(100).min(1).optional() }),
    answer: z.array(companyPipeline),
  }),
};
