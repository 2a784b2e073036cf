/** Hits on blacklists that are new to an open dashboard, and an operator's choice of notification. */
import { z } from 'zod';
import { SEVERITIES } from '../faceListing.ts';

export const ALERT_WAYS = ['off', 'sound', 'notification', 'both'] as const;

/** Part of an operator's own settings. */
export const alertChoice = z.object({
  way: z.enum(ALERT_WAYS),
  /** Hits of a lower severity cause no alert. */
  from: z.enum(SEVERITIES),
  /** Sound and notification also while the window has the focus. */
  whileFocused: z.boolean(),
  /** Notifications name the blacklist. They never name a person or show a face. */
  listName: z.boolean(),
});
export type AlertChoice = z.infer<typeof alertChoice>;
export const DEFAULT_ALERTS: AlertChoice = {
  way: 'off',
  from: 'information',
  whileFocused: false,
  listName: false,
};

/** Hits of one answer; more are left to the list of validations. */
export const MAX_HITS = 100;

/** `GET /hits`: the hits after `after`; without it none, only where the present ends. */
export const newHitsQuery = z.object({ after: z.coerce.number().int().min(0).optional() });
export const newHits = z.object({
  /** `after` of the next request. */
  last: z.number().int(),
  /** One per validation, with its most severe match; oldest first. */
  hits: z.array(
    z.object({
      validation: z.number().int(),
      blacklistName: z.string(),
      severity: z.enum(SEVERITIES),
    }),
  ),
});
export type NewHits = z.infer<typeof newHits>;
export type NewHit = NewHits['hits'][number];
