import { sql } from 'kysely';
import type { CompanyId, FaceId } from '../../contracts/ids.ts';
import type {
  DamagedTemplates,
  DatabaseServerFacts,
  StandbyFacts,
  StoreHealth,
} from '../../domain/ports/diagnostics.ts';
import { templateFault } from '../../domain/recognition/faceValidation.ts';
import type { Database } from '../engine/database.ts';
import { deletedKeys } from '../engine/deletedKeys.ts';
import type { Sealed } from '../engine/migrations/table.ts';
import { ALIVE_MS } from '../engine/postgres/nodes.ts';
import { cellsOf, nameOf } from '../engine/cells.ts';
import { changedTotals } from '../engine/codedRows.ts';
import { CODED, PLACES, SEARCHED } from '../engine/cellTables.ts';
import { CODED_COLUMNS, TEXT_COLUMNS } from '../faces/faces.ts';
import { vectorOf } from '../engine/vectorBytes.ts';
import { RowHealth } from './storeHealth.ts';

/** So many damaged templates are named; beyond it they are counted. */
const MAX_NAMED = 1000;
/** Templates that are read at once, so that other queries run between two portions. */
const PORTION = 500;

type Yes = 'hasChecksums' | 'hasNameIndex' | 'seesActivity' | 'ownsAuditLog';
type Asked = Omit<DatabaseServerFacts, Yes | 'clockDifference' | 'standbys' | 'sharesImages' | 'changedRows'>;
/** The driver gives booleans as 0 and 1, as SQLite has them. `clock`: milliseconds since 1970. */
type ServerRow = Asked & Record<Yes | 'clock', number>;

function missing({ jpeg, key }: Record<'jpeg' | 'key', Sealed | null>): string | undefined {
  if (jpeg === null) return 'its thumbnail is missing';
  return key === null ? 'the row of its photo is missing' : undefined;
}

/** The tables of records, with the only column of each that is sealed; they are read in portions. */
const RECORDS = {
  comparison: 'content',
  person: 'note',
  person_decision: 'reason',
  validation_history: 'note',
  upload: 'listing',
  upload_item: 'unfixable_note',
  screening_match: 'reason',
} as const;

/** The tables with rights, keys or signatures. Those of faces are read elsewhere, and the audit log proves itself. */
const CHECKED_TABLES = [...new Set([CODED, PLACES, SEARCHED].flatMap(Object.keys))].filter(
  (table) =>
    ![
      'face',
      'template',
      'face_thumbnail',
      'image',
      ...Object.keys(RECORDS),
      'gallery_snapshot',
      'audit_entry',
      'audit_head',
      'row_total',
    ].includes(table),
);

/** The health of a PostgreSQL database. */
export class ServerHealth extends RowHealth implements StoreHealth {
  readonly #db: Database;
  readonly #sharesImages: boolean;

  /** @param sharesImages new photos are kept where every service reaches them */
  constructor(db: Database, sharesImages: boolean) {
    super(db);
    this.#db = db;
    this.#sharesImages = sharesImages;
  }

  async damage(): Promise<string[]> {
    const { rows } = await sql<{ failures: number | null }>`
      select checksum_failures as failures from pg_stat_database where datname = current_database()`.execute(
      this.#db,
    );
    const failures = rows[0]?.failures ?? 0;
    return failures > 0 ? [`PostgreSQL found ${failures} damaged pages.`] : [];
  }

