/** The connections to MOSIP that are open: those of the companies that have one, in the service that leads. */
import type { CompanyId } from '../contracts/ids.ts';
import type { MosipConnection } from '../contracts/mosip.ts';
import type { MosipRequests } from '../domain/abis/mosip.ts';
import type { Logger } from '../domain/ports/machine.ts';
import type { MosipConnections } from '../storage/settings/mosip.ts';
import type { RequestQueue } from './queue.ts';

interface LinkPorts {
  mosipConnections: Pick<MosipConnections, 'all'>;
  /** For each company, so that a request waits for earlier ones of its own company alone. */
  requests: () => Pick<MosipRequests, 'answer'>;
  log: Logger;
}

export class MosipLinks {
  readonly #ports: LinkPorts;
  readonly #open = new Map<CompanyId, { settings: string; queue: RequestQueue }>();
  /** No connection is opened before it is said that this service leads. */
  #leads = false;
  #turn: Promise<void> = Promise.resolve();

  constructor(ports: LinkPorts) {
    this.#ports = ports;
  }

  /**
   * Opens and closes connections as they are configured now.
   * @param leads one service answers for all that share the store; absent: as it was said last
   */
  follow(leads = this.#leads): Promise<void> {
    this.#leads = leads;
    this.#turn = this.#turn.then(() => this.#follow());
    const done = this.#turn;
    this.#turn = done.catch(() => undefined);
    return done;
  }

  async #follow(): Promise<void> {
    const wanted = this.#leads ? await this.#ports.mosipConnections.all() : [];
    const settings = new Map(wanted.map(({ company, connection }) => [company, JSON.stringify(connection)]));
    for (const [company, link] of this.#open)
      if (settings.get(company) !== link.settings) await this.#close(company);
    for (const { company, connection } of wanted)
      if (!this.#open.has(company)) await this.#begin(company, connection, settings.get(company) ?? '');
  }

  isConnected(company: CompanyId): boolean {
    return this.#open.get(company)?.queue.connected === true;
  }

  close(): Promise<void> {
    return this.follow(false);
  }

  async #begin(company: CompanyId, connection: MosipConnection, settings: string): Promise<void> {
    const { requests, log } = this.#ports;
    // Few installations have a connection: the library is loaded then.
    const { openQueue } = await import('./queue.ts');
    const of = requests();
    const queue = openQueue(connection, (request) => of.answer(company, connection, request), log);
    this.#open.set(company, { settings, queue });
  }

  async #close(company: CompanyId): Promise<void> {
    const link = this.#open.get(company);
    this.#open.delete(company);
    await link?.queue.close();
  }
}
