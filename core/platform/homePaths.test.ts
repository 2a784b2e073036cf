import assert from 'node:assert/strict';
import { test } from 'node:test';
import { temporaryFolder } from '../../test/support/site.ts';
import { namePipe, socketOf } from './homePaths.ts';

test('the Windows pipe name follows from nothing but a file in the data directory', (t) => {
  const [home, other] = [temporaryFolder(t), temporaryFolder(t)];
  namePipe(home, 'win32');
  namePipe(other, 'win32');
  const name = socketOf(home, 'win32');
  assert.match(name, /^\\\\\.\\pipe\\vouch-[0-9a-f]{32}$/);
  assert.notEqual(socketOf(other, 'win32'), name);
  namePipe(home, 'win32');
  assert.equal(socketOf(home, 'win32'), name, 'chosen once');
});
