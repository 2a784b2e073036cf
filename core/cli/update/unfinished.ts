/**
 * An update that was cut off: what is known of it, and how it comes to its end. From the moment the new version is current
 * until it has shown that it works, a note in the home says which version was current before.
 */
import { existsSync } from 'node:fs';
import { readFile, readlink, rename, rm, symlink } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { z } from 'zod';
import {
  DatabaseCopy,
  holdFile,
  homeOf,
  lockHome,
  openHome,
  syncFolder,
  writeDurably,
} from '../../storage/index.ts';
import { CliError, EXIT } from '../terminal/output.ts';

const NOTE = 'update.json';
/** The temporary file that `writeDurably` fills before the note has its name. */
const HALF_NOTE = `${NOTE}.next`;
const updateNote = z.object({
  /** The folder with `versions` and `current`, absolute. */
  root: z.string(),
  /** Names of folders in `versions`. */
  from: z.string(),
  to: z.string(),
  /** It was found not to work: the way back has begun. */
  failed: z.boolean().default(false),
});
export type UpdateNote = z.input<typeof updateNote>;

/** Starts a version on a home, waits until it is healthy, and stops it. @returns why it is not healthy; undefined when it is */
export type TryVersion = (folder: string, home: string) => Promise<string | undefined>;

/**
 * Runs `work` while no other process updates the home.
 * @throws {CliError} another process does
 */
export async function whileUpdating<T>(homeFolder: string, work: () => Promise<T>): Promise<T> {
  const lock = holdFile(join(openHome(homeFolder).folder, 'update.lock'));
  if (lock === undefined)
    throw new CliError(`An update of ${homeFolder} is in progress. Wait until it has finished.`, EXIT.failed);
  try {
    return await work();
  } finally {
    lock.release();
  }
}

/** From here on `to` is current, until {@link concludeUpdate} or {@link rollBack}. */
export async function beginUpdate(homeFolder: string, note: UpdateNote): Promise<void> {
  await writeNote(homeFolder, note);
  await point(note.root, note.to);
}

/** The new version works: nothing of the one before is kept but its folder. */
export async function concludeUpdate(homeFolder: string, copy: DatabaseCopy | undefined): Promise<void> {
  await copy?.remove();
  await rm(join(homeFolder, NOTE), { force: true });
}

/** @param copy undefined: it is restored already */
export async function rollBack(
  homeFolder: string,
  note: UpdateNote,
  copy: DatabaseCopy | undefined,
): Promise<void> {
  await writeNote(homeFolder, { ...note, failed: true });
  // In this order, the current program can open the database after an interruption at any step.
  await copy?.putBack();
  await point(note.root, note.from);
  await concludeUpdate(homeFolder, copy);
}

/** Whether a start of this home must look at what an update left. */
export function isUnfinished(homeFolder: string): boolean {
  return (
    existsSync(join(homeFolder, NOTE)) ||
    existsSync(join(homeFolder, HALF_NOTE)) ||
    DatabaseCopy.left(homeOf(homeFolder)) !== undefined
  );
}

/**
 * Brings an update that was cut off to its end: the version that is current is tried, and when it is not healthy the one
 * before is current again with the database as it was.
 * @returns the update that is complete now; undefined when none had begun to count
 * @throws {CliError} rolled back, with the reason @throws {HomeLocked} a service runs on the home
 */
export async function finishUpdate(
  homeFolder: string,
  tryVersion: TryVersion,
): Promise<UpdateNote | undefined> {
  return whileUpdating(homeFolder, async () => {
    const home = openHome(homeFolder);
    lockHome(home).release();
    // A note that was cut off while it was written: the update had not begun to count.
    await rm(join(homeFolder, HALF_NOTE), { force: true });
    const note = await readNote(homeFolder);
    const copy = DatabaseCopy.left(home);
    if (note === undefined) {
      await copy?.remove();
      return undefined;
    }
    const reason = await whyNot(note, copy, () =>
      tryVersion(join(note.root, 'versions', note.to), homeFolder),
    );
    if (reason === undefined) {
      await concludeUpdate(homeFolder, copy);
      return basename(await readlink(join(note.root, 'current'))) === note.to ? note : undefined;
    }
    await rollBack(homeFolder, note, copy);
    throw new CliError(
      `The update to ${note.to} was interrupted, and that version does not become healthy. ${note.from} is current again, and the database is as it was before the update. Run the command again.\n${reason}`,
      EXIT.failed,
    );
  });
}

/** @returns why the previous version must be restored; undefined: no rollback is needed */
async function whyNot(
  { root, to, failed = false }: UpdateNote,
  copy: DatabaseCopy | undefined,
  tryIt: () => Promise<string | undefined>,
): Promise<string | undefined> {
  if (failed) return 'The new version was tried before the update was interrupted.';
  const isCurrent = basename(await readlink(join(root, 'current'))) === to;
  // Without its copy it was found to work; not yet current, it has touched nothing.
  return isCurrent && copy !== undefined ? tryIt() : undefined;
}

async function writeNote(homeFolder: string, note: UpdateNote): Promise<void> {
  await writeDurably(join(homeFolder, NOTE), JSON.stringify(note));
}

async function readNote(homeFolder: string): Promise<UpdateNote | undefined> {
  const file = join(homeFolder, NOTE);
  return existsSync(file) ? updateNote.parse(JSON.parse(await readFile(file, 'utf8'))) : undefined;
}

/** Makes `current` point to a version, from one moment to the next. */
async function point(root: string, name: string): Promise<void> {
  const next = join(root, 'current.next');
  await rm(next, { force: true });
  await symlink(join('versions', name), next);
  await rename(next, join(root, 'current'));
  await syncFolder(root);
}
