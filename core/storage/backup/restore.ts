import { problem, errorOf } from '../../contracts/errors/problem.ts';
import { existsSync } from 'node:fs';
import { open, mkdir, rm, stat, statfs, readdir, rmdir, readFile, rename } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { buffer, text } from 'node:stream/consumers';
import { randomBytes, randomUUID } from 'node:crypto';
import type { AuditVerdict } from '../../contracts/audit.ts';
import type { ImageId } from '../../contracts/ids.ts';
import type { Clock } from '../../domain/ports/machine.ts';
import type { BackupKey } from '../../encryption/backupKey.ts';
import { MANIFEST, type ContainerFile } from '../../encryption/container.ts';
import { AuditAnchors } from '../audit/auditAnchors.ts';
import { AuditLog } from '../audit/auditLog.ts';
import { writing, type Database } from '../engine/database.ts';
import { openDatabase } from '../engine/sqliteFile.ts';
import { isFullDisk, syncFolder, writeDurably } from '../engine/fsync.ts';
import { replayErasures, type AskRetention, type ErasedBefore } from '../erasure/replayErasures.ts';
import { lockHome, type Home } from '../engine/home.ts';
import { FolderPlace } from '../images/places/folderPlace.ts';
import { defaultFolderName } from '../images/places/imagePlaces.ts';
import { writeMarker } from '../images/storageFolders.ts';
import {
  ANCHORS,
  BackupRefused,
  DATABASE,
  isPackEntry,
  KEY_FILE,
  megabytes,
  openBackup,
  parseImageEntry,
  type BackupManifest,
  readBackup,
} from './format.ts';
import { replayWithdrawals, type AskCredentials } from './withdrawnCredentials.ts';
import { z } from 'zod';
import { hasSystemCode } from '../../contracts/errors/systemProblem.ts';
import { changeRows, deleteRows } from '../engine/rows.ts';

// A restored home takes the place of the one before. Everything is prepared in a folder of the home; from the moment
// the note of it is written the new home counts, and the next process that opens the home finishes the moves that a crash cut off.

const NOTE = 'restore.json';
const note = z.object({ stage: z.enum(['clearing', 'filling']), prepared: z.string(), former: z.string() });

/** Data of the machine and the running program that a restore keeps; erased persons stay erased, and copies stay where erasures name them. */
const STAYS =
  /^(lock(-journal)?|vouch\.sock|logs|erased\.jsonl|restore\.json(\.next)?|restoring-.*|migrating\.url|before-(restore|migration)-.*)$/;

/** From here on the new home counts. @param prepared @param former names of folders in the home */
export async function beginSwap(home: Home, prepared: string, former: string): Promise<void> {
  await writeNote(home, { stage: 'clearing', prepared, former });
  await finishRestore(home);
}

/** Finishes a restore that was cut off, or removes what one left that had not begun to count. Needs the home's lock. */
export async function finishRestore(home: Home): Promise<void> {
  const begun = await readNote(home);
  if (begun === undefined) {
    for (const name of await readdir(home.folder))
      if (name.startsWith('restoring-') || name === `${NOTE}.next`)
        await rm(join(home.folder, name), { recursive: true });
    return;
  }
  const { prepared, former } = begun;
  if (begun.stage === 'clearing') {
    await mkdir(join(home.folder, former), { recursive: true, mode: 0o700 });
    await moveAll(home.folder, join(home.folder, former), (name) => !STAYS.test(name));
    await syncFolder(join(home.folder, former));
    await writeNote(home, { stage: 'filling', prepared, former });
  }
  await moveAll(join(home.folder, prepared), home.folder, () => true);
  await syncFolder(home.folder);
  await rm(join(home.folder, NOTE));
  await rmdir(join(home.folder, prepared));
}

async function moveAll(from: string, to: string, chosen: (name: string) => boolean): Promise<void> {
  for (const name of await readdir(from)) if (chosen(name)) await rename(join(from, name), join(to, name));
}

async function writeNote(home: Home, content: z.infer<typeof note>): Promise<void> {
  await writeDurably(join(home.folder, NOTE), JSON.stringify(content));
}

async function readNote(home: Home): Promise<z.infer<typeof note> | undefined> {
  try {
    return note.parse(JSON.parse(await readFile(join(home.folder, NOTE), 'utf8')));
  } catch (cause) {
    if (hasSystemCode(cause, 'ENOENT')) return undefined;
    throw cause;
  }
}

/** The result of a restore. */
interface Restored {
  manifest: BackupManifest;
  /** Whether the audit log is as it was written, up to the head that the backup was made at. */
  audit: AuditVerdict;
  /** Erased on this machine, present in the backup, and erased from the restored data. */
  erasedAgain: ErasedBefore;
  /** Credentials that this machine had withdrawn and are active in the backup; null: there was no database to compare with. */
  credentials: { revived: number; withdrawn: boolean } | null;
  /** Where everything lies that was in the home before; null when there was nothing. */
  former: string | null;
}

