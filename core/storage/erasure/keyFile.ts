import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import type { CompanyId } from '../../contracts/ids.ts';
import { CodedError, messageOf, problem, type Problem } from '../../contracts/errors/problem.ts';
import { UnavailableError } from '../../domain/ports/machine.ts';
import { cellsOf, NONCE_BYTES, RowDamaged } from '../engine/cells.ts';
import { writing, type Database, type Transaction } from '../engine/database.ts';
import { deletedKeys } from '../engine/deletedKeys.ts';
import { listed } from '../engine/dialect.ts';
import { ErasableKeys, leavesIn, type Leaf } from '../engine/erasableKeys.ts';
import type { Home } from '../engine/home.ts';
import { ImagePlaces, keptImages } from '../images/places/imagePlaces.ts';

/** The place of the file. All services of a database have the same. */
type Places = Pick<ImagePlaces, 'locationOf' | 'readKeys' | 'writeKeys'>;

/** Binds the content of the file, and that of its row, to their purposes. */
const FILE = 'erasable keys';
const ROW = 'file of the erasable keys';
/** Random bytes in the name of the file, so that no two databases have the same one. */
const ID_BYTES = 8;
/** Milliseconds until a service asks a place again that did not answer. */
const RETRY_DELAY = 2_000;

/** The file by the database: its name, and its first bytes as it was last written, which are random each time. */
interface Entry {
  id: Buffer;
  nonce: Buffer;
}

/** The file as it was read. */
interface Read {
  keys: ErasableKeys;
  nonce: Buffer;
}

/** The place of the file does not answer now. */
class KeysAway extends UnavailableError {}

/** Commands make no file: the service may be given another place. What needs keys then says that there are none. */
class KeysNotMade extends UnavailableError {}

/**
 * The opener of the keys of a database: a service makes the file of a new one; a command does without a file that is missing;
 * the self-diagnosis does not.
 */
export type KeyUse = 'service' | 'command' | 'diagnosis';

/** Names the rows of erasures. */
interface ErasureRow {
  readonly company: CompanyId;
  readonly id: string;
}

/** The keys of an open database, in the file that all of its services share. */
export class KeyFile {
  readonly #db: Database;
  readonly #place: Places;
  readonly #use: KeyUse;
  /** The file whose keys the cells use; undefined: they have none yet. */
  #nonce: Buffer | undefined;
  #retry: NodeJS.Timeout | undefined;
  #isClosed = false;

  private constructor(db: Database, place: Places, use: KeyUse) {
    this.#db = db;
    this.#place = place;
    this.#use = use;
  }

  /**
   * Reads the file, and lets the cells of the database use it. Makes it for a database that has no face and no photo yet.
   * @throws {CodedError} the file is missing or damaged. @throws {UnavailableError} its place cannot be reached
   */
  static async open(db: Database, place: Places): Promise<KeyFile> {
    const file = new KeyFile(db, place, 'service');
    await file.#open();
    return file;
  }

