/**
 * A restored home takes the place of the one before. Everything is prepared in a folder of the home; from the moment
 * the note of it is written the new home counts, and the next process that opens the home finishes the moves that a crash cut off.
 */
import { mkdir, readdir, readFile, rename, rm, rmdir } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { hasSystemCode } from '../../contracts/errors/systemCode.ts';
import type { Home } from '../engine/home.ts';
import { writeDurably, syncFolder } from '../engine/fsync.ts';

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
