import pg from 'pg';
import { trusted, type CompanyId, type FaceId, type PipelineId } from '../../../contracts/ids.ts';
import type {
  ChangedFace,
  GalleryChanges,
  GalleryCursor,
  GalleryEntry,
  GalleryFeed,
} from '../../../domain/ports/gallery.ts';
import { KeyedMutex } from '../../../domain/work/turns.ts';
import { UnavailableError } from '../../../domain/ports/machine.ts';
import { matchableVector } from '../vectorBytes.ts';
import { TYPES } from './pool.ts';
import { parseAddress, type PostgresAddress, configOf } from './address.ts';
import type { Cells } from '../cells.ts';
import { CODED, type CodedRow } from '../cellTables.ts';
import type { Sealed } from '../migrations/table.ts';

/** Milliseconds that connecting and each statement may take. */
const TIMEOUT = 5_000;
/** Milliseconds that changes are kept at least. */
const KEPT = 60 * 60_000;
/** The part of that time for which a cursor is taken: less than all, so that the clocks of two servers may differ. */
const VALID = 5 / 6;
/** Changed faces of one answer at most; a follower that missed more compares all faces with the store. */
const MAX_CHANGED_FACES = 50_000;
/** Templates that one statement reads. */
const PAGE = 1_000;

/** SQL: what a snapshot does not show of the changes. The index finds it by the oldest transaction of the snapshot. */
const UNSEEN =
  'xid >= pg_snapshot_xmin($1::pg_snapshot) and not pg_visible_in_snapshot(xid, $1::pg_snapshot)';
const NOW = `pg_current_snapshot()::text as snapshot,
  (extract(epoch from clock_timestamp()) * 1000)::double precision as at`;

/** A cursor with the snapshot that it is read by. */
type Position = Pick<GalleryCursor, 'snapshot' | 'at'>;

interface ChangeRow {
  company_id: string;
  face_id: string | null;
}

type TemplateRow = CodedRow<'face'> & { face_id: FaceId; pipeline_id: PipelineId; vector: Sealed };

/**
 * Reads the table `gallery_change` by snapshots: a sequence would miss what a slower transaction commits later. A cursor
 * is valid in one session only. After a crash or a failover the server may use ids of transactions again that it had given to
 * transactions which it lost; no session survives either, so a new session begins with a new cursor.
 */
export class ServerGalleryFeed implements GalleryFeed {
  readonly #address: PostgresAddress;
  readonly #cells: Cells;
  #connected: { client: pg.Client; session: symbol } | undefined;
  readonly #turns = new KeyedMutex<'session'>();
  readonly #kept: number;
  #closed = false;

  /**
   * @param address see `parseAddress` @param cells of the database
   * @param kept milliseconds that changes are kept at least
   */
  constructor(address: string, cells: Cells, kept = KEPT) {
    this.#address = parseAddress(address);
    this.#cells = cells;
    this.#kept = kept;
  }

  begin(): ReturnType<GalleryFeed['begin']> {
    return this.#attempt(async () => {
      const { client, session } = await this.#connect();
      return inOneSnapshot(client, async () => {
        const position = await positionOf(client);
        await requirePrimary(client);
        return { cursor: { ...position, session }, pipelines: await activePipelines(client, this.#cells) };
      });
    });
  }

  changesSince(cursor: GalleryCursor): Promise<GalleryChanges | undefined> {
    return this.#attempt(async () => {
      const connected = this.#connected;
      if (connected === undefined || connected.session !== cursor.session) return undefined;
      const { client, session } = connected;
      // Mostly there is nothing: then one statement is all.
      const { rows } = await client.query<Position & { changed: boolean }>({
        name: 'changed',
        text: `select ${NOW}, exists (select 1 from gallery_change where ${UNSEEN}) as changed`,
        values: [cursor.snapshot],
      });
      const [{ changed, ...position }] = rows as [Position & { changed: boolean }];
      if (position.at - cursor.at > VALID * this.#kept) return undefined;
      if (!changed) return { cursor: { ...position, session }, faces: [], pipelines: new Map() };
      return inOneSnapshot(client, () => this.#read(client, cursor));
    });
  }

