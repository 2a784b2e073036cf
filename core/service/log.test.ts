import assert from 'node:assert/strict';
import {
  existsSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
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

test('a full file is followed by the next, and the ten before it are kept', async (t) => {
  const folder = temporaryFolder(t);
  for (let number = 1; number <= 12; number += 1) writeFileSync(join(folder, `vouch.${number}.log`), 'old\n');
  writeFileSync(join(folder, 'vouch.12.log'), Buffer.alloc(10 * 2 ** 20, 'x\n'));
  openLog(folder, 'info').info('first of the next');
  await until(() => !existsSync(join(folder, 'vouch.2.log')), 'the oldest to be removed');
  assert.equal(readdirSync(folder).length, 11);
  const text = await until(() => readFileSync(join(folder, 'vouch.13.log'), 'utf8'), 'the line');
  assert.match(text, /first of the next/);
});

test('the newest file goes on after a restart on the same day, and not on the next', async (t) => {
  const folder = temporaryFolder(t);
  const [today, next] = [join(folder, 'vouch.3.log'), join(folder, 'vouch.4.log')];
  writeFileSync(today, 'before the restart\n');
  openLog(folder, 'info').info('the same day');
  await until(() => /before.*\n.*the same day/.test(readFileSync(today, 'utf8')), 'both lines');
  const yesterday = Date.now() / 1000 - 86_400;
  utimesSync(today, yesterday, yesterday);
  openLog(folder, 'info').info('a day later');
  await until(() => existsSync(next) && readFileSync(next, 'utf8').includes('a day later'), 'the next file');
  assert.doesNotMatch(readFileSync(today, 'utf8'), /a day later/);
});
