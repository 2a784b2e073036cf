import { once } from 'node:events';
import { stat } from 'node:fs/promises';
import { Worker } from 'node:worker_threads';
import { z } from 'zod';
import type { CompanyId } from '../../contracts/ids.ts';
import type { DamagedTemplates, StandbyFacts, StoreHealth } from '../../domain/ports/diagnostics.ts';
import type { Database } from '../engine/database.ts';
import { Rows, rowsWith } from '../engine/rows.ts';

const damage = z.array(z.string());
const damagedTemplates = z.object({
  read: z.number(),
  damaged: z.number(),
  faces: z.array(
    z.object({
      company: z.number(),
      face: z.number(),
      validation: z.number().nullable(),
      fault: z.string(),
    }),
  ),
});

/** Health facts that are read from rows, in any database engine. */
export class RowHealth extends Rows {
  async latestTime(): Promise<Date | undefined> {
    const row = await this.db
      .selectFrom('audit_entry')
      .select('at')
      .orderBy('at', 'desc')
      .limit(1)
      .executeTakeFirst();
    return row && new Date(row.at);
  }

  async imageTotals(company: CompanyId): Promise<{ images: number; bytes: number }> {
    const { images, bytes } = await rowsWith(this.db, 'image', { company_id: company })
      .select((eb) => [eb.fn.countAll<number>().as('images'), eb.fn.sum<number | null>('bytes').as('bytes')])
      .executeTakeFirstOrThrow();
    return { images, bytes: bytes ?? 0 };
  }
}

/** The health of an encrypted SQLite file. */
export class SqliteStoreHealth extends RowHealth implements StoreHealth {
  readonly #file: string;
  readonly #key: Uint8Array;

  constructor(db: Database, file: string, key: Uint8Array) {
    super(db);
    this.#file = file;
    this.#key = key;
  }

  async damage(): Promise<string[]> {
    return damage.parse(await this.#readBy(new URL('./integrityWorker.ts', import.meta.url)));
  }

  async damagedTemplates(company?: CompanyId): Promise<DamagedTemplates> {
    return damagedTemplates.parse(
      await this.#readBy(new URL('./templateWorker.ts', import.meta.url), { company: company ?? null }),
    );
  }

  /** In a thread with a connection of its own: reading gigabytes must not keep the service from answering. */
  async #readBy(program: URL, options: object = {}): Promise<unknown> {
    const worker = new Worker(program, {
      workerData: { file: this.#file, key: this.#key, ...options },
      execArgv: [],
    });
    const [found] = (await once(worker, 'message')) as [unknown];
    return found;
  }

  server(): Promise<undefined> {
    return Promise.resolve(undefined);
  }

  standbys(): Promise<StandbyFacts[]> {
    return Promise.resolve([]);
  }

  async databaseBytes(): Promise<number> {
    const sizes = await Promise.all(
      [this.#file, `${this.#file}-wal`].map((file) =>
        stat(file).then(
          ({ size }) => size,
          () => 0,
        ),
      ),
    );
    return sizes.reduce((sum, size) => sum + size, 0);
  }
}
