import {
  REPORT_EVERY_MS,
  type WatchedFolder,
  type WatchReport,
} from '../../contracts/dashboard/watchedFolders.ts';
import type { CompanyId } from '../../contracts/ids.ts';
import type { Clock } from '../ports/machine.ts';
import { hasPassed } from '../values/time.ts';

/** A watcher that missed this many reports is lost. */
const MISSED_REPORTS = 3;
/** A watcher that ended is shown this long, milliseconds. */
const SHOWN_FOR_MS = 24 * 3_600_000;
/** Watchers of all companies that are kept; the one that reported longest ago makes room. */
const MAX_WATCHERS = 200;

interface Kept {
  company: CompanyId;
  report: WatchReport;
  reportedAt: Date;
}

/**
 * The latest report of each `vouch watch` on this machine. Reports contain file names, so they are kept in memory alone
 * and end with the service.
 */
export class WatchedFolders {
  readonly #clock: Clock;
  /** By the id of the run, the latest report last. */
  readonly #kept = new Map<string, Kept>();

  constructor({ clock }: { clock: Clock }) {
    this.#clock = clock;
  }

  /** Replaces the report of the same run, and of earlier runs on the same folder. */
  keep(company: CompanyId, report: WatchReport): void {
    for (const [id, { company: of, report: earlier }] of this.#kept)
      if (id === report.id || (of === company && earlier.folder === report.folder)) this.#kept.delete(id);
    this.#kept.set(report.id, { company, report, reportedAt: this.#clock.now() });
    for (const oldest of this.#kept.keys()) if (this.#kept.size > MAX_WATCHERS) this.#kept.delete(oldest);
  }

  /** The watched folders of a company, by folder. */
  of(company: CompanyId): WatchedFolder[] {
    const now = this.#clock.now().getTime();
    return [...this.#kept.values()]
      .filter(({ company: of, reportedAt }) => of === company && !hasPassed(reportedAt, SHOWN_FOR_MS, now))
      .map(({ report, reportedAt }) => {
        const isLate = now - reportedAt.getTime() > MISSED_REPORTS * REPORT_EVERY_MS;
        return {
          ...report,
          state: report.state !== 'stopped' && isLate ? ('lost' as const) : report.state,
          reportedAt: reportedAt.toISOString(),
        };
      })
      .toSorted((one, other) => one.folder.localeCompare(other.folder));
  }
}
