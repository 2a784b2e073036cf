/** The program as it was one commit before, with the packages and the networks of this one. */
import { spawnSync } from 'node:child_process';
import { globSync, mkdirSync, symlinkSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { TestContext } from 'node:test';
import { temporaryFolder } from './site.ts';
import { WITHOUT_SERVER } from './testServer.ts';

const PROJECT = join(import.meta.dirname, '..', '..');
/** `VOUCH_PREVIOUS=COMMIT` tries another one. */
const COMMIT = process.env.VOUCH_PREVIOUS ?? 'HEAD~1';

function git(...order: string[]) {
  return spawnSync('git', order, { cwd: PROJECT, encoding: 'utf8' });
}

/** For a test that needs the earlier version: why it is skipped, or false. */
export const WITHOUT_PREVIOUS = WITHOUT_SERVER || whyNoPrevious();

function whyNoPrevious(): string | false {
  if (git('rev-parse', '--verify', '--quiet', `${COMMIT}^{commit}`).status !== 0)
    return `there is no ${COMMIT}: this is a shallow clone, or no repository`;
  if (git('diff', '--quiet', COMMIT, '--', 'package-lock.json').status !== 0)
    return `${COMMIT} needs other packages`;
  // Before the first release a baseline may be changed in place. Databases of the two commits then have nothing in common.
  const migrations = 'core/storage/engine/migrations';
  const changed = git('diff', '--name-only', '--diff-filter=a', COMMIT, '--', migrations).stdout.split('\n');
  const inPlace = changed.filter((file) => file !== '' && file !== `${migrations}/index.ts`);
  return inPlace.length > 0 && `a migration of ${COMMIT} was changed in place: ${inPlace.join(', ')}`;
}

/** @returns the folder of the earlier version, which is deleted after the test */
export function previousVersion(t: TestContext): string {
  const folder = join(temporaryFolder(t), 'previous');
  mkdirSync(folder);
  const unpack = 'set -e; git archive "$1" > "$2.tar"; tar -x -f "$2.tar" -C "$2"; rm "$2.tar"';
  const { status, stderr } = spawnSync('sh', ['-c', unpack, 'sh', COMMIT, folder], {
    cwd: PROJECT,
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(`${COMMIT} could not be unpacked: ${stderr}`);
  symlinkSync(join(PROJECT, 'node_modules'), join(folder, 'node_modules'));
  for (const network of globSync(join(PROJECT, 'models', '*.onnx')))
    symlinkSync(network, join(folder, 'models', basename(network)));
  return folder;
}
