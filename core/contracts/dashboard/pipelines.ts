/** Which network describes the company's faces, what else could, and a change from one to the other. */
import { problemShape } from '../errors/problemShape.ts';
import { z } from 'zod';
import { FAILURE_CODES } from '../errors/failures.ts';
import { companyPipeline, MIGRATION_STAGES, pipelineFacts, pipelineName } from '../pipelines.ts';

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
