/**
 * The use of the system in a period: each search with its start and end, the reference database, its input, and the persons
 * who verified its result. These are the four facts that Article 12 (3) of Regulation (EU) 2024/1689 asks of the logs of
 * systems for remote biometric identification. All are read from the audit log, which an erasure does not change.
 */
import { z } from 'zod';
import { USES, type AuditAction, type UseKind } from '../../contracts/audit.ts';
import { SCORE_BANDS, TRUST_VALIDATION_STATUS } from '../../contracts/codes.ts';
import { VERDICTS } from '../../contracts/signatures.ts';
import type { CompanyId } from '../../contracts/ids.ts';
import type { AuditLog } from '../../storage/audit/auditLog.ts';
import type { AuditEntry, AuditEntryFilter } from '../ports/auditEntry.ts';
import type { AlarmKind, Alarms, Use, User } from '../ports/reports.ts';

/** The facts of an entry that the report needs; an entry has those of its action. */
const recorded = z.object({
  watchlists: z.array(z.number().nullable()).catch([]),
  faces: z.number().nullable().catch(null),
  took: z.number().catch(0),
  band: z.enum(SCORE_BANDS).optional().catch(undefined),
  verdict: z.enum(VERDICTS).optional(),
  matches: z.number().optional(),
  listed: z.number().catch(0),
  pairs: z.number().optional(),
  state: z.string().optional(),
  step: z.string().optional(),
  confirms: z.number().optional(),
  to: z.number().nullable().catch(null),
});

const ACTIONS = Object.values(USES).flat();
const KIND_OF = new Map(
  (Object.entries(USES) as [UseKind, readonly AuditAction[]][]).flatMap(([kind, actions]) =>
    actions.map((action) => [action as string, kind] as const),
  ),
);

/** The filter of the entries that make uses. A duplicate search that was cancelled has no other entry of its end. */
export const usesIn = (period: Pick<AuditEntryFilter, 'from' | 'to'>): AuditEntryFilter => ({
  ...period,
  actions: ACTIONS,
});

/** The uses of a period with the alarms among them, oldest first, page by page, up to an entry. */
export async function* usesOf(
  audit: AuditLog,
  company: CompanyId,
  { upTo, ...period }: Pick<AuditEntryFilter, 'from' | 'to'> & { upTo: number },
): AsyncIterable<readonly { use: Use; alarm: AlarmKind | null }[]> {
  const from = period.from === undefined ? {} : { from: period.from };
  const decisions = await entriesBy(audit, company, { ...from, action: 'validation.decided' }, upTo);
  for await (const entries of audit.all(company, { filter: usesIn(period), upTo })) {
    const facts = entries.map((entry) => ({ entry, fact: recorded.parse(JSON.parse(entry.details)) }));
    const earlier = await entriesBy(audit, company, { objects: earlierOf(facts) }, upTo);
    yield facts.flatMap(({ entry, fact }) => {
      const kind = KIND_OF.get(entry.action);
      const isGoingOn = entry.action === 'duplicates.changed' && fact.state !== 'cancelled';
      if (kind === undefined || isGoingOn) return [];
      const about = earlier.get(entry.object ?? '') ?? [];
      const began = kind === 'duplicateSearch' ? about[0] : undefined;
      const concluded = about.filter(
        (each) => recorded.parse(JSON.parse(each.details)).step === 'evaluation',
      );
      const use: Use = {
        kind,
        start: new Date(entry.at - fact.took),
        end: new Date(concluded.at(-1)?.at ?? entry.at),
        by: began?.actor ?? entry.actor,
        watchlists: fact.watchlists,
        faces: fact.faces,
        input: kind === 'search' ? null : entry.object,
        result: fact.band ?? fact.verdict ?? fact.matches ?? fact.pairs ?? null,
        verified:
          kind === 'examination'
            ? concluded.map(({ actor: by }) => ({ by, status: null }))
            : verifiersOf(kind, entry, decisions, earlier.get(`identity-decision:${fact.confirms}`)),
      };
      const isAlarm = kind === 'verification' && (fact.matches ?? 0) > 0;
      return [{ use, alarm: isAlarm ? (fact.listed > 0 ? 'blacklist' : 'duplicate') : null }];
    });
  }
}

type Entries = ReadonlyMap<string, readonly AuditEntry[]>;

/** Where a duplicate search began, who examined a pair, and the decisions that a second operator confirmed. */
function earlierOf(facts: readonly { entry: AuditEntry; fact: z.infer<typeof recorded> }[]): string[] {
  return facts.flatMap(({ entry: { action, object }, fact: { confirms } }) => [
    ...(confirms === undefined ? [] : [`identity-decision:${confirms}`]),
    ...(/^(duplicates|examination)\./.test(action) && object !== null ? [object] : []),
  ]);
}

/** Entries by their object, each oldest first. */
async function entriesBy(
  audit: AuditLog,
  company: CompanyId,
  filter: AuditEntryFilter,
  upTo: number,
): Promise<Entries> {
  const found = new Map<string, AuditEntry[]>();
  if (filter.objects?.length === 0) return found;
  for await (const entries of audit.all(company, { filter, upTo }))
    for (const entry of entries) {
      const { object } = entry;
      if (object === null) continue;
      const others = found.get(object);
      if (others === undefined) found.set(object, [entry]);
      else others.push(entry);
    }
  return found;
}

function verifiersOf(
  kind: UseKind,
  { object, actor }: AuditEntry,
  decisions: Entries,
  first: readonly AuditEntry[] = [],
): Use['verified'] {
  if (kind === 'duplicateDecision')
    return [...first.slice(0, 1).map((entry) => entry.actor), actor].map((by) => ({ by, status: null }));
  if (kind !== 'verification' || object === null) return [];
  return (decisions.get(object) ?? []).map(({ actor: by, details }) => ({
    by,
    status: recorded.parse(JSON.parse(details)).to,
  }));
}

/** Counts an alarm by its last decision; an undecided one, or one that was returned to review, is neither right nor wrong. */
export function countAlarm(alarms: Alarms, { verified }: Pick<Use, 'verified'>): void {
  const status = verified.at(-1)?.status;
  alarms.all += 1;
  if (status === TRUST_VALIDATION_STATUS.Rejected) alarms.right += 1;
  if (status === TRUST_VALIDATION_STATUS.Verified) alarms.wrong += 1;
}

const DECISIONS = ['validation.decided', 'identity.decided', 'identity.undone'];

/** Those who used the system in a period, most uses first. */
export async function usersIn(
  audit: AuditLog,
  company: CompanyId,
  period: Pick<AuditEntryFilter, 'from' | 'to'>,
): Promise<User[]> {
  const rows = await audit.activity(company, period);
  return [...Map.groupBy(rows, ({ actor }) => actor)]
    .map(([by, of]) => {
      const sum = (is: (action: string) => boolean) =>
        of.reduce((total, { action, entries }) => total + (is(action) ? entries : 0), 0);
      return {
        by,
        uses: sum((action) => KIND_OF.has(action) && !DECISIONS.includes(action)),
        decisions: sum((action) => DECISIONS.includes(action)),
        exports: sum((action) => action === 'export.taken'),
        entries: sum(() => true),
        last: new Date(Math.max(...of.map(({ last }) => last))),
      };
    })
    .toSorted((a, b) => b.uses - a.uses || b.entries - a.entries);
}
