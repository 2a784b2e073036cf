/** Trust Flows: the settings of the Biometrics Verification tool, and what is kept of a screening. */
import { z } from 'zod';
import { displayName } from './displayName.ts';
import { get, patch, post, put } from './dashboard/operation.ts';
import { pathId } from './ids.ts';

/** The outcome of a verification that has a hit. Review Needed is the default; a company may choose rejection. */
export const HIT_ACTIONS = ['review', 'reject'] as const;
export type HitAction = (typeof HIT_ACTIONS)[number];

/** Range of the false-match rate of a flow: beyond it no calibration measures anything. */
export const MIN_FMR = 1e-7;
export const MAX_FMR = 0.1;
/** The false positive identification rates that a flow can have: the share of searches of unknown people with a false alarm. */
export const TARGET_FPIRS = [0.1, 0.01, 0.001, 0.0001] as const;

/** The share of searches of unknown people that may raise a false alarm; null: the threshold is the fixed `targetFmr`. */
const targetFpir = z.literal(TARGET_FPIRS).nullable().default(null);

/** The blacklists that have a rate of their own: the share of searches of unknown people that may raise a false alarm. */
const ownRates = z.array(z.object({ blacklistId: z.number().int(), targetFpir: z.literal(TARGET_FPIRS) }));

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
        // Duplicate ids are removed: a screening has one entry per list.
        .transform((ids) => [...new Set(ids)])
        .default([]),
      action: z.enum(HIT_ACTIONS).default('review'),
      /** Match threshold of blacklists; without it and without a rate: as for duplicate detection. */
      targetFmr: z.number().min(MIN_FMR).max(MAX_FMR).nullable().default(null),
      /** Of each blacklist apart: its threshold follows the number of persons in it. */
      targetFpir,
      /** Instead of the choice for all blacklists. */
      ownRates: ownRates
        .max(1000)
        .refine((rates) => new Set(rates.map(({ blacklistId }) => blacklistId)).size === rates.length, {
          error: 'Each blacklist has one rate.',
        })
        .default([]),
    })
    .prefault({}),
  /** The selfie is enrolled as soon as it is taken, under a name that the client asks for. */
  registration: z.object({ enabled: z.boolean().default(false) }).prefault({}),
  /** Match threshold, as the false-match rate of one comparison. */
  targetFmr: z.number().min(MIN_FMR).max(MAX_FMR).default(1e-4),
  /** The match threshold follows the number of enrolled persons. */
  targetFpir,
});
export type FlowSettings = z.infer<typeof flowSettings>;

/** The choice of a match threshold: by the rate of false alarms per search where it is set, else the rate of one comparison. */
export interface ThresholdChoice {
  targetFmr: number;
  targetFpir: (typeof TARGET_FPIRS)[number] | null;
}
type Thresholds = ThresholdChoice & {
  blacklistDetection: { [Key in keyof ThresholdChoice]: ThresholdChoice[Key] | null } & {
    ownRates: z.infer<typeof ownRates>;
  };
};

/**
 * The choice for blacklists, which is that for duplicates unless they have their own.
 * @param list a blacklist, which may have a rate of its own; absent: the choice for those that have none
 */
export function blacklistThreshold(
  { blacklistDetection: own, ...enrolled }: Thresholds,
  list?: number,
): ThresholdChoice {
  const { targetFmr, targetFpir: rate } = own;
  const ofList = own.ownRates.find(({ blacklistId }) => blacklistId === list);
  if (ofList !== undefined) return { targetFmr: enrolled.targetFmr, targetFpir: ofList.targetFpir };
  if (targetFmr === null && rate === null) return enrolled;
  return { targetFmr: targetFmr ?? enrolled.targetFmr, targetFpir: rate };
}

export const flowName = z
  .string()
  .overwrite(displayName)
  .min(1, 'The name field is required.')
  .max(100, 'The name must not be greater than 100 characters.');

/** The settings as they are kept: every key is there. */
const keptSettings = z.object({
  duplicateDetection: z.object({ enabled: z.boolean(), action: z.enum(HIT_ACTIONS) }),
  blacklistDetection: z.object({
    enabled: z.boolean(),
    blacklistIds: z.array(z.number().int()),
    action: z.enum(HIT_ACTIONS),
    targetFmr: z.number().nullable(),
    targetFpir: z.literal(TARGET_FPIRS).nullable(),
    ownRates,
  }),
  registration: z.object({ enabled: z.boolean() }),
  targetFmr: z.number(),
  targetFpir: z.literal(TARGET_FPIRS).nullable(),
});

export const flowRow = z.object({
  id: z.number().int(),
  name: z.string(),
  /** The internal flow of bulk enrolment: it cannot be edited, and it screens nothing. */
  system: z.boolean(),
  /** The lists and the threshold of the screening; null for the internal flow, and until the first version is published. */
  saved: keptSettings.nullable(),
  /** Counts the saves; null where `saved` is. */
  version: z.number().int().nullable(),
  savedAt: z.iso.datetime(),
  /** Saved in the tool, not yet with the flow: nothing is screened by it. */
  draft: keptSettings.nullable(),
  /** Counts the changes of the draft and of the version: a change names the one that the operator saw. */
  revision: z.number().int(),
  /** Names of chosen blacklists by id, of the draft and of what is saved, also of lists that are gone. */
  blacklistNames: z.record(z.string(), z.string()),
});
/** Each change of the draft or of the version names the revision that the operator saw; another one is refused. */
export const flowSeen = z.object({ revision: z.int() });
/** `PUT /flows/:id/tool`: settings for the draft, which the rules check; null discards the draft. */
export const flowDraft = flowSeen.extend({ settings: z.unknown() });
export type FlowRow = z.infer<typeof flowRow>;
export type KeptFlowSettings = z.infer<typeof keptSettings>;
export const flowList = z.object({ items: z.array(flowRow) });
/** `GET /flows/searched`: for the false alarms to expect. A large gallery takes about a second: its persons are counted. */
export const flowsSearched = z.object({
  /** The lists that flows can compare with: the active blacklists with their persons; null: the enrolled faces. */
  lists: z.array(z.object({ id: z.number().int().nullable(), persons: z.number().int() })),
  /** Thresholds of a rate per search end at this false match rate of one comparison; null: the pipeline is not installed. */
  rarestRate: z.number().nullable(),
});

export const FLOW_NAME_LIMIT = 100;

const byId = z.object({ id: pathId.trustFlow });
/** The dashboard's operations. */
export const flowApi = {
  list: get('/flows', 'flows:read', { answer: flowList }),
  searched: get('/flows/searched', 'flows:read', { answer: flowsSearched }),
  create: post('/flows', 'flows:write', {
    body: z
      .object({ name: z.unknown().optional() })
      .extend({ settings: z.unknown().optional(), draft: z.boolean().default(false) }),
    answer: flowRow,
  }),
  rename: patch('/flows/:id', 'flows:write', {
    params: byId,
    body: z.object({ name: z.unknown().optional() }),
    answer: flowRow,
  }),
  setDraft: put('/flows/:id/tool', 'flows:write', { params: byId, body: flowDraft, answer: flowRow }),
  save: post('/flows/:id/save', 'flows:write', { params: byId, body: flowSeen, answer: flowRow }),
};