  /**
   * The same for a service, or for a command in its place. Also destroys the keys of erasures that a crash cut off, and of all
   * erasures where the file is not the one that was last written. While the place does not answer, what has these keys is unavailable, and it is asked again.
   * @throws {CodedError} the file is missing or damaged
   */
  static async begin(db: Database, place: Places, use: KeyUse): Promise<KeyFile> {
    const file = new KeyFile(db, place, use);
    await file.#begin().catch((cause: unknown) => {
      if (cause instanceof KeysAway) file.#beginLater(cause);
      else if (cause instanceof KeysNotMade || (use === 'command' && isMissing(cause)))
        cellsOf(db).useErasable(unavailable(cause));
      else throw cause;
    });
    return file;
  }

  close(): void {
    this.#isClosed = true;
    clearTimeout(this.#retry);
  }

  /** Reads the file again where another service has changed it, and destroys the keys of what was deleted without an erasure. */
  async refresh(): Promise<void> {
    const used = this.#nonce;
    if (used === undefined) return;
    const entry = await this.#entry(this.#db);
    if (!entry.nonce.equals(used)) {
      const read = await this.#present(entry);
      // An erasure of this service may have destroyed keys meanwhile that this file still has.
      if (this.#nonce === used) this.#useRead(read);
    }
    await this.#destroyDeleted();
  }

  /**
   * Resolves when none of the keys of these erasures is in the file or can be computed from it. Other services wait meanwhile.
   * @returns how many keys each had; an erasure whose row was changed on the server is missing
   */
  async destroyOf(erasures: readonly ErasureRow[]): Promise<Map<string, number>> {
    const ids = erasures.map(({ id }) => id);
    const recorded = await this.#recorded(this.#db, { ids });
    await this.#destroy([...recorded.values()].flat());
    return new Map([...recorded].map(([id, leaves]) => [id, leaves.length]));
  }

  async #begin(): Promise<void> {
    const { isCurrent } = await this.#open();
    const unfinished = [...(await this.#recorded(this.#db, { unfinished: true })).values()].flat();
    if (!isCurrent) await this.#destroy(unfinished);
    // Without room their erasures stay unfinished, which retention reports each time; the service works all the same.
    else if (unfinished.length > 0) await this.#destroy(unfinished).catch(unlessFull);
    await this.#destroyDeleted().catch(unlessFull);
  }

  /** Of what was deleted without an erasure. */
  async #destroyDeleted(): Promise<void> {
    const { ids, leaves } = await deletedKeys(this.#db, 'waiting');
    if (ids.length === 0) return;
    await this.#destroy(leaves);
    await sql`update deleted_key set destroyed = 1 where id in ${listed(ids)}`.execute(this.#db);
  }

  #beginLater(cause: unknown): void {
    if (this.#isClosed) return;
    cellsOf(this.#db).useErasable(unavailable(cause));
    this.#retry = setTimeout(() => {
      this.#begin().catch((error: unknown) => {
        this.#beginLater(error);
      });
    }, RETRY_DELAY).unref();
  }

  /** @returns whether the file is the one that was last written */
  async #open(): Promise<{ isCurrent: boolean }> {
    const entry = await this.#entry(this.#db);
    const read = (await this.#read(entry)) ?? (await this.#make());
    // A database that was put back to an earlier state would give new faces the numbers of erased ones.
    const last = read.keys.lastFace();
    if (last > 0)
      await sql`select nextval('face_id_seq') from generate_series(
        (select last_value + is_called::int from face_id_seq), ${last}::bigint)`.execute(this.#db);
    this.#useRead(read);
    return { isCurrent: (await this.#entry(this.#db)).nonce.equals(read.nonce) };
  }

  #useRead({ keys, nonce }: Read): void {
    cellsOf(this.#db).useErasable(keys);
    this.#nonce = nonce;
  }

  async #destroy(leaves: readonly Leaf[]): Promise<void> {
    const read = await writing(this.#db, 'keys', async (trx) => {
      const entry = await this.#entry(trx);
      const present = await this.#present(entry);
      const isCurrent = entry.nonce.equals(present.nonce);
      // An earlier file was put in its place, or a crash came before the row.
      const all = isCurrent ? leaves : await this.#everyErased(trx);
      if (present.keys.destroy(all)) return this.#write(trx, entry, present.keys);
      if (!isCurrent) await this.#note(trx, { ...entry, nonce: present.nonce });
      return present;
    });
    this.#useRead(read);
  }

  async #everyErased(trx: Transaction): Promise<Leaf[]> {
    const { leaves } = await deletedKeys(trx, 'all');
    return [...(await this.#recorded(trx, {})).values()].flat().concat(leaves);
  }

  /** The leaves of the keys that erasures destroy, by the id of the erasure. The self-diagnosis names a row that was changed. */
  async #recorded(
    db: Database | Transaction,
    { ids, unfinished = false }: { ids?: readonly string[]; unfinished?: boolean },
  ): Promise<Map<string, Leaf[]>> {
    const rows = await db
      .selectFrom('erasure')
      .select(['company_id', 'id', 'keys'])
      .$if(ids !== undefined, (some) => some.where('id', 'in', ids!))
      .$if(unfinished, (some) => some.where('images', 'is not', null))
      .execute();
    const cells = cellsOf(db);
    const recorded = new Map<string, Leaf[]>();
    for (const { keys, ...place } of rows) {
      const bytes = keys === null ? Buffer.alloc(0) : cells.opened('erasure', 'keys', { ...place, keys });
      if (bytes !== undefined) recorded.set(place.id, leavesIn(Buffer.from(bytes)));
    }
    return recorded;
  }

  async #present(entry: Entry): Promise<Read> {
    const read = await this.#read(entry);
    if (read === undefined) throw new CodedError(this.#problem('KEYS_MISSING', entry));
    return read;
  }

  /** For a database without faces and photos: those of another would be unreadable with new keys. */
  #make(): Promise<Read> {
    return writing(this.#db, 'keys', async (trx) => {
      const entry = await this.#entry(trx);
      const made = await this.#read(entry);
      if (made !== undefined) return made;
      const { rows } = await sql`select 1 from image union all select 1 from face limit 1`.execute(trx);
      // Another service of the database has made it, in another place.
      const isMade = entry.nonce.some((byte) => byte !== 0);
      if (isMade || rows.length > 0) return this.#present(entry);
      if (this.#use !== 'service') throw new KeysNotMade(problem('KEYS_NOT_MADE'));
      return this.#write(trx, entry, ErasableKeys.fresh());
    });
  }

  async #read(entry: Entry): Promise<Read | undefined> {
    const content = await this.#place.readKeys(nameOf(entry)).catch(asAway);
    if (content === undefined) return undefined;
    const plain = cellsOf(this.#db).openedFile(purposeOf(entry), content);
    if (plain === undefined) throw new CodedError(this.#problem('KEYS_DAMAGED', entry));
    return { keys: ErasableKeys.parse(plain), nonce: Buffer.from(content.subarray(0, NONCE_BYTES)) };
  }

  async #write(trx: Transaction, entry: Entry, keys: ErasableKeys): Promise<Read> {
    const content = cellsOf(trx).sealedFile(purposeOf(entry), keys.toBytes());
    await this.#place.writeKeys(nameOf(entry), content).catch(asAway);
    const nonce = Buffer.from(content.subarray(0, NONCE_BYTES));
    await this.#note(trx, { ...entry, nonce });
    return { keys, nonce };
  }

  async #note(trx: Transaction, { id, nonce }: Entry): Promise<void> {
    const content = cellsOf(trx).sealedFile(ROW, Buffer.concat([id, nonce]));
    await sql`update key_file set content = ${content}`.execute(trx);
  }

  /** Names the file of a new database. @throws {RowDamaged} the row was changed on the server */
  async #entry(db: Database | Transaction): Promise<Entry> {
    const select = sql<{ content: Uint8Array }>`select content from key_file`;
    let [row] = (await select.execute(db)).rows;
    if (row === undefined) {
      const content = cellsOf(db).sealedFile(
        ROW,
        Buffer.concat([randomBytes(ID_BYTES), Buffer.alloc(NONCE_BYTES)]),
      );
      await sql`insert into key_file (id, content) values (1, ${content}) on conflict do nothing`.execute(db);
      [row] = (await select.execute(db)).rows;
    }
    const plain = row && cellsOf(db).openedFile(ROW, row.content);
    if (plain === undefined) throw new RowDamaged('key_file', { id: 1 });
    return { id: Buffer.from(plain.subarray(0, ID_BYTES)), nonce: Buffer.from(plain.subarray(ID_BYTES)) };
  }

  #problem(code: 'KEYS_MISSING' | 'KEYS_DAMAGED', entry: Entry): Problem {
    return problem(code, { location: this.#place.locationOf(nameOf(entry)) });
  }
}