/** Decisions that a person makes before anything is changed. Either may end the restore by rejecting. */
export interface RestoreQuestions {
  /** Asked when the home has an installation already, which is kept beside the restored one. It throws to refuse. Absent: it is replaced. */
  existing?: (folder: string) => Promise<void>;
  /** Asked when retention rules of this machine had erased records of the backup. */
  retention: AskRetention;
  /** Asked when credentials that this machine had withdrawn are active in the backup. */
  credentials: AskCredentials;
}

/** Image files that are written at once. */
const BATCH_SIZE = 16;

/** Reads the backup once and calls `each` for every file of it. */
type ReadFiles = (each: (file: ContainerFile) => Promise<void>) => Promise<BackupManifest>;

/**
 * Restores a home from a backup, here or on another machine. Everything is unpacked, authenticated and opened beside the
 * old home first; only then it takes its place, in moves that the next start finishes if this one is killed.
 * @throws {BackupRefused} another key or a damaged backup, @throws {CodedError} made by a newer version,
 *   @throws {HomeLocked} a service runs there; nothing was touched in each case
 */
export async function restoreBackup(
  home: Home,
  file: string,
  key: BackupKey,
  clock: Clock,
  questions: RestoreQuestions,
): Promise<Restored> {
  const backup = await openBackup(file);
  try {
    const fileKey = backup.unwrap(key);
    await checkRoom(home, file);
    return await restoreFrom(home, (each) => readBackup(backup, fileKey, each), clock, questions);
  } finally {
    await backup.close();
  }
}

async function restoreFrom(
  home: Home,
  read: ReadFiles,
  clock: Clock,
  questions: RestoreQuestions,
): Promise<Restored> {
  const lock = lockHome(home);
  try {
    await finishRestore(home);
    if (existsSync(home.database) || existsSync(home.databaseAddress))
      await questions.existing?.(home.folder);
    const prepared = `restoring-${randomUUID()}`;
    const { manifest, ...made } = await unpack(home, join(home.folder, prepared), { clock, questions }, read);
    const former = `before-restore-${clock.now().toISOString().replaceAll(/[:.]/g, '-')}`;
    await beginSwap(home, prepared, former);
    return { manifest, ...made, former: await keptFolder(join(home.folder, former)) };
  } finally {
    lock.release();
  }
}

/** Fills the folder with a home that is whole, or leaves none behind. */
async function unpack(
  home: Home,
  folder: string,
  asked: { clock: Clock; questions: RestoreQuestions },
  read: ReadFiles,
): Promise<Omit<Restored, 'former'>> {
  await mkdir(folder, { mode: 0o700 });
  const unpacked = new Unpacked(folder);
  try {
    const manifest = await read((file) => unpacked.take(file));
    await unpacked.settled();
    return { manifest, ...(await prepare(home, unpacked, manifest, asked)) };
  } catch (cause) {
    // A photo that is still being written would make the folder again.
    await unpacked.stopped();
    await rm(folder, { recursive: true, force: true });
    if (!isFullDisk(cause)) throw cause;
    throw new BackupRefused(problem('RESTORE_DISK_FULL', { folder: home.folder }), { cause });
  }
}

/** The files of a backup in the prepared folder. */
class Unpacked {
  readonly folder: string;
  readonly images = new Map<ImageId, string>();
  key: Uint8Array | undefined;
  #writing = new Set<Promise<void>>();
  #failure: Error | undefined;

  constructor(folder: string) {
    this.folder = folder;
  }

  async take({ name, content }: ContainerFile): Promise<void> {
    const image = parseImageEntry(name);
    if (image !== undefined) {
      const path = new FolderPlace(storageFolderOf(this.folder, image.company)).pathOf(image.id);
      this.images.set(image.id, path);
      await this.#write(path, await buffer(content));
      return;
    }
    if (isPackEntry(name)) {
      const path = join(this.folder, name);
      await mkdir(dirname(path), { recursive: true, mode: 0o700 });
      await writeStream(path, content);
      return;
    }
    switch (name) {
      case DATABASE:
        await writeStream(join(this.folder, DATABASE), content);
        return;
      case KEY_FILE: {
        const digits = await text(content);
        this.key = Buffer.from(digits.trim(), 'hex');
        await writeDurably(join(this.folder, KEY_FILE), digits);
        return;
      }
      case ANCHORS:
        await writeDurably(join(this.folder, ANCHORS), await buffer(content));
        return;
      default:
        throw new BackupRefused(problem('BACKUP_ENTRY_UNKNOWN', { path: name }));
    }
  }

