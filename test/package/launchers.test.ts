/** The two programs that start the command line: what of the caller's environment reaches it. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { chmodSync, copyFileSync, mkdirSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { LAUNCHER } from '../../scripts/package/stage.ts';
import { temporaryFolder } from '../support/site.ts';

const PROJECT = join(import.meta.dirname, '..', '..');
const NO_SHELL = process.platform === 'win32' && 'Windows has another launcher';
const PRINT = 'process.stdout.write(JSON.stringify(process.env));';
const GIVEN = { NODE_COMPILE_CACHE: '/nowhere/cache', NODE_PATH: '/nowhere/modules', LANG: 'C' };

function put(file: string, content: string): string {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, content);
  return file;
}

function environmentOf(program: string, ...args: string[]): Record<string, string | undefined> {
  const { stdout, stderr } = spawnSync(program, args, {
    encoding: 'utf8',
    env: { PATH: process.env.PATH, ...GIVEN },
  });
  assert.equal(stderr, '');
  return JSON.parse(stdout) as Record<string, string | undefined>;
}

/** A checkout with a command line that prints its environment. @returns its launcher, and the folder of its compile cache */
function checkout(t: TestContext): { launcher: string; cache: string } {
  const folder = realpathSync(temporaryFolder(t));
  put(join(folder, 'core', 'cli.ts'), PRINT);
  mkdirSync(join(folder, 'core', 'platform'));
  mkdirSync(join(folder, 'bin'));
  for (const file of ['core/platform/environment.json', 'bin/vouch.mjs'])
    copyFileSync(join(PROJECT, file), join(folder, file));
  mkdirSync(join(folder, 'node_modules', 'node', 'bin'), { recursive: true });
  symlinkSync(process.execPath, join(folder, 'node_modules', 'node', 'bin', 'node'));
  return {
    launcher: join(folder, 'bin', 'vouch.mjs'),
    cache: join(folder, 'node_modules', '.cache', 'vouch'),
  };
}

test('a package passes on no variable that loads code', { skip: NO_SHELL }, (t) => {
  const folder = temporaryFolder(t);
  const launcher = put(join(folder, 'bin', 'vouch'), LAUNCHER);
  chmodSync(launcher, 0o755);
  symlinkSync(process.execPath, join(folder, 'bin', 'node'));
  put(join(folder, 'app', 'core', 'cli.js'), PRINT);
  const environment = environmentOf(launcher);
  assert.equal(environment.LANG, 'C');
  assert.equal(environment.NODE_COMPILE_CACHE, undefined);
  assert.equal(environment.NODE_PATH, undefined);
});

test('a checkout keeps compiled code in a private folder only', { skip: NO_SHELL }, (t) => {
  const { launcher, cache } = checkout(t);
  const environment = environmentOf(process.execPath, launcher);
  assert.equal(environment.NODE_COMPILE_CACHE, cache);
  assert.equal(environment.NODE_PATH, undefined);
  chmodSync(cache, 0o777);
  assert.equal(environmentOf(process.execPath, launcher).NODE_COMPILE_CACHE, undefined);
});