function nameOf({ id }: Entry): string {
  return `erasable-${id.toString('hex')}.keys`;
}

/** A file under the name of another one is damaged. */
function purposeOf(entry: Entry): string {
  return `${FILE} ${nameOf(entry)}`;
}

function asAway(cause: unknown): never {
  if (cause instanceof UnavailableError) throw new KeysAway(cause.problem ?? cause.message, { cause });
  throw cause;
}

function unlessFull(cause: unknown): void {
  if (!(cause instanceof CodedError) || cause.problem.code !== 'KEYS_FULL') throw cause;
}

const isMissing = (cause: unknown) => cause instanceof CodedError && cause.problem.code === 'KEYS_MISSING';

function unavailable(cause: unknown): UnavailableError {
  if (cause instanceof UnavailableError) return cause;
  return new UnavailableError(cause instanceof CodedError ? cause.problem : messageOf(cause), { cause });
}

/** Lets the cells of a database use the keys of a home, for a command. @throws as {@link KeyFile.open} */
export async function openKeysOf(home: Pick<Home, 'imagesAddress' | 'storage'>, db: Database): Promise<void> {
  const places = new ImagePlaces(db, keptImages(home) ?? home.storage);
  try {
    await KeyFile.open(db, places);
  } finally {
    await places.close();
  }
}
