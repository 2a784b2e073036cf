import { sql } from 'kysely';
import type { CompanyId, FaceId } from '../../contracts/ids.ts';
import type { DamagedTemplates, StoreHealth } from '../../domain/ports/diagnostics.ts';
import { templateFault } from '../../domain/recognition/faceValidation.ts';
import type { Database } from '../engine/database.ts';
import { toVector } from '../engine/vectorBytes.ts';
import { RowHealth } from './storeHealth.ts';

/** So many damaged templates are named; beyond it they are counted. */
const MAX_NAMED = 1000;
/** Templates that are read at once, so that other queries run between two portions. */
const PORTION = 500;
/** Milliseconds after which an open transaction keeps the server from removing deleted rows. */
const OLD_TRANSACTION = 3_600_000;
/** Minutes by which the clocks of the service and of the server may differ. */
const CLOCK_DIFFERENCE = 1;

/** The health of a PostgreSQL database. */
export class ServerHealth extends RowHealth implements StoreHealth {
  readonly #db: Database;

  constructor(db: Database) {
    super(db);
    this.#db = db;
  }

  async damage(): Promise<string[]> {
    const { rows } = await sql<{
      checksums: string;
      failures: number | null;
      oldest: number | null;
      clock: number;
    }>`
      select current_setting('data_checksums') as checksums,
        (select checksum_failures from pg_stat_database where datname = current_database()) as failures,
        (select extract(epoch from max(clock_timestamp() - xact_start)) * 1000 from pg_stat_activity
          where datname = current_database() and pid <> pg_backend_pid()) as oldest,
        extract(epoch from clock_timestamp()) * 1000 as clock`.execute(this.#db);
    const [state] = rows;
    if (state === undefined) throw new Error('A query without a table answered no row.');
    const difference = Math.abs(state.clock - Date.now()) / 60_000;
    return [
      ...((state.failures ?? 0) > 0
        ? [`PostgreSQL found ${state.failures} damaged pages. Restore the database from a backup.`]
        : []),
      ...((state.oldest ?? 0) > OLD_TRANSACTION
        ? [
            'A transaction of another program has been open for more than an hour. End it: see pg_stat_activity.',
          ]
        : []),
      ...(difference > CLOCK_DIFFERENCE
        ? [
            `The clock of the PostgreSQL server differs by ${Math.round(difference)} minutes. Synchronise both clocks.`,
          ]
        : []),
    ];
  }

  async damagedTemplates(company?: CompanyId): Promise<DamagedTemplates> {
    const shapes = await this.#db
      .selectFrom('pipeline_shape')
      .select(['pipeline_id', 'dimensions'])
      .execute();
    const dimensions = new Map<string, number>(shapes.map((row) => [row.pipeline_id, row.dimensions]));
    const found: DamagedTemplates = { read: 0, damaged: 0, faces: [] };
    for (let after = 0 as FaceId, more = true; more;) {
      const faces = await this.#portion(company, after);
      for (const row of faces) {
        found.read += 1;
        const fault = templateFault(toVector(row.vector), dimensions.get(row.pipeline_id));
        if (fault === undefined) continue;
        found.damaged += 1;
        const { face_id: face, trust_validation_id: validation } = row;
        if (found.faces.length < MAX_NAMED)
          found.faces.push({ company: row.company_id, face, validation, fault });
      }
      more = faces.length > 0;
      after = faces.at(-1)?.face_id ?? after;
    }
    return found;
  }

  /** All templates of the faces that follow. */
  #portion(company: CompanyId | undefined, after: FaceId) {
    const faces = this.#db
      .selectFrom('template')
      .select('face_id')
      .distinct()
      .where('face_id', '>', after)
      .$if(company !== undefined, (query) => query.where('company_id', '=', company!))
      .orderBy('face_id')
      .limit(PORTION);
    return this.#db
      .selectFrom('template')
      .leftJoin('face', 'face.id', 'template.face_id')
      .select(['template.face_id', 'face.trust_validation_id', 'template.company_id'])
      .select(['template.pipeline_id', 'template.vector'])
      .where('template.face_id', 'in', faces)
      .$if(company !== undefined, (query) => query.where('template.company_id', '=', company!))
      .orderBy('template.face_id')
      .execute();
  }

  async databaseBytes(): Promise<number> {
    const { rows } = await sql<{ bytes: number }>`
      select pg_database_size(current_database()) as bytes`.execute(this.#db);
    return rows[0]?.bytes ?? 0;
  }
}
