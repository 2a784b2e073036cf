/** Recognition pipelines as the terminal and the dashboard show them. */
import { z } from 'zod';

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
