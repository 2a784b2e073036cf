/**
 * Whether unattended erasure may run now. Neither a wrong clock nor a mistake in the rules may erase records that no
 * person saw in a preview (docs/adr/0033-automatic-erasure-is-held-when-implausible.md).
 */
import type { HeldRetention } from '../../contracts/retention.ts';
import type { Platform } from '../ports/machine.ts';
import type { RetentionCheck } from '../ports/erasure.ts';
import type { AuditLog } from '../../storage/audit/auditLog.ts';
import type { Erasures } from '../../storage/erasure/erasures.ts';
import type { RetentionChecks } from '../../storage/erasure/retentionDue.ts';
import type { Company } from '../ports/auditContext.ts';
import { z } from 'zod';
import { recordsIn, type ErasureChoice } from '../../contracts/erasure.ts';
import type { CompanyId } from '../../contracts/ids.ts';
import type { PhotoReference } from '../ports/auditEntry.ts';

// The due records that the last run of retention rules could not erase, as its audit entry names them.

/** Ids of one kind that are named; the log of the service names all. */
const MAX_NAMED = 20;
const ids = z.array(z.number()).default([]);
const recorded = z.object({
  unerased: z.number().default(0),
  validations: ids,
  faces: ids,
  comparisons: ids,
  photos: z.array(z.string()).default([]),
});

export interface Unerased {
  count: number;
  /** Such as `validation:7` or `photo:UPLOAD:INDEX`; not all of many. */
  named: string[];
}

/** The details of the audit entry of a run. */
export function unerasedDetails(records: ErasureChoice) {
  return {
    unerased: recordsIn(records),
    validations: records.validations.slice(0, MAX_NAMED),
    faces: records.faces.slice(0, MAX_NAMED),
    comparisons: records.comparisons.slice(0, MAX_NAMED),
    photos: records.photos
      .slice(0, MAX_NAMED)
      .map(({ uploadId, index }): PhotoReference => `${uploadId}:${index}`),
  };
}

/** The records that the last run of a company left. */
export async function lastUnerased(audit: Pick<AuditLog, 'list'>, company: CompanyId): Promise<Unerased> {
  const [last] = await audit.list(company, { filter: { action: 'retention.applied' }, limit: 1 });
  const { unerased, validations, faces, comparisons, photos } = recorded.parse(
    JSON.parse(last?.details ?? '{}'),
  );
  const named = [
    ...validations.map((id) => `validation:${id}`),
    ...faces.map((id) => `face:${id}`),
    ...comparisons.map((id) => `comparison:${id}`),
    ...photos.map((id) => `photo:${id}`),
  ];
  return { count: unerased, named };
}

const DAY = 24 * 60 * 60 * 1000;
/** Time for which a machine may have been switched off without a question: a holiday. No clock but the set one measures it. */
const MAX_OFF_MS = 7 * DAY;
/** So many records are never too many: at a small installation every batch is many times the one before. */
const ALWAYS_ALLOWED = 100;
/** A run that takes more than this many times the largest earlier run needs a confirmation. */
const MANY_TIMES = 10;
/** Earlier runs that count: a month of daily ones. */
const EARLIER_RUNS = 30;

export interface PlausibilityPorts extends Pick<Platform, 'clock' | 'bootClock'> {
  erasures: Pick<Erasures, 'dueCounts'>;
  retentionChecks: Pick<RetentionChecks, 'find'>;
  audit: Pick<AuditLog, 'list'>;
}

/** @returns why the company's unattended erasure must not run now; null: it may */
export async function whyHeld(ports: PlausibilityPorts, company: Company): Promise<HeldRetention | null> {
  const { retention } = company.settings;
  if (Object.values(retention).every((days) => days === null)) return null;
  const check = await ports.retentionChecks.find(company.id);
  if (check === undefined) return { reason: 'unconfirmed' };
  const now = ports.clock.now();
  const latest = latestPlausible(check, ports.bootClock.read());
  if (now > latest) return { reason: 'clock', now: now.toISOString(), latest: latest.toISOString() };
  const due = Object.values(await ports.erasures.dueCounts(company.id, retention, now)).reduce(
    (sum, count) => sum + count,
    0,
  );
  const most = Math.max(
    ALWAYS_ALLOWED,
    // As many again may have come due since the preview was seen.
    2 * check.confirmed,
    MANY_TIMES * (await largestRun(ports.audit, company)),
  );
  return due > most ? { reason: 'count', due, most } : null;
}

/**
 * The latest time that a right clock can show: the time of the last check, plus the time since then that the machine's
 * uptime proves, plus a day. Uptime proves all of it while the machine has not been restarted; after a restart it proves
 * the time since that, and the machine was off for a time that is not measured.
 */
export function latestPlausible(
  { at, boot, uptime }: RetentionCheck,
  machine: { boot: string; uptime: number },
): Date {
  const sameStart = boot !== '' && boot === machine.boot && machine.uptime >= uptime;
  const since = sameStart ? machine.uptime - uptime : machine.uptime + MAX_OFF_MS;
  return new Date(at.getTime() + since + DAY);
}

/** Records that the largest of the last runs erased. */
async function largestRun(audit: Pick<AuditLog, 'list'>, company: Company): Promise<number> {
  const runs = await audit.list(company.id, {
    filter: { action: 'retention.applied' },
    limit: EARLIER_RUNS,
  });
  const erased = runs.map(({ details }) => Number((JSON.parse(details) as { erased?: unknown }).erased ?? 0));
  return Math.max(0, ...erased);
}
