import {
  RETENTION_KINDS,
  retentionRules,
  SOON_DAYS,
  type HeldRetention,
  type RetentionPreview,
  type RetentionRules,
} from '../../contracts/retention.ts';
import { recordsIn, type ErasureChoice } from '../../contracts/erasure.ts';
import type { CompanyId } from '../../contracts/ids.ts';
import type { AuditContext, Company } from '../ports/auditContext.ts';
import { UnavailableError, type Logger, type Platform } from '../ports/machine.ts';
import type { ErasureService, ErasurePorts } from './erasureService.ts';
import { whyHeld, unerasedDetails } from './plausibility.ts';
import { hexOf } from '../values/bytes.ts';
import type { PendingErasure } from '../ports/erasure.ts';
import type { AuditLog } from '../../storage/audit/auditLog.ts';
import type { Erasures } from '../../storage/erasure/erasures.ts';
import type { RetentionChecks } from '../../storage/erasure/retentionDue.ts';
import type { Companies } from '../../storage/settings/companies.ts';
import type { Storage } from '../../storage/index.ts';

/** Things in one transaction. */
const BATCH_SIZE = 100;
/** Transactions before the database is searched for what they took: until then it all stays in memory. */
const AT_ONE_SEARCH = 20;
const DAY = 24 * 60 * 60 * 1000;

export type RetentionPorts = ErasurePorts &
  Pick<Storage, 'companies' | 'audit' | 'retentionChecks'> &
  Pick<Platform, 'bootClock' | 'crypto'>;

/** The part that the runs use. */
interface RunPorts extends Pick<Platform, 'clock' | 'bootClock' | 'crypto'> {
  erasures: Pick<Erasures, 'dueCounts' | 'finish' | 'unfinished'>;
  companies: Pick<Companies, 'list' | 'changeSettings'>;
  audit: Pick<AuditLog, 'record' | 'list'>;
  retentionChecks: Pick<RetentionChecks, 'find' | 'save'>;
  log: Pick<Logger, 'warn' | 'error'>;
}

const DAY_MS = 86_400_000;
/** Rules of every kind, and a moment at which every record is older than they allow. */
const EVERY_KIND = retentionRules.parse(
  Object.fromEntries(Object.keys(RETENTION_KINDS).map((kind) => [kind, 1])),
);
const LATEST = new Date(8.64e15);

/** A company's rules of how long things are kept, and the run that applies them. */
export class Retention {
  readonly #ports: RunPorts;
  readonly #erasure: Pick<ErasureService, 'beginDue'>;
  #running: Promise<void> = Promise.resolve();
  #stopped = false;
  /** Companies whose run is held, with the reason that was written down. */
  readonly #held = new Map<CompanyId, HeldRetention['reason']>();

  constructor(ports: RunPorts, erasure: Pick<ErasureService, 'beginDue'>) {
    this.#ports = ports;
    this.#erasure = erasure;
  }

  /** @param rules the active ones, or others for a preview */
  async preview(company: Company, rules: RetentionRules): Promise<RetentionPreview> {
    const { erasures, clock } = this.#ports;
    const now = clock.now();
    const due = await erasures.dueCounts(company.id, rules, now);
    const soon = new Date(now.getTime() + SOON_DAYS * DAY_MS);
    const dueSoon = await erasures.dueCounts(company.id, rules, soon);
    const stored = await erasures.dueCounts(company.id, EVERY_KIND, LATEST);
    const held = await whyHeld(this.#ports, company);
    return { rules, stored, due, dueSoon, code: this.#codeOf(company, rules, held), held };
  }

  /**
   * Activates rules, and lets a run that is held go on.
   * @returns false: the code is not that of a preview of these rules
   */
  async set(company: Company, rules: RetentionRules, code: string, act: AuditContext): Promise<boolean> {
    const seen = await this.preview(company, rules);
    if (code !== seen.code) return false;
    await this.#ports.companies.changeSettings(company.id, { retention: rules }, act);
    // Second: a crash in between leaves the run held.
    const { retentionChecks, bootClock, clock } = this.#ports;
    const confirmed = Object.values(seen.due).reduce((sum, count) => sum + count, 0);
    await retentionChecks.save(company.id, { at: clock.now(), ...bootClock.read(), confirmed });
    return true;
  }

  /** A person's own run. @returns why it is held; it has erased nothing then */
  run(
    company: Company,
  ): Promise<{ kind: 'done'; erased: number; unerased: number } | { kind: 'held'; held: HeldRetention }> {
    return this.#alone(async () => {
      if (this.#stopped)
        throw new UnavailableError('The service is stopping. Run the rules again after its next start.');
      const held = await whyHeld(this.#ports, company);
      if (held !== null) return { kind: 'held', held };
      return { kind: 'done', ...(await this.apply(company)) };
    });
  }

  /** Runs of the service and of people, one after the other; {@link stop} waits for the last. */
  #alone<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#running.then(work);
    // The caller of the work gets its error; the next work starts all the same.
    this.#running = done.then(
      () => undefined,
      () => undefined,
    );
    return done;
  }