  /**
   * The marks are rows, so that an installation whose connections break often deletes changes too. A mark that survives a failover is
   * true on the new server: its COMMIT came after those of all transactions that its snapshot shows, so none of their ids
   * is given again.
   */
  async prune(): Promise<void> {
    await this.#attempt(async () => {
      const { client } = await this.#connect();
      await client.query('begin');
      const { rows } = await client.query<Position>(
        `select snapshot, at from gallery_mark where at <= extract(epoch from clock_timestamp()) * 1000 - $1::double precision
         order by at desc limit 1`,
        [this.#kept],
      );
      const [due] = rows;
      if (due !== undefined) {
        await client.query('delete from gallery_change where pg_visible_in_snapshot(xid, $1::pg_snapshot)', [
          due.snapshot,
        ]);
        await client.query('delete from gallery_mark where at <= $1', [due.at]);
      }
      await client.query(`insert into gallery_mark (snapshot, at) select ${NOW}`);
      await client.query('commit');
    });
  }

  async close(): Promise<void> {
    this.#closed = true;
    const client = this.#forget();
    await client?.end();
  }

  async #read(client: pg.Client, cursor: GalleryCursor): Promise<GalleryChanges | undefined> {
    const [position, { rows }] = await Promise.all([
      positionOf(client),
      client.query<ChangeRow>({
        name: 'changes',
        text: `select distinct company_id, face_id from gallery_change where ${UNSEEN} limit ${MAX_CHANGED_FACES + 1}`,
        values: [cursor.snapshot],
      }),
    ]);
    if (rows.length > MAX_CHANGED_FACES) return undefined;
    const changed = rows.flatMap(({ company_id, face_id }) =>
      face_id === null ? [] : [{ company: companyOf(company_id), faceId: trusted.face(Number(face_id)) }],
    );
    const faces: ChangedFace[] = [];
    for (let start = 0; start < changed.length; start += PAGE)
      faces.push(...(await this.#facesOf(client, changed.slice(start, start + PAGE))));
    const companies = rows.filter(({ face_id }) => face_id === null).map(({ company_id }) => company_id);
    const pipelines =
      companies.length === 0 ? new Map() : await activePipelines(client, this.#cells, companies);
    return { cursor: { ...position, session: cursor.session }, faces, pipelines };
  }

  async #facesOf(
    client: pg.Client,
    changed: readonly Omit<ChangedFace, 'entries'>[],
  ): Promise<ChangedFace[]> {
    const { rows } = await client.query<TemplateRow>({
      name: 'templates',
      text: `select ${[...CODED.face, 'code'].map((column) => `f.${column}`).join(', ')},
         t.face_id, t.pipeline_id, t.vector from face f join template t on t.face_id = f.id
       where f.id = any($1::bigint[]) and f.matchable = 1`,
      values: [changed.map(({ faceId }) => faceId)],
      types: TYPES,
    });
    const byFace = Map.groupBy(rows, ({ id }) => id);
    return changed.map((face) => ({
      ...face,
      entries: (byFace.get(face.faceId) ?? []).map((row) => this.#entryOf(face.faceId, row)),
    }));
  }

  #entryOf(faceId: FaceId, row: TemplateRow): GalleryEntry {
    return {
      faceId,
      watchlist:
        row.blacklist_id === null
          ? { kind: 'duplicate' }
          : { kind: 'blacklist', blacklistId: row.blacklist_id },
      // Without components the gallery reports it and leaves the face out.
      template: { pipelineId: row.pipeline_id, vector: matchableVector(this.#cells, row) },
    };
  }

  async #connect(): Promise<{ client: pg.Client; session: symbol }> {
    if (this.#closed) throw new UnavailableError('The store is closed.');
    if (this.#connected !== undefined) return this.#connected;
    const client = new pg.Client({
      ...configOf(this.#address),
      // The statements of a snapshot that do not need each other's answers are sent together.
      pipeline: true,
      connectionTimeoutMillis: TIMEOUT,
      statement_timeout: TIMEOUT,
      query_timeout: 2 * TIMEOUT,
    });
    client.on('error', () => this.#forget(client));
    client.on('end', () => this.#forget(client));
    await client.connect();
    this.#connected = { client, session: Symbol() };
    return this.#connected;
  }

  /** The next use connects again. @param lost only where this one is in use */
  #forget(lost?: pg.Client): pg.Client | undefined {
    const client = this.#connected?.client;
    if (lost !== undefined && lost !== client) return undefined;
    this.#connected = undefined;
    return client;
  }

  /**
   * One piece of work has the session at a time. A session that failed is not used again: its transaction, or an answer that
   * is still to come, could be in the way.
   */
  async #attempt<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await this.#turns.run('session', work);
    } catch (cause) {
      const failed = this.#forget();
      void failed?.end().catch(() => undefined);
      if (cause instanceof UnavailableError) throw cause;
      throw new UnavailableError(
        `The changes in the database ${this.#address.label} cannot be read, so a search could miss a face. Try again.`,
        { cause },
      );
    }
  }
}

/** All statements see the database at one moment. */
async function inOneSnapshot<T>(client: pg.Client, work: () => Promise<T>): Promise<T> {
  const [, result] = await Promise.all([
    client.query('begin isolation level repeatable read read only'),
    work(),
  ]);
  await client.query('commit');
  return result;
}

/** A standby shows commits later than they were acknowledged. */
async function requirePrimary(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ standby: boolean }>('select pg_is_in_recovery() as standby');
  if (rows[0]?.standby !== false)
    throw new UnavailableError('The database is a standby. Connect to the primary server.');
}

async function positionOf(client: pg.Client): Promise<Position> {
  const { rows } = await client.query<Position>(`select ${NOW}`);
  return rows[0]!;
}

/** @param companies absent: all @throws {RowDamaged} one was changed without the key: its templates would not be compared */
async function activePipelines(
  client: pg.Client,
  cells: Cells,
  companies?: readonly string[],
): Promise<Map<CompanyId, PipelineId>> {
  const { rows } = await client.query<CodedRow<'active_pipeline'>>({
    text: `select company_id, pipeline_id, code from active_pipeline
     where $1::bigint[] is null or company_id = any($1::bigint[])`,
    values: [companies ?? null],
    types: TYPES,
  });
  return new Map(rows.map((row) => [row.company_id, cells.checked('active_pipeline', row).pipeline_id]));
}

function companyOf(id: string): CompanyId {
  return trusted.company(Number(id));
}
