import { createReadStream, existsSync } from 'node:fs';
import { readdir, readFile, stat, statfs } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { AuditAnchor } from '../../contracts/audit.ts';
import { CodedError, problem } from '../../contracts/errors/problem.ts';
import type { ImageId } from '../../contracts/ids.ts';
import type { AuditContext } from '../../domain/ports/auditContext.ts';
import { NoBackupKey, type BackupStream } from '../../domain/ports/backup.ts';
import { UnavailableError } from '../../domain/ports/machine.ts';
import { packContainer, type NewFile } from '../../encryption/container.ts';
import type { AuditLog } from '../audit/auditLog.ts';
import type { Database } from '../engine/database.ts';
import { isPostgres } from '../engine/dialect.ts';
import type { Home } from '../engine/home.ts';
import { isIntact } from '../images/imageFormat.ts';
import type { StorageFolders } from '../images/storageFolders.ts';
import type { InstallationKeys } from '../home/installationKeys.ts';
import {
  ANCHORS,
  DATABASE,
  encryptBackup,
  FORMAT,
  imageEntry,
  isPackEntry,
  KEY_FILE,
  KIND,
  megabytes,
  packEntry,
  type BackupManifest,
} from './format.ts';
import { takeSnapshot, type Snapshot } from '../snapshot/snapshot.ts';
import type { AuditAnchors } from '../audit/auditAnchors.ts';
import { rowsWith } from '../engine/rows.ts';

interface BackupSource {
  home: Home;
  db: Database;
  key: Uint8Array;
  audit: AuditLog;
  anchors: AuditAnchors;
  installationKeys: InstallationKeys;
  folders: StorageFolders;
}

/** How often the database is copied again because a person was erased while the images were read. */
const ROUNDS = 10;
/** Bytes of the database that are read at once. */
const READ_BYTES = 1 << 20;

/**
 * Everything of an installation in one file, consistent while the service runs: the database is copied, then the images that
 * the copy names are read. An image that was erased in the meantime is missing, so the database is copied again, until none
 * is. An erased image that is in the file already cannot be decrypted: its key was in the database alone.
 */
export class Backups {
  readonly #source: BackupSource;

  constructor(source: BackupSource) {
    this.#source = source;
  }

