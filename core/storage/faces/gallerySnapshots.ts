import { randomBytes, createHash } from 'node:crypto';
import type { BlacklistId, CompanyId, FaceId, PipelineId } from '../../contracts/ids.ts';
import type { FaceRange, GallerySnapshot } from '../../domain/ports/gallery.ts';
import { writing, type Database } from '../engine/database.ts';
import { listed } from '../engine/dialect.ts';
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { hasSystemCode } from '../../contracts/errors/systemProblem.ts';
import { cellsOf, opened, sealed } from '../engine/cells.ts';
import { addRows, rowsWith, deleteRows } from '../engine/rows.ts';

/** Binds the content of a file to its purpose. */
const FILE = 'gallery snapshot';

/**
 * The content of one service's snapshots, for a database on a server: a file each in the data directory, encrypted under a key
 * of its own. The database has the keys, so that an erasure makes the files of every service unreadable in its transaction,
 * also on a machine that is switched off.
 */
export class SnapshotFiles {
  readonly node: string;
  readonly #folder: string;

  /** @param node the name of the service @param folder of its data directory, for these files alone */
  constructor(node: string, folder: string) {
    this.node = node;
    this.#folder = folder;
  }

  /** @param key 32 bytes, of this file alone */
  async write(company: CompanyId, key: Uint8Array, content: Uint8Array): Promise<void> {
    await mkdir(this.#folderOf(company), { recursive: true, mode: 0o700 });
    // Neither synchronised nor renamed: what a power cut leaves cannot be opened, and is written once more.
    await writeFile(this.#pathOf(company, key), sealed(key, content, FILE), { mode: 0o600 });
  }

  /** A file that is not as it was written is deleted. @returns undefined: there is none */
  async read(company: CompanyId, key: Uint8Array): Promise<Uint8Array | undefined> {
    const path = this.#pathOf(company, key);
    const file = await readFile(path).catch(absent);
    if (file === undefined) return undefined;
    const content = opened(key, file, FILE);
    if (content === undefined) await rm(path, { force: true });
    return content;
  }

  /**
   * Deletes the files of a company that none of the keys opens.
   * @returns the keys that have no file
   */
  async sweep(company: CompanyId, keys: readonly Uint8Array[]): Promise<Set<Uint8Array>> {
    const names = new Set((await readdir(this.#folderOf(company)).catch(absent)) ?? []);
    const missing = new Set(keys.filter((key) => !names.delete(nameOf(key))));
    for (const name of names) await rm(join(this.#folderOf(company), name), { force: true });
    return missing;
  }

  #folderOf(company: CompanyId): string {
    return join(this.#folder, String(company));
  }

  #pathOf(company: CompanyId, key: Uint8Array): string {
    return join(this.#folderOf(company), nameOf(key));
  }
}

/** A digest, from which the key cannot be computed. */
function nameOf(key: Uint8Array): string {
  return createHash('sha256').update(key).digest('hex').slice(0, 32);
}

/** @throws what was thrown, unless it says that there is no such file */
function absent(cause: unknown): undefined {
  if (!hasSystemCode(cause, 'ENOENT')) throw cause;
}

/** The service of a database that has one alone. */
const ONLY_NODE = '';

/**
 * Snapshots of the gallery of one service. Triggers of the tables remove those that no longer agree with them. Where the
 * database is on a server, its rows have the keys of files that have the content.
 */
export class GallerySnapshots {
  readonly #db: Database;
  readonly #files: SnapshotFiles | undefined;
  readonly #node: string;

  /** @param files where the content is; undefined: in the rows */
  constructor(db: Database, files?: SnapshotFiles) {
    this.#db = db;
    this.#files = files;
    this.#node = files?.node ?? ONLY_NODE;
  }

  /** The ranges that have a snapshot, by rising ids; they do not overlap. */
  async ranges(company: CompanyId, pipeline: PipelineId): Promise<FaceRange[]> {
    if (this.#files !== undefined) await this.#matchFiles(this.#files, company);
    const rows = await this.#db
      .selectFrom('gallery_snapshot')
      .select(['after_face', 'up_to_face'])
      .where((eb) => eb.and({ company_id: company, pipeline_id: pipeline, node: this.#node }))
      .orderBy('up_to_face')
      .execute();
    return rows.map((row) => ({ after: row.after_face, upTo: row.up_to_face }));
  }

  async read(
    company: CompanyId,
    pipeline: PipelineId,
    { after, upTo }: FaceRange,
  ): Promise<Uint8Array | undefined> {
    const row = await this.#db
      .selectFrom('gallery_snapshot')
      .selectAll()
      .where((eb) =>
        eb.and({
          company_id: company,
          pipeline_id: pipeline,
          node: this.#node,
          up_to_face: upTo,
          after_face: after,
        }),
      )
      .executeTakeFirst();
    const content = row && cellsOf(this.#db).opened('gallery_snapshot', 'content', row);
    return content === undefined || this.#files === undefined ? content : this.#files.read(company, content);
  }

  /**
   * Keeps a snapshot in place of all that overlap its range, but only if `faces` (rising) are exactly the matchable
   * ones that the store has there and that were not left out; otherwise nothing happens and it returns false.
   */
  async keep(
    company: CompanyId,
    pipeline: PipelineId,
    { after, upTo, content, leftOut }: GallerySnapshot,
    faces: readonly FaceId[],
  ): Promise<boolean> {
    const node = this.#node;
    const place = { company_id: company, pipeline_id: pipeline, node, up_to_face: upTo };
    const inRow = this.#files === undefined ? content : randomBytes(32);
    const isKept = await writing(this.#db, company, async (trx) => {
      const most = faces.length + leftOut.size + 1;
      const rows = await matchableFaces(trx, company, pipeline, { after, upTo }, most);
      const stored = rows.map(({ id }) => id).filter((face) => !leftOut.has(face));
      if (stored.length !== faces.length || stored.some((face, i) => face !== faces[i])) return false;
      await deleteRows(trx, 'gallery_snapshot', { company_id: company, pipeline_id: pipeline, node })
        .where('up_to_face', '>', after)
        .where('after_face', '<', upTo)
        .execute();
      await addRows(trx, 'gallery_snapshot', {
        ...place,
        after_face: after,
        content: cellsOf(trx).seal('gallery_snapshot', 'content', place, inRow),
      });
      return true;
    });
    // After COMMIT: an erasure that came in between has deleted the key, so the file cannot be opened.
    if (isKept) await this.#files?.write(company, inRow, content);
    return isKept;
  }

  /** Deletes files without a row, and rows without a file. */
  async #matchFiles(files: SnapshotFiles, company: CompanyId): Promise<void> {
    const stored = await rowsWith(this.#db, 'gallery_snapshot', { company_id: company, node: this.#node })
      .selectAll()
      .execute();
    const cells = cellsOf(this.#db);
    const own = stored.map((row) => ({ ...row, key: cells.opened('gallery_snapshot', 'content', row) }));
    const missing = await files.sweep(
      company,
      own.flatMap(({ key }) => key ?? []),
    );
    const withoutFile = Map.groupBy(
      own.filter(({ key }) => key === undefined || missing.has(key)),
      ({ pipeline_id }) => pipeline_id,
    );
    if (withoutFile.size === 0) return;
    await writing(this.#db, company, async (trx) => {
      for (const [pipeline, rows] of withoutFile)
        await trx
          .deleteFrom('gallery_snapshot')
          .where((eb) => eb.and({ company_id: company, pipeline_id: pipeline, node: this.#node }))
          .where('up_to_face', 'in', listed(rows.map((row) => row.up_to_face)))
          .execute();
    });
  }
}

/** The faces of a company that can be matched, with their templates. */
export function joinedFaces(db: Database, company: CompanyId, pipeline: PipelineId) {
  return db
    .selectFrom('face')
    .innerJoin('template', 'template.face_id', 'face.id')
    .where('face.company_id', '=', company)
    .where('template.pipeline_id', '=', pipeline)
    .where('face.matchable', '=', 1);
}

export type MatchableFaces = ReturnType<typeof joinedFaces>;

/** The first of the rows that `Faces.all` gives, without the templates. */
export async function matchableFaces(
  db: Database,
  company: CompanyId,
  pipeline: PipelineId,
  { after, upTo }: FaceRange,
  most: number,
): Promise<{ id: FaceId; blacklist_id: BlacklistId | null }[]> {
  return joinedFaces(db, company, pipeline)
    .select(['face.id', 'face.blacklist_id'])
    .where('face.id', '>', after)
    .where('face.id', '<=', upTo)
    .orderBy('face.id')
    .limit(most)
    .execute();
}
