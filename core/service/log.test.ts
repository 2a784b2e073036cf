import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { fillDisk } from '../../test/support/fullDisk.ts';
import { temporaryFolder } from '../../test/support/site.ts';
import { until } from '../../test/support/until.ts';
import { openLog } from './log.ts';

const FULL = '/dev/full';

test('a full disk costs lines of the log, and not the service', { skip: !existsSync(FULL) }, async (t) => {
  const folder = temporaryFolder(t);
  const file = join(folder, 'vouch.1.log');
  symlinkSync(FULL, file);
  const terminal = t.mock.method(process.stderr, 'write', () => true);
  const log = openLog(folder, 'info', 50);
  await until(() => {
    log.info('lost');
    return terminal.mock.callCount() > 0;
  }, 'the message on the terminal');
  assert.match(String(terminal.mock.calls[0]?.arguments[0]), /cannot be written \(ENOSPC.*lines are lost/);
  rmSync(file);
  const text = await until(() => {
    log.info('kept');
    const content = existsSync(file) && readFileSync(file, 'utf8');
    return content !== false && content.includes('"kept"') && content;
  }, 'lines in the file');
  assert.match(text, /"since":"20\d\d.*lines since then are missing/);
  assert.equal(terminal.mock.callCount(), 1, 'the terminal says it once');
});

test('a full disk takes no descriptors from the service', { skip: !existsSync(FULL) }, async (t) => {
  const folder = temporaryFolder(t);
  const file = join(folder, 'vouch.1.log');
  symlinkSync(FULL, file);
  t.after(fillDisk((path) => path.startsWith(folder)));
  const terminal = t.mock.method(process.stderr, 'write', () => true);
  const log = openLog(folder, 'info', 10);
  await until(() => {
    log.info('lost');
    return terminal.mock.callCount() > 0;
  }, 'the message on the terminal');
  const before = readdirSync('/proc/self/fd').length;
  for (let tries = 0; tries < 20; tries += 1) {
    log.info('lost');
    await wait(20);
  }
  // Other tests of the process may have opened some meanwhile, and close them again.
  await until(() => readdirSync('/proc/self/fd').length <= before, 'the descriptors to be given back');
});
