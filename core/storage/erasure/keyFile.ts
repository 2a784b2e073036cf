import { sql } from 'kysely';
import { CodedError, problem } from '../../contracts/errors/problem.ts';
import { cellsOf, NONCE_BYTES } from '../engine/cells.ts';
import { writing, type Database } from '../engine/database.ts';
import { ErasableKeys, type Leaf } from '../engine/erasableKeys.ts';
import type { Home } from '../engine/home.ts';
import { ImagePlaces, keptImages } from '../images/places/imagePlaces.ts';

/** The place of the file. All services of a database have the same. */
type Places = Pick<ImagePlaces, 'keysLocation' | 'readKeys' | 'writeKeys'>;

/** Binds the content of the file to its purpose. */
const FILE = 'erasable keys';

/** The keys of an open database, in the file that all of its services share. */
export class KeyFile {
  readonly #db: Database;
  readonly #place: Places;
  /** The first bytes of the file as this service has read it: random ones at each change. */
  #nonce = Buffer.alloc(0);

  private constructor(db: Database, place: Places) {
    this.#db = db;
    this.#place = place;
  }

  /**
   * Reads the file, and lets the cells of the database use it. Makes it for a database that has no face and no photo yet.
   * @throws {CodedError} the file is missing or damaged. @throws {UnavailableError} its place cannot be reached
   */
  static async open(db: Database, place: Places): Promise<KeyFile> {
    const file = new KeyFile(db, place);
    const keys = (await file.#read()) ?? (await file.#make());
    cellsOf(db).useErasable(keys);
    // A database that was put back to an earlier state would give new faces the numbers of erased ones.
    const last = keys.lastFace();
    if (last > 0)
      await sql`select nextval('face_id_seq') from generate_series(
        (select last_value + is_called::int from face_id_seq), ${last}::bigint)`.execute(db);
    return file;
  }

  /** Reads the file again where another service has changed it. */
  async refresh(): Promise<void> {
    const content = await this.#place.readKeys();
    if (content !== undefined && this.#nonce.equals(content.subarray(0, NONCE_BYTES))) return;
    cellsOf(this.#db).useErasable(await this.#present());
  }

  /** Resolves when none of the keys is in the file or can be computed from it. Other services wait meanwhile. */
  async destroy(leaves: readonly Leaf[]): Promise<void> {
    const keys = await writing(this.#db, 'keys', async () => {
      const present = await this.#present();
      if (present.destroy(leaves)) await this.#write(present);
      return present;
    });
    cellsOf(this.#db).useErasable(keys);
  }

  async #present(): Promise<ErasableKeys> {
    const keys = await this.#read();
    if (keys === undefined)
      throw new CodedError(problem('KEYS_MISSING', { location: this.#place.keysLocation }));
    return keys;
  }

  /** For a database without faces and photos: those of another would be unreadable with new keys. */
  #make(): Promise<ErasableKeys> {
    return writing(this.#db, 'keys', async (trx) => {
      const made = await this.#read();
      if (made !== undefined) return made;
      const { rows } = await sql`select 1 from image union all select 1 from face limit 1`.execute(trx);
      if (rows.length > 0) return this.#present();
      const keys = ErasableKeys.fresh();
      await this.#write(keys);
      return keys;
    });
  }

  async #read(): Promise<ErasableKeys | undefined> {
    const content = await this.#place.readKeys();
    if (content === undefined) return undefined;
    const plain = cellsOf(this.#db).openedFile(FILE, content);
    if (plain === undefined)
      throw new CodedError(problem('KEYS_DAMAGED', { location: this.#place.keysLocation }));
    this.#nonce = Buffer.from(content.subarray(0, NONCE_BYTES));
    return ErasableKeys.parse(plain);
  }

  async #write(keys: ErasableKeys): Promise<void> {
    const content = cellsOf(this.#db).sealedFile(FILE, keys.toBytes());
    await this.#place.writeKeys(content);
    this.#nonce = Buffer.from(content.subarray(0, NONCE_BYTES));
  }
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