  /** Starts a backup while the service continues. @param version of this program. @throws {NoBackupKey} */
  async open(act: AuditContext, version: string): Promise<BackupStream> {
    const { home, installationKeys, audit } = this.#source;
    if (isPostgres(this.#source.db))
      throw new CodedError(problem('BACKUP_OF_SERVER', { folder: home.folder }));
    const recovery = await installationKeys.recovery();
    if (recovery === undefined)
      throw new NoBackupKey(
        'There is no backup key. Create one first and keep it on paper: vouch backup-key create',
      );
    await refuseWithoutRoom(home);
    await this.#refuseWithoutFolders();
    await audit.record(act, { company: null, action: 'backup.taken', object: null });
    const { fileKey, content } = encryptBackup(recovery.publicKey, this.#content(act.at, version));
    return { contentKey: fileKey, content };
  }

  /** Images in a folder that is not in place would be missing from the backup. */
  async #refuseWithoutFolders(): Promise<void> {
    const { db, folders } = this.#source;
    const companies = db.selectFrom('company').select('id').where('storage_folder', 'is not', null);
    for (const { id } of await companies.execute()) await folders.ready(id);
  }

  /** @param program its version */
  #content(at: Date, program: string): AsyncIterable<Uint8Array> {
    const images = new ImageEntries(this.#source.folders);
    const copied: { anchor: AuditAnchor | null } = { anchor: null };
    const about = (): Omit<BackupManifest, 'entries'> => ({
      kind: KIND,
      version: FORMAT,
      program,
      createdAt: at.toISOString(),
      anchor: copied.anchor,
      images: images.named - images.missing.size,
      lost: [...images.missing],
      damaged: [...images.damaged],
    });
    return packContainer(this.#files(images, at, copied), { about, at });
  }

  /** @param copied is given the head of the audit log in the copy of the database */
  async *#files(
    images: ImageEntries,
    at: Date,
    copied: { anchor: AuditAnchor | null },
  ): AsyncIterable<NewFile> {
    const { home, db, key } = this.#source;
    // Before the copy: an anchor of an entry that the copy does not hold would accuse it.
    let anchors = await this.#source.anchors.text();
    let snapshot = await takeSnapshot(home.folder, home.database, key);
    try {
      for (let round = 1; ; round += 1) {
        yield* images.of(snapshot);
        if (!(await anyErased(db, images.missing))) break;
        if (round === ROUNDS)
          throw new Error('Images are erased faster than the backup can follow. Make it later.');
        await snapshot.remove();
        anchors = await this.#source.anchors.text();
        snapshot = await takeSnapshot(home.folder, home.database, key);
      }
      copied.anchor = snapshot.head(at);
      const database = createReadStream(snapshot.file, { highWaterMark: READ_BYTES });
      yield {
        name: DATABASE,
        size: (await stat(snapshot.file)).size,
        content: database as AsyncIterable<Buffer>,
      };
      yield* packEntries(home.packs);
      yield { name: KEY_FILE, content: `${Buffer.from(key).toString('hex')}\n` };
      yield { name: ANCHORS, content: anchors };
    } finally {
      await snapshot.remove();
    }
  }
}

/** Checked before the first byte is sent: the copy is made in the home, wherever the backup is written. */
async function refuseWithoutRoom({ folder, database }: Home): Promise<void> {
  const [{ bavail, bsize }, ...sizes] = await Promise.all([
    statfs(folder),
    // The latest writes stand in the log, if there are any.
    ...[database, `${database}-wal`].filter(existsSync).map(async (file) => (await stat(file)).size),
  ]);
  const needed = sizes.reduce((sum, size) => sum + size, 0);
  if (bavail * bsize < needed)
    throw new UnavailableError(
      `The disk of ${folder} has ${megabytes(bavail * bsize)} MB free, and a backup needs ${megabytes(needed)} MB there for a copy of the database while it is made. Free some room and run it again.`,
    );
}

/** The image files that copies of the database name, each once. */
class ImageEntries {
  /** Named by the last copy. */
  named = 0;
  /** Of these, without a file. */
  missing = new Set<ImageId>();
  /** Of these, with a file that does not decrypt. */
  damaged = new Set<ImageId>();
  readonly #written = new Set<ImageId>();
  readonly #folders: StorageFolders;

  constructor(folders: StorageFolders) {
    this.#folders = folders;
  }

  async *of(snapshot: Snapshot): AsyncIterable<NewFile> {
    this.named = 0;
    this.missing = new Set();
    const damagedBefore = this.damaged;
    this.damaged = new Set();
    for (const { id, company, storedIn, key } of snapshot.images()) {
      const location = this.#folders.resolve(storedIn);
      this.named += 1;
      if (damagedBefore.has(id)) this.damaged.add(id);
      if (this.#written.has(id)) continue;
      const content = location === null ? undefined : await this.#folders.place(location).read(id);
      if (content === undefined) {
        this.missing.add(id);
        continue;
      }
      this.#written.add(id);
      if (!isIntact(content, id, key)) this.damaged.add(id);
      yield { name: imageEntry(company, id), content };
    }
  }
}

/** The networks that were dropped into the home: templates made with one need it. */
async function* packEntries(folder: string): AsyncIterable<NewFile> {
  if (!existsSync(folder)) return;
  for (const file of await readdir(folder, { recursive: true, withFileTypes: true })) {
    const path = packEntry(basename(file.parentPath), file.name);
    if (file.isFile() && dirname(file.parentPath) === folder && isPackEntry(path))
      yield { name: path, content: await readFile(join(file.parentPath, file.name)) };
  }
}

/** Whether one of the images is not named any more. */
async function anyErased(db: Database, images: ReadonlySet<ImageId>): Promise<boolean> {
  for (const id of images) {
    const row = await rowsWith(db, 'image', { id }).select('id').executeTakeFirst();
    if (row === undefined) return true;
  }
  return false;
}
