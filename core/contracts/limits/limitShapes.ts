/** The wire shapes of limits, for the terminal and the dashboard. */
import { z } from 'zod';
import { namesOf } from '../namesOf.ts';
import {
  COMPANY_LIMITS,
  LIMIT_TEXTS,
  limitRangeText,
  limitWord,
  INSTALLATION_LIMITS,
  type CompanyLimit,
  type Limit,
  type InstallationLimit,
} from './limits.ts';

/** New values by path; the catalogue in limits.ts says which are allowed. */
export const limitChange = z.record(z.string().max(100), z.number().nullable());
export type LimitChange = z.infer<typeof limitChange>;

/** A limit as the terminal shows it: bytes and seconds as numbers, null for no limit. */
export const settableLimit = z.object({
  setting: z.string(),
  value: z.number().nullable(),
  default: z.number().nullable(),
  least: z.number(),
  most: z.number(),
  unit: z.string(),
  range: z.string(),
  affects: z.string(),
});
export type SettableLimit = z.infer<typeof settableLimit>;

export type LimitValues = Readonly<Record<string, number | null>>;

/** The limits of a scope with their present values, in the order of the catalogue. */
export function settableLimits(scope: 'company' | 'installation', values: LimitValues): SettableLimit[] {
  const limits: Readonly<Record<string, Limit>> = scope === 'company' ? COMPANY_LIMITS : INSTALLATION_LIMITS;
  return Object.entries(limits).map(([setting, limit]) => ({
    setting,
    value: values[setting] ?? null,
    default: limit.default,
    least: limit.least,
    most: limit.most,
    unit: limit.unit,
    range: limitRangeText(limit),
    affects: LIMIT_TEXTS[limitWord(setting as CompanyLimit | InstallationLimit)].affects,
  }));
}

/** `GET /settings` of the dashboard, and the answer of `PATCH /settings`: the present value of each limit. */
export const limitState = z.object({
  company: z.record(z.enum(namesOf(COMPANY_LIMITS)), z.number()),
  installation: z.record(z.enum(namesOf(INSTALLATION_LIMITS)), z.number().nullable()),
});
export type LimitState = z.infer<typeof limitState>;

/** `PATCH /settings`: only the limits that change. */
export const limitPatch = z.object({ change: limitChange });
