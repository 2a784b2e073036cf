import { open, rename } from 'node:fs/promises';
import { dirname } from 'node:path';

/** A small file, whole or not at all: written beside its place, synced, then renamed into it. Readable by its owner. */
export async function writeDurably(file: string, content: string | Uint8Array): Promise<void> {
  const next = `${file}.next`;
  const handle = await open(next, 'w', 0o600);
  try {
    await handle.writeFile(content);
    await handle.sync();
  } finally {
    await handle.close();
  }
  await rename(next, file);
  await syncFolder(dirname(file));
}

/** A new file's name is durable only when its folder is; Windows has no such call and needs none. */
export async function syncFolder(folder: string): Promise<void> {
  if (process.platform === 'win32') return;
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
