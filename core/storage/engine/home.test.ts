import assert from 'node:assert/strict';
import { chmodSync, chownSync, existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { temporaryFolder } from '../../../test/support/site.ts';
import { homeOf, lockHome, openHome } from './home.ts';
import { HomeLocked } from './refusals.ts';

test('one process has a home at a time, and it is free again when that one ends', (t) => {
  const home = openHome(temporaryFolder(t));
  const lock = lockHome(home);
  assert.throws(() => lockHome(home), HomeLocked);
  lock.release();
  lockHome(home).release();
});

test('root makes no files in the home of another account', { skip: process.getuid?.() !== 0 }, (t) => {
  const folder = temporaryFolder(t);
  chownSync(folder, 12345, 12345);
  assert.throws(() => openHome(folder), /belongs to account number 12345.*sudo -u/);
  assert.deepEqual(readdirSync(folder), []);
});

test(
  'a home that other accounts could enter is closed to them',
  { skip: process.platform === 'win32' },
  (t) => {
    const folder = temporaryFolder(t);
    chmodSync(folder, 0o755);
    openHome(folder);
    assert.equal(statSync(folder).mode & 0o777, 0o700);
  },
);

test('naming the files of a home makes nothing', (t) => {
  const folder = join(temporaryFolder(t), 'none');
  homeOf(folder);
  assert(!existsSync(folder));
});
