import { z } from 'zod';
import type { AuditContext } from '../../domain/ports/auditContext.ts';
import type { NetworkListener } from '../../domain/ports/network.ts';
import type { AuditLog } from '../audit/auditLog.ts';
import { writing, type Database } from '../engine/database.ts';

const storedNames = z.array(z.string());

/** The listener of this service. Services that share a database have one each. */
export class NetworkListeners {
  readonly #db: Database;
  readonly #audit: AuditLog;
  readonly #service: string;

  /** @param service the name of this service; others on the same database have listeners of their own */
  constructor(db: Database, audit: AuditLog, service: string) {
    this.#db = db;
    this.#audit = audit;
    this.#service = service;
  }

  async find(): Promise<NetworkListener | undefined> {
    const row = await this.#db
      .selectFrom('network_listener')
      .selectAll()
      .where('service', '=', this.#service)
      .executeTakeFirst();
    if (row === undefined) return undefined;
    const { address, port, certificate } = row;
    const privateKey = Buffer.from(row.private_key).toString();
    return { names: storedNames.parse(JSON.parse(row.names)), address, port, certificate, privateKey };
  }

  async keep(listener: NetworkListener, act: AuditContext): Promise<void> {
    const { names, address, port, certificate, privateKey } = listener;
    const row = {
      names: JSON.stringify(names),
      address,
      port,
      certificate,
      private_key: Buffer.from(privateKey),
    };
    await writing(this.#db, 'installation', async (trx) => {
      await trx
        .insertInto('network_listener')
        .values({ service: this.#service, ...row })
        .onConflict((conflict) => conflict.column('service').doUpdateSet(row))
        .execute();
      this.#audit.append(trx, act, {
        company: null,
        action: 'network.enabled',
        object: null,
        details: { names: names.length, port },
      });
    });
  }

  /** @returns false: there was none */
  async drop(act: AuditContext): Promise<boolean> {
    return writing(this.#db, 'installation', async (trx) => {
      const { numDeletedRows } = await trx
        .deleteFrom('network_listener')
        .where('service', '=', this.#service)
        .executeTakeFirst();
      if (numDeletedRows === 0n) return false;
      this.#audit.append(trx, act, { company: null, action: 'network.disabled', object: null });
      return true;
    });
  }
}
