/** Every state that a PostgreSQL database committed, in its order, kept by triggers of a test. */
import pg from 'pg';
import type { BlacklistId, CompanyId, FaceId } from '../../core/contracts/ids.ts';
import type { Candidate, GalleryQuery, Watchlist } from '../../core/domain/ports/gallery.ts';

/** A face that can be matched. Its name states the seed of its template. */
interface MatchableFace {
  faceId: FaceId;
  watchlist: Watchlist;
  seed: number;
}

interface Row {
  seq: string;
  xid: string;
  face_id: string;
  matches: boolean;
  blacklist_id: string | null;
  name: string;
}

/**
 * Transactions that change faces of a company run one after the other, so a number that a trigger draws rises in the order
 * of the commits of that company.
 */
const SCRIPT = `
  create table committed_state (seq bigserial, xid text not null default pg_current_xact_id()::text, company_id bigint,
    face_id bigint, matches boolean, blacklist_id bigint, name text);
  create index on committed_state (company_id, seq);
  create function commit_state(face_of bigint) returns void language sql as $$
    insert into committed_state (company_id, face_id, matches, blacklist_id, name)
    select f.company_id, f.id, f.matchable = 1 and exists (select 1 from template where face_id = f.id),
      f.blacklist_id, f.name from face f where f.id = face_of $$;
  create function commit_template() returns trigger language plpgsql as $$
    begin perform commit_state(new.face_id); return null; end $$;
  create function commit_face() returns trigger language plpgsql as $$
    begin
      if tg_op = 'UPDATE' then perform commit_state(new.id);
      else insert into committed_state (company_id, face_id, matches, name) values (old.company_id, old.id, false, old.name);
      end if;
      return null;
    end $$;
  create trigger commit_template after insert on template for each row execute function commit_template();
  create trigger commit_face after update or delete on face for each row execute function commit_face();`;

export class CommittedStates {
  readonly #pool: pg.Pool;

  private constructor(pool: pg.Pool) {
    this.#pool = pool;
  }

  static async open(address: string): Promise<CommittedStates> {
    const pool = new pg.Pool({ connectionString: address, application_name: 'test' });
    await pool.query(SCRIPT);
    return new CommittedStates(pool);
  }

  /** How many changes of the company are committed. */
  async newest(company: CompanyId): Promise<number> {
    const { rows } = await this.#pool.query<{ newest: string }>(
      'select coalesce(max(seq), 0) as newest from committed_state where company_id = $1',
      [company],
    );
    return Number(rows[0]!.newest);
  }

  /** Ends the connections of the services, all or one of them. @returns how many */
  async kill(which: 'all' | 'one'): Promise<number> {
    const { rowCount } = await this.#pool.query(
      `select pg_terminate_backend(pid) from (select pid from pg_stat_activity
       where datname = current_database() and application_name = 'vouch' order by random() limit $1) chosen`,
      [which === 'one' ? 1 : null],
    );
    return rowCount ?? 0;
  }

  /** All states of a company, the empty one first, each with the number of the last change in it. */
  async states(company: CompanyId): Promise<{ seq: number; faces: MatchableFace[] }[]> {
    const { rows } = await this.#pool.query<Row>(
      'select * from committed_state where company_id = $1 order by seq',
      [company],
    );
    const states: { seq: number; faces: MatchableFace[] }[] = [{ seq: 0, faces: [] }];
    const faces = new Map<string, MatchableFace>();
    for (const [i, row] of rows.entries()) {
      if (row.matches) faces.set(row.face_id, matchable(row));
      else faces.delete(row.face_id);
      // A transaction is seen as a whole or not at all.
      if (rows[i + 1]?.xid !== row.xid) states.push({ seq: Number(row.seq), faces: [...faces.values()] });
    }
    return states;
  }

  close(): Promise<void> {
    return this.#pool.end();
  }
}

function matchable({ face_id, blacklist_id, name }: Row): MatchableFace {
  return {
    faceId: Number(face_id) as FaceId,
    watchlist:
      blacklist_id === null
        ? { kind: 'duplicate' }
        : { kind: 'blacklist', blacklistId: Number(blacklist_id) as BlacklistId },
    seed: Number(name),
  };
}

/** The correct answer of a search in a state, by a plain loop in double precision. */
export function scan(
  faces: readonly MatchableFace[],
  query: GalleryQuery,
  vectorOf: (seed: number) => Float32Array,
): Candidate[] {
  const asked = new Set(query.watchlists.map(keyOf));
  return faces
    .filter(({ faceId, watchlist }) => asked.has(keyOf(watchlist)) && query.except?.has(faceId) !== true)
    .map(({ faceId, watchlist, seed }) => {
      let squared = 0;
      for (const [i, component] of vectorOf(seed).entries()) {
        const difference = query.probe.vector[i]! - component;
        squared += difference * difference;
      }
      return { faceId, watchlist, squared, distance: Math.sqrt(squared) };
    })
    .filter(({ distance }) => distance <= query.maxDistance)
    .sort((a, b) => a.squared - b.squared || a.faceId - b.faceId)
    .slice(0, query.limit)
    .map(({ faceId, watchlist, distance }) => ({ faceId, watchlist, distance }));
}

function keyOf(watchlist: Watchlist): string {
  return watchlist.kind === 'duplicate' ? 'duplicate' : String(watchlist.blacklistId);
}
