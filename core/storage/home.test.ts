import assert from 'node:assert/strict';
import { chownSync } from 'node:fs';
import { test } from 'node:test';
import { temporaryFolder } from '../../test/support/site.ts';
import { HomeLocked, lockHome, openHome } from './home.ts';

test('one process has a home at a time, and it is free again when that one ends', (t) => {
  const home = openHome(temporaryFolder(t));
  const lock = lockHome(home);
  assert.throws(() => lockHome(home), HomeLocked);
  lock.release();
  lockHome(home).release();
});

test("root makes no files in somebody else's home", { skip: process.getuid?.() !== 0 }, (t) => {
  const home = openHome(temporaryFolder(t));
  chownSync(home.folder, 12345, 12345);
  assert.throws(() => lockHome(home), /belongs to account number 12345.*sudo -u/);
});
