/** Trust Flows: the Biometrics Verification tool, its draft and its saved version (service.md 4.7). */
import { z } from 'zod';

export const HIT_ACTIONS = ['review', 'reject'] as const;

export const toolSettings = z.object({
  duplicateDetection: z.boolean(),
  duplicateAction: z.enum(HIT_ACTIONS),
  blacklistDetection: z.boolean(),
  blacklistIds: z.array(z.number().int()),
  blacklistAction: z.enum(HIT_ACTIONS),
  /** False-match rate of one comparison, e.g. 0.0001: one stranger in ten thousand. */
  targetFalseMatchRate: z.number().min(1e-7).max(1e-2),
});
export type ToolSettings = z.infer<typeof toolSettings>;

export const trustFlow = z.object({
  id: z.number().int(),
  name: z.string(),
  /** The internal flow of mass enrolment cannot be edited. */
  system: z.boolean(),
  /** What new validations use; null before the first save. */
  saved: toolSettings.nullable(),
  savedAt: z.iso.datetime().nullable(),
  version: z.number().int(),
  /** Tool settings that were saved but not yet put into use by saving the flow. */
  draft: toolSettings.nullable(),
  validationsCount: z.number().int(),
});
export type TrustFlow = z.infer<typeof trustFlow>;
export const trustFlowList = z.object({ items: z.array(trustFlow) });