  async server(): Promise<DatabaseServerFacts> {
    const sent = Date.now();
    const { rows } = await sql<ServerRow>`
      select current_setting('server_version') as version, current_user as role,
        array(select name from pg_settings where name in ('fsync', 'full_page_writes', 'synchronous_commit')
          and setting = 'off' order by name) as "unsafeSettings",
        current_setting('data_checksums') = 'on' as "hasChecksums",
        array(select table_name || '.' || column_name from information_schema.columns
          where table_schema = 'public' and data_type = 'text' and collation_name is distinct from 'C' order by 1) as "otherCollations",
        to_regclass('trust_validation_name') is not null as "hasNameIndex",
        (extract(epoch from clock_timestamp()) * 1000)::double precision as clock,
        (select count(*) from pg_stat_activity where backend_type = 'client backend') as connections,
        current_setting('max_connections')::bigint
          - current_setting('superuser_reserved_connections')::bigint as "maxConnections",
        (select coalesce(max(extract(epoch from clock_timestamp() - xact_start)), 0)::double precision
          from pg_stat_activity where backend_type = 'client backend' and pid <> pg_backend_pid()) as "oldestTransaction",
        current_setting('synchronous_standby_names') as "awaitedStandbys",
        pg_has_role(current_user, 'pg_read_all_stats', 'usage') as "seesActivity",
        (select count(*) from node
          where seen_at > extract(epoch from clock_timestamp()) * 1000 - ${ALIVE_MS}::bigint) as services,
        (select pg_has_role(current_user, relowner, 'usage') from pg_class
          where oid = 'audit_entry'::regclass) as "ownsAuditLog"`.execute(this.#db);
    const standbys = await this.standbys();
    const received = Date.now();
    const [row] = rows;
    if (row === undefined) throw new Error('A query without a table answered no row.');
    const { clock, ...facts } = row;
    return {
      ...facts,
      hasChecksums: facts.hasChecksums === 1,
      hasNameIndex: facts.hasNameIndex === 1,
      clockDifference: (clock - (sent + received) / 2) / 1000,
      standbys,
      seesActivity: facts.seesActivity === 1,
      sharesImages: this.#sharesImages,
      ownsAuditLog: facts.ownsAuditLog === 1,
      changedRows: await this.#changedRows(),
    };
  }

  async standbys(): Promise<StandbyFacts[]> {
    const { rows } = await sql<{ name: string; synchronous: number; lag: number | null }>`
      select application_name as name, coalesce(sync_state in ('sync', 'quorum'), false) as synchronous,
        extract(epoch from replay_lag)::double precision as lag
      from pg_stat_replication where state = 'streaming' order by application_name`.execute(this.#db);
    return rows.map(({ name, synchronous, lag }) => ({ name, isSynchronous: synchronous === 1, lag }));
  }

  async damagedTemplates(company?: CompanyId): Promise<DamagedTemplates> {
    const shapes = await this.#db
      .selectFrom('pipeline_shape')
      .select(['pipeline_id', 'dimensions'])
      .execute();
    const dimensions = new Map<string, number>(shapes.map((row) => [row.pipeline_id, row.dimensions]));
    const cells = cellsOf(this.#db);
    const found: DamagedTemplates = { read: 0, damaged: 0, faces: [] };
    for (let after = 0 as FaceId, more = true; more;) {
      const faces = await this.#portion(company, after);
      for (const row of faces) {
        found.read += 1;
        const {
          face_id: face,
          owner: company_id,
          pipeline_id,
          vector,
          jpeg,
          key,
          sha256,
          original,
          ...coded
        } = row;
        const of = { face_id: face, company_id };
        const fault =
          (coded.id === null ? 'its face is missing' : cells.faultOf('face', coded)) ??
          templateFault(vectorOf(this.#db, { ...of, pipeline_id, vector }), dimensions.get(pipeline_id)) ??
          missing({ jpeg, key }) ??
          cells.faultOf('face_thumbnail', { ...of, jpeg }) ??
          cells.faultOf('image', { id: coded.image_id, company_id, key, sha256, original });
        if (fault === undefined) continue;
        found.damaged += 1;
        if (found.faces.length < MAX_NAMED)
          found.faces.push({ company: company_id, face, validation: coded.trust_validation_id, fault });
      }
      more = faces.length > 0;
      after = faces.at(-1)?.face_id ?? after;
    }
    return found;
  }

  /** All templates of the faces that follow, with what else the store keeps of these. */
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
      .leftJoin('face_thumbnail', (join) =>
        join
          .onRef('face_thumbnail.face_id', '=', 'template.face_id')
          .onRef('face_thumbnail.company_id', '=', 'template.company_id'),
      )
      .leftJoin('image', (join) =>
        join.onRef('image.id', '=', 'face.image_id').onRef('image.company_id', '=', 'template.company_id'),
      )
      .select([...CODED_COLUMNS, ...TEXT_COLUMNS].map((column) => `face.${column}` as const))
      .select([
        'template.face_id',
        'template.company_id as owner',
        'template.pipeline_id',
        'template.vector',
        'face_thumbnail.jpeg',
        'image.key',
        'image.sha256',
        'image.original',
      ])
      .where('template.face_id', 'in', faces)
      .$if(company !== undefined, (query) => query.where('template.company_id', '=', company!))
      .orderBy('template.face_id')
      .execute();
  }

  /** The rows that decide about rights, and are not as they were written. */
  async #changedRows(): Promise<string[]> {
    const cells = cellsOf(this.#db);
    const changed: string[] = [];
    for (const table of CHECKED_TABLES) {
      const { rows } = await sql<Record<string, unknown>>`select * from ${sql.table(table)}`.execute(
        this.#db,
      );
      for (const row of rows)
        if (cells.faultOf(table, row) !== undefined) changed.push(`${table} (${nameOf(row)})`);
    }
    for (const [table, column] of Object.entries(RECORDS))
      for (let after: number | string | undefined, more = true; more;) {
        const { rows }: { rows: (Record<string, unknown> & { id: number | string })[] } = await sql<
          Record<string, unknown> & { id: number | string }
        >`
          select * from ${sql.table(table)} where ${sql.ref(column)} is not null
            and ${after === undefined ? sql`true` : sql`id > ${after}`}
          order by id limit ${PORTION}`.execute(this.#db);
        for (const row of rows)
          if (changed.length < MAX_NAMED && cells.faultOf(table, row) !== undefined)
            changed.push(`${table} (${nameOf(row)})`);
        more = rows.length === PORTION;
        after = rows.at(-1)?.id ?? after;
      }
    const { damaged } = await deletedKeys(this.#db, 'all');
    return [
      ...(await changedTotals(this.#db)).map(({ rows }) => rows),
      ...changed,
      ...damaged.map((id) => `deleted_key (${nameOf({ id })})`),
    ];
  }

  async databaseBytes(): Promise<number> {
    const { rows } = await sql<{ bytes: number }>`
      select pg_database_size(current_database()) as bytes`.execute(this.#db);
    return rows[0]?.bytes ?? 0;
  }
}