  /**
   * Erases what is due, in small transactions, alone (see {@link run}); whatever a crash cuts off is due at the next run again.
   * It ends with the first transaction in which the company has other rules: an operator may have extended them.
   */
  async apply({ id, settings }: Company): Promise<{ erased: number; unerased: number }> {
    const { erasures, audit, clock } = this.#ports;
    const act = (): AuditContext => ({ by: 'service', at: clock.now() });
    let begun: PendingErasure[] = [];
    let taken = 0;
    let runs = 0;
    let limit = BATCH_SIZE;
    const except: ErasureChoice = { validations: [], faces: [], photos: [], comparisons: [] };
    // One moment for the whole run: it was plausible, and the clock may be set while the run continues.
    const now = clock.now();
    while (!this.#stopped) {
      const due = { rules: settings.retention, now, limit, except };
      const one = await this.#erasure.beginDue(id, due, act());
      if (one.kind === 'failed') {
        // A smaller choice leaves fewer records out; the last one is what cannot be erased.
        if (recordsIn(one.choice) > 1) limit = Math.max(1, Math.floor(recordsIn(one.choice) / 2));
        else this.#leaveOut(id, except, one);
        continue;
      }
      if (one.kind !== 'done') break;
      limit = Math.min(BATCH_SIZE, 2 * limit);
      begun.push(one.pending);
      taken += one.records;
      runs += 1;
      if (begun.length < AT_ONE_SEARCH) continue;
      await erasures.finish(begun, 'keep', () => clock.now());
      begun = [];
    }
    await erasures.finish(begun, 'keep', () => clock.now());
    await audit.record(act(), {
      company: id,
      action: 'retention.applied',
      object: null,
      details: { erased: taken, runs, ...(recordsIn(except) > 0 && unerasedDetails(except)) },
    });
    await this.#seen(id, { confirmed: 0 });
    return { erased: taken, unerased: recordsIn(except) };
  }

  /** A record that cannot be erased stays, so that the rest can go. The next run tries it again. */
  #leaveOut(
    company: CompanyId,
    except: ErasureChoice,
    { choice, cause }: { choice: ErasureChoice; cause: unknown },
  ): void {
    except.validations.push(...choice.validations);
    except.faces.push(...choice.faces);
    except.photos.push(...choice.photos);
    except.comparisons.push(...choice.comparisons);
    this.#ports.log.error(
      { err: cause, company, record: choice },
      'a record that is due by retention rules cannot be erased',
    );
  }

  /**
   * Finishes what a crash cut off, and runs the rules of each company whose daily run is due.
   * @throws {AggregateError} at the end: what failed has not kept the companies after it from their run
   */
  check(): Promise<void> {
    return this.#alone(() => this.#checkAll());
  }

  /** Ends a run after its transaction, and begins no other. */
  async stop(): Promise<void> {
    this.#stopped = true;
    await this.#running;
  }

  async #checkAll(): Promise<void> {
    const { companies, erasures, clock } = this.#ports;
    const errors: unknown[] = [];
    const attempt = async (work: () => Promise<unknown>) => {
      try {
        await work();
      } catch (error) {
        errors.push(error);
      }
    };
    await attempt(async () => erasures.finish(await erasures.unfinished(), 'keep', () => clock.now()));
    for (const company of await companies.list()) {
      if (this.#stopped) break;
      if (hasRules(company.settings.retention)) await attempt(() => this.#checkOne(company));
    }
    if (errors.length > 0) throw new AggregateError(errors, 'retention rules were not applied everywhere');
  }

  async #checkOne(company: Company): Promise<void> {
    const held = await whyHeld(this.#ports, company);
    await this.#noteHeld(company.id, held);
    if (held === null || held.reason === 'count') await this.#seen(company.id, {});
    if (held === null && (await this.#isDue(company.id))) await this.apply(company);
  }

  /**
   * The code covers the active rules too, so that a preview does not replace rules that another operator has set since. A held
   * run has a code of its own, another one each day: a code in a script cannot release it.
   */
  #codeOf({ id, settings }: Company, rules: RetentionRules, held: HeldRetention | null): string {
    const { clock, crypto } = this.#ports;
    const why = held === null ? [] : [held.reason, clock.now().toISOString().slice(0, 10)];
    const content = JSON.stringify([id, settings.retention, retentionRules.parse(rules), ...why]);
    const digits = hexOf(crypto.sha256(content));
    return `${digits.slice(0, 4)}-${digits.slice(4, 8)}`;
  }

  /** The clock is plausible now: what it may show later is measured from here. It never moves back. */
  async #seen(company: CompanyId, change: { confirmed?: 0 }): Promise<void> {
    const { retentionChecks, clock, bootClock } = this.#ports;
    const check = await retentionChecks.find(company);
    if (check === undefined) return;
    const now = clock.now();
    const measured = now >= check.at ? { at: now, ...bootClock.read() } : {};
    await retentionChecks.save(company, { ...check, ...measured, ...change });
  }

  /** Writes down once that a run is held, and why. */
  async #noteHeld(company: CompanyId, held: HeldRetention | null): Promise<void> {
    if (held === null) {
      this.#held.delete(company);
      return;
    }
    if (this.#held.get(company) === held.reason) return;
    this.#held.set(company, held.reason);
    const { audit, clock, log } = this.#ports;
    log.warn({ company, ...held }, 'retention erases nothing until its rules are confirmed again');
    await audit.record(
      { by: 'service', at: clock.now() },
      {
        company,
        action: 'retention.blocked',
        object: null,
        outcome: 'refused',
        details: { reason: held.reason, ...(held.reason === 'count' && { due: held.due }) },
      },
    );
  }

  /** The last run is in the audit log: a restart does not begin the day a second time. */
  async #isDue(company: CompanyId): Promise<boolean> {
    const { audit, clock } = this.#ports;
    const [last] = await audit.list(company, { filter: { action: 'retention.applied' }, limit: 1 });
    // A last run in the future was made under a wrong clock.
    return last === undefined || Math.abs(clock.now().getTime() - last.at) >= DAY;
  }
}

function hasRules(rules: RetentionRules): boolean {
  return Object.values(rules).some((days) => days !== null);
}