  async settled(): Promise<void> {
    await Promise.all(this.#writing);
    if (this.#failure !== undefined) throw this.#failure;
    for (const folder of new Set([...this.images.values()].map(dirname))) await syncFolder(folder);
  }

  /** Nothing is being written any more; whether it could be is asked of `settled`. */
  async stopped(): Promise<void> {
    await Promise.all(this.#writing);
  }

  /** Several at once: the disk answers for each file, and they do not wait for each other. */
  async #write(path: string, content: Buffer): Promise<void> {
    const work = writeImage(path, content)
      .catch((cause: unknown) => {
        this.#failure ??= errorOf(cause);
      })
      .finally(() => {
        this.#writing.delete(work);
      });
    this.#writing.add(work);
    if (this.#writing.size >= BATCH_SIZE) await Promise.race(this.#writing);
    if (this.#failure !== undefined) throw this.#failure;
  }
}

/** Opens the unpacked database, which brings it to this version, and makes it one of this home. */
async function prepare(
  home: Home,
  unpacked: Unpacked,
  manifest: BackupManifest,
  { clock, questions }: { clock: Clock; questions: RestoreQuestions },
): Promise<Pick<Restored, 'audit' | 'erasedAgain' | 'credentials'>> {
  if (unpacked.key === undefined) throw new BackupRefused(problem('BACKUP_WITHOUT_KEY'));
  const db = await openDatabase(join(unpacked.folder, DATABASE), unpacked.key);
  try {
    await checkImages(db, unpacked, manifest);
    const audit = new AuditLog(db);
    const { kept } = await new AuditAnchors(join(unpacked.folder, ANCHORS)).read();
    const made = manifest.anchor === null ? [] : [manifest.anchor];
    const verdict = await audit.verify([...kept, { file: MANIFEST, anchors: made, damaged: [] }]);
    await writing(db, 'installation', async (trx) => {
      // Folders of the installation that the backup was taken from are not this one's.
      const installation = randomBytes(16).toString('hex');
      await trx.updateTable('installation_settings').set({ installation_id: installation }).execute();
      const companies = trx.selectFrom('company').select('id').where('storage_folder', 'is not', null);
      for (const { id } of await companies.execute()) {
        const folder = storageFolderOf(unpacked.folder, id);
        await mkdir(folder, { recursive: true, mode: 0o700 });
        await writeMarker(new FolderPlace(folder), { installation, company: id });
        await changeRows(trx, 'company', { id })
          .set({ storage_folder: defaultFolderName(id) })
          .execute();
      }
      // The sessions of the backup end.
      await trx.deleteFrom('operator_session').execute();
      // The backup holds its own run, which had not ended.
      await deleteRows(trx, 'backup_run', { state: 'running' }).execute();
      // Perhaps another machine, in another network: the administrator enables network access again.
      await trx.deleteFrom('network_listener').execute();
      // Two installations would answer the requests of one message broker.
      await trx.deleteFrom('mosip_connection').execute();
      // A log that is not whole is evidence: nothing more is written to it.
      if (verdict.whole)
        audit.append(
          trx,
          { by: 'local-admin', at: clock.now() },
          { company: null, action: 'backup.restored', object: null, details: { images: manifest.images } },
        );
    });
    const act = { by: 'local-admin', at: clock.now() } as const;
    const erased = await replayErasures(
      home,
      { db, audit, database: join(unpacked.folder, DATABASE), key: unpacked.key },
      act,
      questions.retention,
    );
    const credentials = (await replayWithdrawals(home, db, questions.credentials)) ?? null;
    for (const image of erased.images) await rm(unpacked.images.get(image) ?? '', { force: true });
    return {
      audit: verdict,
      erasedAgain: { erasures: erased.erasures, records: erased.records },
      credentials,
    };
  } finally {
    await db.destroy();
    await syncFolder(unpacked.folder);
  }
}

/** Every image that the database names is there; files of images that were erased while the backup was made go. */
async function checkImages(db: Database, unpacked: Unpacked, manifest: BackupManifest): Promise<void> {
  const lost = new Set(manifest.lost);
  const unnamed = new Map(unpacked.images);
  for await (const { id } of db.selectFrom('image').select('id').stream()) {
    if (!unpacked.images.has(id) && !lost.has(id))
      throw new BackupRefused(problem('BACKUP_IMAGE_MISSING', { image: id }));
    unnamed.delete(id);
  }
  for (const path of unnamed.values()) await rm(path);
}

/** In a restored home all images lie in the home, wherever they lay before. */
function storageFolderOf(home: string, company: number): string {
  return join(home, 'storage', defaultFolderName(company));
}

async function writeImage(path: string, content: Buffer): Promise<void> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  await writeStream(path, [content]);
}

async function writeStream(
  path: string,
  content: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
): Promise<void> {
  const handle = await open(path, 'wx', 0o600);
  try {
    for await (const piece of content) await handle.writeFile(piece);
    await handle.sync();
  } finally {
    await handle.close();
  }
}

async function checkRoom(home: Home, file: string): Promise<void> {
  const [{ bavail, bsize }, { size }] = await Promise.all([statfs(home.folder), stat(file)]);
  if (bavail * bsize < size)
    throw new BackupRefused(
      problem('RESTORE_NO_ROOM', {
        folder: home.folder,
        free: megabytes(bavail * bsize),
        needed: megabytes(size),
      }),
    );
}

async function keptFolder(folder: string): Promise<string | null> {
  if ((await readdir(folder)).length > 0) return folder;
  await rmdir(folder);
  return null;
}
