import {
  type AuditAnchor,
  type AuditState,
  type AuditVerdict,
  type AuditFilter,
  type AuditPage,
  AUDIT_OBJECT_KINDS,
} from '../../contracts/audit.ts';
import { CodedError, problem } from '../../contracts/errors/problem.ts';
import { systemProblem } from '../../contracts/errors/systemProblem.ts';
import type { CompanyId } from '../../contracts/ids.ts';
import type { AuditContext, Actor } from '../ports/auditContext.ts';
import type { Installation } from '../../storage/settings/companies.ts';
import { acceptLog, anchorAuditLog, checkAnchors, type AnchorPorts } from './anchor.ts';
import type { Clock } from '../ports/machine.ts';
import { nameEntries, type NamingPorts } from './entryNames.ts';
import type { AuditEntryFilter } from '../ports/auditEntry.ts';
import type { AuditLog } from '../../storage/audit/auditLog.ts';
import type { RowTotals } from '../../storage/audit/rowTotals.ts';
import { Service } from '../serviceParts.ts';

/**
 * Some of the record, newest first, with the names of today.
 * @param company null: of the installation itself
 * @param others entries of the installation that are added
 */
export async function readAuditPage(
  ports: NamingPorts & { audit: AuditLog },
  company: CompanyId | null,
  { before, limit, ...filter }: AuditFilter & { before?: number | undefined; limit: number },
  others: Pick<AuditEntryFilter, 'installation'> = {},
): Promise<AuditPage> {
  const { audit } = ports;
  const resolved = { ...(await resolvedFilter(ports, company, filter)), ...others };
  const entries = await audit.list(company, { filter: resolved, limit: limit + 1, before });
  const shown = entries.slice(0, limit);
  return {
    items: shown.map(await nameEntries(ports, company, shown)),
    total: await audit.count(company, resolved),
    objects: resolved.objects?.length ?? null,
    nextBefore: entries.length > limit ? (shown.at(-1)?.sequence ?? null) : null,
  };
}

const OBJECT = /^[a-z][a-zA-Z-]{0,39}:[\w-]{1,60}$/;

/** A filter whose object is that of the log: a person's faces and validations with the person, names with what they name. */
export async function resolvedFilter(
  { views }: Pick<NamingPorts, 'views'>,
  company: CompanyId | null,
  { object, ...filter }: AuditFilter,
): Promise<AuditEntryFilter> {
  if (object === undefined) return filter;
  if (company === null || AUDIT_OBJECT_KINDS.includes(object)) return { ...filter, objects: [object] };
  const found = await views.auditObjects(company, object);
  return { ...filter, objects: OBJECT.test(object) && !found.includes(object) ? [object, ...found] : found };
}

/** How long a look lasts: an open page asks again by itself whenever something changes. */
const REPEAT_WINDOW_MS = 10 * 60_000;
/** More are not remembered at once; a forgotten one is recorded once more. */
const MAX_REMEMBERED = 10_000;

/** The views of the last ten minutes: a page that stays open makes one audit entry, not one per refresh. */
export class ViewAuditDeduplicator {
  readonly #clock: Clock;
  /** When a view was recorded, oldest first. */
  readonly #recorded = new Map<string, number>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Calls `record` unless this actor's look at this object is in the audit log already; rejects as `record` does. */
  async once(by: Actor, object: string, record: () => Promise<void>): Promise<void> {
    const key = `${by} ${object}`;
    const now = this.#clock.now().getTime();
    const before = this.#recorded.get(key);
    if (before !== undefined && Math.abs(now - before) < REPEAT_WINDOW_MS) return;
    await record();
    this.#recorded.delete(key);
    this.#recorded.set(key, now);
    for (const oldest of this.#recorded.keys()) {
      if (this.#recorded.size <= MAX_REMEMBERED) break;
      this.#recorded.delete(oldest);
    }
  }
}

export interface AuditServicePorts extends AnchorPorts {
  rowTotals: Pick<RowTotals, 'forget'>;
  installation: Installation;
}

/** The operations on the audit log: verify it and anchor it. No operation changes an entry. */
export class AuditService extends Service<AuditServicePorts> {
  #running: Promise<AuditVerdict> | undefined;

  /**
   * Reads the whole log and compares it with itself and with all anchors. A call while that runs gets its verdict.
   * @param company of the caller; null: the local administrator
   * @param elsewhere anchors that were kept outside the home
   */
  async verify(
    company: CompanyId | null,
    act: AuditContext,
    elsewhere: readonly AuditAnchor[] = [],
  ): Promise<AuditVerdict> {
    const { audit } = this.ports;
    const verdict = elsewhere.length > 0 ? await this.#verifyWith(elsewhere) : await this.#verifyAtHome();
    // A log that is not whole is evidence: a verification adds no entry to it.
    if (verdict.whole)
      await audit.record(act, {
        company,
        action: 'audit.verified',
        object: null,
        details: { entries: verdict.entries },
      });
    return verdict;
  }

  /**
   * Writes the head of the log outside the database, this act included.
   * @throws {CodedError} when the log contradicts an earlier anchor; then no entry and no anchor is written
   */
  async anchor(company: CompanyId | null, act: AuditContext): Promise<AuditAnchor> {
    await checkAnchors(this.ports);
    await this.ports.audit.record(act, { company, action: 'audit.anchored', object: null });
    const anchor = await anchorAuditLog(this.ports);
    if (anchor === undefined) throw new Error('An audit log with an entry has no head.');
    return anchor;
  }

  /** @throws {CodedError} as {@link acceptLog} does */
  async accept(act: AuditContext): Promise<{ kept: string; anchor: AuditAnchor }> {
    const accepted = await acceptLog(this.ports, act);
    await this.ports.rowTotals.forget();
    return accepted;
  }

  /**
   * Appends every anchor to a new file in a folder from now on. The first one covers the audit entry of this change.
   * @param folder absolute; null: no external anchor file
   * @throws {CodedError} the file cannot be written
   */
  async useExternalFile(folder: string | null, act: AuditContext): Promise<AuditState['external']> {
    const { anchors, installation } = this.ports;
    if (folder === null) await installation.update({ externalAnchorFile: null }, act);
    else {
      const file = await anchors.beginExternal(folder, act.at).catch((error: unknown) => {
        throw new CodedError(problem('ANCHOR_FILE_NOT_WRITABLE', { folder, cause: systemProblem(error) }));
      });
      await installation.update({ externalAnchorFile: file }, act);
      await anchorAuditLog(this.ports);
    }
    return (await this.state()).external;
  }

  /** The present protection of the log. */
  async state(): Promise<Pick<AuditState, 'head' | 'anchor' | 'external'>> {
    const { audit, anchors, clock } = this.ports;
    const head = await audit.head(clock.now());
    const { kept, external } = await anchors.read();
    return { head: head ?? null, anchor: kept[0]?.anchors.at(-1) ?? null, external };
  }

  /** Anchors that a person gathered have no order of their own. */
  async #verifyWith(elsewhere: readonly AuditAnchor[]): Promise<AuditVerdict> {
    const { kept } = await this.ports.anchors.read();
    const given = elsewhere.toSorted((a, b) => a.sequence - b.sequence);
    return this.ports.audit.verify([...kept, { file: 'the given file', anchors: given, damaged: [] }]);
  }

  #verifyAtHome(): Promise<AuditVerdict> {
    const { audit, anchors } = this.ports;
    this.#running ??= anchors
      .read()
      .then(({ kept }) => audit.verify(kept))
      .finally(() => {
        this.#running = undefined;
      });
    return this.#running;
  }
}
