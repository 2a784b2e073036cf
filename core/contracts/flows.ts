/** Trust Flows: the settings of the Biometrics Verification tool, and what is kept of a screening. */
import { z } from 'zod';
import { displayName } from './displayName.ts';

/** The outcome of a verification that has a hit. Review Needed is the default; a company may choose rejection. */
export const HIT_ACTIONS = ['review', 'reject'] as const;
export type HitAction = (typeof HIT_ACTIONS)[number];

/** Range of the false-match rate of a flow: beyond it no calibration measures anything. */
export const MIN_FMR = 1e-7;
export const MAX_FMR = 0.1;

export const flowSettings = z.object({
  duplicateDetection: z
    .object({ enabled: z.boolean().default(true), action: z.enum(HIT_ACTIONS).default('review') })
    .prefault({}),
  /** Perform Blacklist Detection, and Blacklists to screen against. */
  blacklistDetection: z
    .object({
      enabled: z.boolean().default(false),
      blacklistIds: z
        .array(z.number().int())
        .max(1000)
        // Chosen twice is chosen: a screening has one entry per list.
        .transform((ids) => [...new Set(ids)])
        .default([]),
      action: z.enum(HIT_ACTIONS).default('review'),
    })
    .prefault({}),
  /** The selfie is enrolled as soon as it is taken, under a name that the client asks for. */
  registration: z.object({ enabled: z.boolean().default(false) }).prefault({}),
  /** Match threshold, as the false-match rate of one comparison. */
  targetFmr: z.number().min(MIN_FMR).max(MAX_FMR).default(1e-4),
});
export type FlowSettings = z.infer<typeof flowSettings>;

export const flowName = z
  .string()
  .overwrite(displayName)
  .min(1, 'The name field is required.')
  .max(100, 'The name must not be greater than 100 characters.');
