import { createHash } from 'node:crypto';
import { retentionRules, type RetentionPreview, type RetentionRules } from '../../contracts/retention.ts';
import type { CompanyId } from '../../contracts/ids.ts';
import type { Act } from '../actor.ts';
import type { AuditLog } from '../audit/ports.ts';
import type { Companies, Company } from '../ports/companies.ts';
import type { Clock, Logger } from '../ports/machine.ts';
import type { ErasureDesk, ErasurePorts } from './desk.ts';
import type { BegunErasure, Erasures } from './ports.ts';

/** Things in one transaction. */
const AT_ONCE = 100;
/** Transactions before the database is searched for what they took: until then it all stays in memory. */
const AT_ONE_SEARCH = 20;
const DAY = 24 * 60 * 60 * 1000;
/** How often the service looks whether a run is due, or an erasure unfinished, milliseconds. */
const LOOK_INTERVAL = 10 * 60_000;

export interface RetentionPorts extends ErasurePorts {
  companies: Companies;
  audit: AuditLog;
}

/** What the runs themselves use of it. */
interface RunPorts {
  erasures: Pick<Erasures, 'due' | 'dueCounts' | 'begin' | 'finish' | 'unfinished'>;
  companies: Pick<Companies, 'list' | 'changeSettings'>;
  audit: Pick<AuditLog, 'record' | 'list'>;
  clock: Clock;
  log: Pick<Logger, 'error'>;
}

/** A company's rules of how long things are kept, and the run that applies them. */
export class Retention {
  readonly #ports: RunPorts;
  readonly #desk: Pick<ErasureDesk, 'begin'>;
  #timer: NodeJS.Timeout | undefined;
  #running: Promise<void> = Promise.resolve();
  #stopped = false;

  constructor(ports: RunPorts, desk: Pick<ErasureDesk, 'begin'>) {
    this.#ports = ports;
    this.#desk = desk;
  }

  async preview(company: CompanyId, rules: RetentionRules): Promise<RetentionPreview> {
    const { erasures, clock } = this.#ports;
    const due = await erasures.dueCounts(company, rules, clock.now());
    return { rules, due, code: codeOf(company, rules) };
  }

  /** @returns false: the code is not that of a preview of these rules */
  async set(company: Company, rules: RetentionRules, code: string, act: Act): Promise<boolean> {
    if (code !== codeOf(company.id, rules)) return false;
    const change = await this.#ports.companies.changeSettings(company.id, { retention: rules }, act);
    if (change.kind === 'invalid') throw new RangeError(Object.values(change.errors).flat().join(' '));
    return true;
  }

  /** Takes what is due, in small transactions; whatever a crash cuts off is due at the next run again. */
  async apply({ id, settings }: Company): Promise<number> {
    const { erasures, audit, clock } = this.#ports;
    const act = (): Act => ({ by: 'service', at: clock.now() });
    let begun: BegunErasure[] = [];
    let taken = 0;
    let runs = 0;
    while (!this.#stopped) {
      const choice = await erasures.due(id, settings.retention, clock.now(), AT_ONCE);
      const size = Object.values(choice).reduce((sum, some) => sum + some.length, 0);
      if (size === 0) break;
      const one = await this.#desk.begin(id, () =>
        erasures.begin(id, choice, { reason: 'retention' }, act()),
      );
      if (one === undefined || one === 'changed') break;
      begun.push(one);
      taken += size;
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
      facts: { erased: taken, runs },
    });
    return taken;
  }

  /** From now on every company with rules has a run a day, and what a crash cut off is finished. */
  start(): void {
    const look = () => {
      this.#running = this.#running
        .then(() => this.#look())
        .catch((error: unknown) => {
          this.#ports.log.error({ err: error }, 'retention rules could not be applied; they are tried again');
        });
    };
    look();
    this.#timer = setInterval(look, LOOK_INTERVAL);
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    clearInterval(this.#timer);
    await this.#running;
  }

  async #look(): Promise<void> {
    const { companies, erasures, clock } = this.#ports;
    await erasures.finish(await erasures.unfinished(), 'keep', () => clock.now());
    for (const company of await companies.list()) {
      if (this.#stopped) return;
      if (hasRules(company.settings.retention) && (await this.#isDue(company.id))) await this.apply(company);
    }
  }

  /** The last run stands in the record: a restart does not begin the day anew. */
  async #isDue(company: CompanyId): Promise<boolean> {
    const { audit, clock } = this.#ports;
    const [last] = await audit.list(company, { filter: { action: 'retention.applied' }, limit: 1 });
    return last === undefined || clock.now().getTime() - last.at >= DAY;
  }
}

function hasRules(rules: RetentionRules): boolean {
  return Object.values(rules).some((days) => days !== null);
}

function codeOf(company: CompanyId, rules: RetentionRules): string {
  const said = JSON.stringify([company, retentionRules.parse(rules)]);
  const digits = createHash('sha256').update(said).digest('hex').slice(0, 8);
  return digits.match(/.{4}/g)!.join('-');
}
