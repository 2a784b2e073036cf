/** One service among those that share a database: what it reports, and whether it does the work that one does for all. */
import type { NodeRole } from '../contracts/nodes.ts';
import type { Logger } from '../domain/ports/machine.ts';
import type { Nodes } from '../storage/engine/postgres/nodes.ts';

/** Milliseconds between two reports. The others take a service for dead after six that were missed. */
const REPORT_INTERVAL = 5_000;

/** Work that one service does for all. What it has done is in the store, so another service can go on with it. */
export interface LeaderWork {
  /** Begins, and continues with what another service left. */
  start(): void;
  /** Looks for work that another service has accepted. */
  wake(): void;
  /** Ends. It can be started again. */
  stop(): Promise<void>;
}

interface MembershipPorts {
  /** Undefined: this service is the only one. */
  nodes: Nodes | undefined;
  role: NodeRole;
  /** The version of the program. */
  version: string;
  address: () => string | null;
  /** Photos that this service has enrolled or rejected since its start. */
  answered: () => number;
  /** Absent: a service of this role never does it. */
  leaderWork?: readonly LeaderWork[];
  log: Logger;
}

/** Reports this service to the others and leads where no other does. The only service of a store always leads. */
export class Membership {
  readonly #ports: MembershipPorts;
  #leads = false;
  #draining = false;
  #timer: NodeJS.Timeout | undefined;
  #reporting: Promise<void> = Promise.resolve();

  constructor(ports: MembershipPorts) {
    this.#ports = ports;
  }

  /** Whether this service does the work for all. */
  get leads(): boolean {
    return this.#leads;
  }

  /** Whether this service is about to stop. */
  get draining(): boolean {
    return this.#draining;
  }

  async start(): Promise<void> {
    if (this.#ports.nodes === undefined) {
      this.#begin();
      return;
    }
    await this.#report();
    this.#timer = setInterval(() => void this.#report(), REPORT_INTERVAL);
  }

  /** Says that this service takes no new requests. It still answers those that come. */
  async drain(): Promise<void> {
    this.#draining = true;
    if (this.#ports.nodes !== undefined) await this.#report();
  }

  /** Ends the work for all, and removes this service from the list. */
  async stop(): Promise<void> {
    clearInterval(this.#timer);
    await this.#reporting;
    await this.#end();
    await this.#ports.nodes?.leave().catch((error: unknown) => {
      this.#ports.log.error({ err: error }, 'this service could not be removed from the list of services');
    });
  }

  /** One report at a time; a report that fails ends the leadership, because another service may have it by now. */
  #report(): Promise<void> {
    this.#reporting = this.#reporting.then(async () => {
      const { nodes, role, version, address, answered, leaderWork, log } = this.#ports;
      if (nodes === undefined) return;
      try {
        const leads = leaderWork !== undefined && (await nodes.lead());
        if (leads && !this.#leads) this.#begin();
        if (!leads && this.#leads) await this.#end();
        if (leads) for (const work of leaderWork) work.wake();
        await nodes.report({
          role,
          version,
          address: address(),
          answered: answered(),
          draining: this.#draining,
          leads,
        });
      } catch (error) {
        log.error({ err: error }, 'this service could not report to the others; it tries again');
        // The reports must continue, whatever ends badly.
        await this.#end().catch((cause: unknown) => {
          log.error({ err: cause }, 'the work for all services did not end as it should');
        });
      }
    });
    return this.#reporting;
  }

  #begin(): void {
    this.#leads = true;
    for (const work of this.#ports.leaderWork ?? []) work.start();
  }

  async #end(): Promise<void> {
    if (!this.#leads) return;
    this.#leads = false;
    await Promise.all((this.#ports.leaderWork ?? []).map((work) => work.stop()));
  }
}
