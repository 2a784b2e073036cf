/** Trust Flows as the dashboard sets them up: the tool's settings, first a draft, then saved with the flow. */
import { z } from 'zod';
import { HIT_ACTIONS } from '../flows.ts';

/** The settings as they are kept: every key is there. */
const keptSettings = z.object({
  duplicateDetection: z.object({ enabled: z.boolean(), action: z.enum(HIT_ACTIONS) }),
  blacklistDetection: z.object({
    enabled: z.boolean(),
    blacklistIds: z.array(z.number().int()),
    action: z.enum(HIT_ACTIONS),
  }),
  registration: z.object({ enabled: z.boolean() }),
  targetFmr: z.number(),
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
export const flowList = z.object({
  items: z.array(flowRow),
  /** Enrolled faces of the company, with which the check for duplicates compares. */
  enrolledFaces: z.number().int(),
});

export const FLOW_NAME_LIMIT = 100;
