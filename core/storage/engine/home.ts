import {
  accessSync,
  chmodSync,
  constants,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { randomBytes, randomUUID } from 'node:crypto';
import { dirname, join } from 'node:path';
import Sqlite from 'better-sqlite3-multiple-ciphers';
import { hasSystemCode } from '../../contracts/errors/systemProblem.ts';
import { isRefusal, namePipe, socketOf } from '../../platform/homePaths.ts';
import { PROBE_BYTES } from '../../platform/tryWriting.ts';
import { isFullDisk } from './fsync.ts';
import { HomeLocked } from './refusals.ts';

/** The folder that holds everything of an installation. */
export interface Home {
  readonly folder: string;
  readonly database: string;
  /** The address of the PostgreSQL database, where the installation has one instead of the file. */
  readonly databaseAddress: string;
  /** The folder or the S3 address of the images, where they are not in `storage`. */
  readonly imagesAddress: string;
  /** The name of this service among those that share a database. */
  readonly nodeName: string;
  readonly logs: string;
  readonly keyFile: string;
  /** Heads of the audit log, written outside the database. */
  readonly auditAnchors: string;
  /** The writers of the totals of coded rows that this service has seen, where the database is on a server. */
  readonly rowTotals: string;
  /** Holds the storage folders of companies for which no other folder was chosen. */
  readonly storage: string;
  /** Packs: other recognition pipelines, a folder each (docs/reference/model-packs.md). */
  readonly packs: string;
  /** Fonts for reports, for letters that the shipped ones lack (docs/guides/operate.md). */
  readonly fonts: string;
  /** Packages of other installations that wait for a decision, sealed as they came. */
  readonly received: string;
  /** Snapshots of the gallery, where the database is on a server. Their keys are in the database. */
  readonly gallerySnapshots: string;
  /** The local socket: a Unix socket in a folder that only this account can enter, or a named pipe on Windows. */
  readonly socket: string;
}

/** Rights of every account but the owner. */
export const RIGHTS_OF_OTHERS = 0o077;

/** Names the files of a home. Reads and makes nothing. */
export function homeOf(folder: string): Home {
  return {
    folder,
    database: join(folder, 'vouch.db'),
    databaseAddress: join(folder, 'database.url'),
    imagesAddress: join(folder, 'images.url'),
    nodeName: join(folder, 'node.name'),
    logs: join(folder, 'logs'),
    auditAnchors: join(folder, 'audit-anchors.jsonl'),
    rowTotals: join(folder, 'row-totals.json'),
    keyFile: join(folder, 'store.key'),
    storage: join(folder, 'storage'),
    packs: join(folder, 'models'),
    fonts: join(folder, 'fonts'),
    received: join(folder, 'received'),
    gallerySnapshots: join(folder, 'gallery'),
    socket: socketOf(folder),
  };
}

/**
 * Names the files of a home and makes its folders. A home that other accounts can enter is closed to them.
 * @throws {Error} when this account cannot make or write a folder of it. @throws {HomeLocked} root, on the home of
 *   another account
 */
export function openHome(folder: string): Home {
  refuseForeignRoot(folder);
  const { logs } = homeOf(folder);
  for (const path of [folder, logs]) {
    try {
      mkdirSync(path, { recursive: true, mode: 0o700 });
      closeToOthers(path);
      accessSync(path, constants.W_OK | constants.X_OK);
    } catch (cause) {
      const unwritable = whyUnwritable(path);
      if (unwritable !== undefined) throw new Error(unwritable, { cause });
      if (isRefusal(cause)) throw new Error(whyUnusable(path), { cause });
      throw cause;
    }
  }
  const unwritable = whyUnwritable(folder);
  if (unwritable !== undefined) throw new Error(unwritable);
  namePipe(folder);
  return homeOf(folder);
}

/**
 * Tries to write, because Linux lets nothing be written after an error of a disk although its mount and rights stay as they
 * were. The files on it are whole.
 * @param folder there or not @returns what is wrong with its disk and what to do; undefined: the disk is not what is wrong
 */
export function whyUnwritable(folder: string): string | undefined {
  let existing = folder;
  while (!existsSync(existing) && dirname(existing) !== existing) existing = dirname(existing);
  const probe = join(existing, `.vouch-${randomUUID()}`);
  try {
    writeFileSync(probe, new Uint8Array(PROBE_BYTES), { flag: 'wx', mode: 0o600 });
    return undefined;
  } catch (cause) {
    if (isFullDisk(cause))
      return `The disk of ${folder} is full. Nothing that was acknowledged is lost. Free space on it, and run the command again.`;
    if (!hasSystemCode(cause, 'EROFS')) return undefined;
    return `The disk of ${folder} is mounted read-only, which a system does by itself after a disk error. Nothing is known to be damaged, so do not restore a backup. Read the system's log, mount the disk for writing, and run the command again.`;
  } finally {
    rmSync(probe, { force: true });
  }
}

/** Names the path, its owner and the account of this process, so that a service's journal says what to change. */
function whyUnusable(path: string): string {
  const existing = existsSync(path) ? path : dirname(path);
  const owner = statSync(existing, { throwIfNoEntry: false })?.uid;
  const own = process.getuid?.();
  if (own === undefined || owner === undefined) return `This account cannot write ${path}.`;
  return `This account (number ${own}) cannot write ${path}: ${existing} belongs to account number ${owner}. Run Vouch as that account, or give the folder to this one: chown -R ${own} ${existing}`;
}

/** Windows keeps access lists instead of rights; an account that does not own the folder cannot change them. */
function closeToOthers(folder: string): void {
  const { mode, uid } = statSync(folder);
  const own = process.getuid?.();
  if (own === undefined || (mode & RIGHTS_OF_OTHERS) === 0) return;
  if (own === uid || own === 0) chmodSync(folder, mode & ~RIGHTS_OF_OTHERS & 0o7777);
}

/**
 * Takes the home for this process until `release`, or until the process ends however it ends: the lock is the
 * operating system's own on a small SQLite file, so a crash leaves none behind.
 * @throws {HomeLocked} when another process has it.
 */
export function lockHome(home: Home): { release(): void } {
  const lock = holdFile(join(home.folder, 'lock'));
  if (lock === undefined)
    throw new HomeLocked(`Another Vouch is running on ${home.folder}. Stop it first, or use another --home.`);
  return lock;
}

/**
 * Holds a file that exists for this alone. Whoever waits for it asks again: in this locking mode two that wait inside SQLite
 * keep each other waiting. @returns undefined when another process holds it
 */
export function holdFile(file: string): { release(): void } | undefined {
  const lock = new Sqlite(file);
  try {
    lock.pragma('locking_mode=EXCLUSIVE');
    lock.pragma('busy_timeout=0');
    lock.exec('begin exclusive');
  } catch (cause) {
    lock.close();
    if (cause instanceof Sqlite.SqliteError && cause.code.startsWith('SQLITE_BUSY')) return undefined;
    throw cause;
  }
  return {
    release() {
      lock.close();
    },
  };
}

/** Files that root makes in the home of another account could not be opened by the service of that account any more. */
function refuseForeignRoot(folder: string): void {
  if (process.getuid?.() !== 0) return;
  const uid = statSync(folder, { throwIfNoEntry: false })?.uid ?? 0;
  if (uid !== 0)
    throw new HomeLocked(
      `The home ${folder} belongs to account number ${uid}. Root must not open it. Run this command as that account, e.g. sudo -u vouch.`,
    );
}

/**
 * The store key from its file; made on first start, readable by the owner alone.
 * @param databaseExists then a missing key file is an error: a new key could not open the old database.
 * @returns 32 bytes
 */
export function readKeyFile(file: string, databaseExists: boolean): Uint8Array {
  const kept = keyIn(file);
  if (kept !== undefined) return kept;
  if (databaseExists)
    throw new Error(
      ['.system', '.passphrase'].some((suffix) => existsSync(file + suffix))
        ? `The desktop application keeps the key of this home: start it there. While it runs, commands reach its service.`
        : `The key file ${file} is missing. Put it back: without it the database cannot be opened. Where systemd keeps the key, start the service: commands reach it while it runs.`,
    );
  return writeNewKey(file);
}

/**
 * Makes a key and the file of it, readable by its owner alone: whole or not at all. The caller holds a lock, and has seen that
 * there is no such file. @returns 32 bytes
 */
export function writeNewKey(file: string): Uint8Array {
  const key = randomBytes(32);
  const next = `${file}.next`;
  writeFileSync(next, `${key.toString('hex')}\n`, { mode: 0o600, flush: true });
  renameSync(next, file);
  return key;
}

/** @returns undefined when there is no such file @throws {Error} when it holds no key */
export function keyIn(file: string): Uint8Array | undefined {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (cause) {
    if (hasSystemCode(cause, 'ENOENT')) return undefined;
    throw cause;
  }
  const key = Buffer.from(text.trim(), 'hex');
  if (key.length !== 32)
    throw new Error(`The key file ${file} is damaged: it must hold 64 hexadecimal digits.`);
  return key;
}
