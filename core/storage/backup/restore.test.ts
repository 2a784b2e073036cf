import assert from 'node:assert/strict';
import fs, { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { temporaryFolder } from '../../../test/support/site.ts';
import { openHome, type Home } from '../engine/home.ts';
import { beginSwap, finishRestore } from './restore.ts';

const OLD = { 'vouch.db': 'old', 'vouch.db-wal': 'old', 'store.key': 'old', 'storage/a': 'old' };
const NEW = { 'vouch.db': 'new', 'store.key': 'new', 'storage/a': 'new', 'audit-anchors.jsonl': 'new' };

function preparedHome(t: TestContext): Home {
  const home = openHome(temporaryFolder(t));
  write(home.folder, { ...OLD, lock: '' });
  write(join(home.folder, 'restoring-1'), NEW);
  return home;
}

function write(folder: string, files: Record<string, string>): void {
  mkdirSync(join(folder, 'storage'), { recursive: true });
  for (const [name, content] of Object.entries(files)) writeFileSync(join(folder, name), content);
}

function read(folder: string): Record<string, string> {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  return Object.fromEntries(
    entries
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name))
      .map((path) => [path.slice(folder.length + 1), readFileSync(path, 'utf8')]),
  );
}

/** Runs until the N-th change of a name and no further, as if the power had been cut. @returns whether it came so far */
async function cutOff(at: number, work: () => Promise<void>): Promise<boolean> {
  const { rename, rm, rmdir } = fs.promises;
  let left = at;
  const { promise: cut, resolve: cutNow } = Promise.withResolvers<'cut off'>();
  const gated = (call: (...parameters: never[]) => Promise<unknown>) =>
    ((...parameters: never[]) => {
      left -= 1;
      if (left >= 0) return call(...parameters);
      cutNow('cut off');
      return new Promise<never>(() => undefined);
    }) as never;
  Object.assign(fs.promises, { rename: gated(rename), rm: gated(rm), rmdir: gated(rmdir) });
  syncBuiltinESMExports();
  try {
    return (await Promise.race([work(), cut])) === 'cut off';
  } finally {
    Object.assign(fs.promises, { rename, rm, rmdir });
    syncBuiltinESMExports();
  }
}

test('a power cut at any rename leaves the old or the new home complete', async (t) => {
  const seen: string[] = [];
  for (let at = 0; ; at += 1) {
    const home = preparedHome(t);
    const stopped = await cutOff(at, () => beginSwap(home, 'restoring-1', 'before-restore-1'));
    await finishRestore(home);
    const { lock, ...files } = read(home.folder);
    assert.equal(lock, '');
    const isNew = files['vouch.db'] === 'new';
    const kept = Object.fromEntries(
      Object.entries(OLD).map(([name, content]) => [`before-restore-1/${name}`, content]),
    );
    assert.deepEqual(files, isNew ? { ...NEW, ...kept } : OLD, `cut off at change ${at}`);
    assert(!readdirSync(home.folder).some((name) => name.startsWith('restor')), `cut off at change ${at}`);
    seen.push(isNew ? 'new' : 'old');
    if (!stopped) break;
  }
  assert.equal(seen.filter((one) => one === 'old').length, 1, 'only until the note is in its place');
  assert(seen.length >= 10, `${seen.length} changes were tried`);
});
