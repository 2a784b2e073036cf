import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { DECLARED } from '../renderer/state/navigation.ts';
import { serviceExecutable } from './localRequests.ts';
import { linkIn, screenOf, shutdownOnQuit, startupErrorPage, boundsOnDisplays, MENU } from './shell.ts';
import { QueueMonitor } from './trayIcon.ts';

const PROJECT = join(import.meta.dirname, '..');

test('a link opens the validation that it names, and nothing else', () => {
  assert.equal(screenOf('vouch://validation/7'), '/validations/7');
  assert.equal(screenOf('vouch://review/12/'), '/review/12');
  for (const link of [
    'vouch://validation/7/../../setup',
    'vouch://validation/7?x=1',
    'vouch://validation/-1',
    'vouch://company/1',
    'http://127.0.0.1/validations/7',
    'vouch://validation/9999999999999999',
  ])
    assert.equal(screenOf(link), undefined, link);
  const builder = readFileSync(join(PROJECT, 'electron-builder.yml'), 'utf8');
  assert.match(
    builder,
    /^protocols:\n {2}- \{ name: [^,]+, schemes: \[vouch\] \}/m,
    'the system knows who opens it',
  );
  assert.equal(linkIn(['/usr/bin/vouch', '--flag', 'vouch://validation/7']), 'vouch://validation/7');
});

test('the tray shows the queue, and a long job ends with one notification', () => {
  const monitor = new QueueMonitor();
  const update = (waiting: number, seconds: number, paused = false) =>
    monitor.update({ waiting, paused }, seconds * 1000);
  assert.deepEqual(update(0, 0), { line: 'The queue is empty', ended: undefined });
  assert.equal(update(1, 1).line, '1 photo waiting');
  assert.equal(update(0, 5).ended, undefined, 'a short job is not worth a word');
  assert.equal(update(900, 10).line, '900 photos waiting');
  assert.equal(update(300, 20, true).line, '300 photos waiting, paused');
  assert.equal(monitor.update(undefined, 25_000).line, 'The service is not running');
  assert.match(update(0, 60).ended ?? '', /empty\. At least 900 photos/);
  assert.equal(update(0, 61).ended, undefined);
});

test('every menu entry has a key of its own and leads to a screen that there is', () => {
  const entries = MENU.flatMap((group) => group.entries);
  assert.equal(new Set(entries.map((one) => one.accelerator)).size, entries.length);
  for (const { act } of entries) if ('screen' in act) assert(DECLARED.includes(act.screen), act.screen);
});

test('a window comes back where it was, and not where no screen is any more', () => {
  const screens = [
    { x: 0, y: 0, width: 1920, height: 1040 },
    { x: 1920, y: 0, width: 1280, height: 1024 },
  ];
  const kept = { width: 1440, height: 900, x: 1900, y: 40 };
  assert.deepEqual(boundsOnDisplays(kept, screens), kept);
  assert.deepEqual(boundsOnDisplays({ ...kept, x: 3_180 }, screens), { width: 1440, height: 900 });
  assert.deepEqual(
    boundsOnDisplays({ ...kept, y: -40 }, screens),
    { width: 1440, height: 900 },
    'its title is above',
  );
  assert.deepEqual(boundsOnDisplays({ width: 1440, height: 900 }, screens), { width: 1440, height: 900 });
});

test('a service that does not start says why, and its words are never a page', () => {
  const [head = '', body = ''] = startupErrorPage(
    'Port 4610 is taken by <script>alert(1)</script>',
    8_000,
  ).split(',', 2);
  assert.equal(head, 'data:text/html;charset=utf-8');
  const page = decodeURIComponent(body);
  assert.match(page, /Port 4610 is taken by &lt;script&gt;alert/);
  assert.match(page, /tries again in 8 s/);
  assert.match(page, /default-src 'none'/);
});

test('quitting waits for the service once, however often it is requested', async () => {
  const { promise: ended, resolve: end } = Promise.withResolvers<undefined>();
  const asked: string[] = [];
  const { promise: quit, resolve } = Promise.withResolvers<undefined>();
  const beforeQuit = shutdownOnQuit({
    stop: async () => {
      asked.push('stop');
      await ended;
    },
    quit: () => {
      asked.push('quit');
      resolve(undefined);
    },
  });
  const prevented = () => {
    let held = false;
    beforeQuit({ preventDefault: () => (held = true) });
    return held;
  };
  assert.deepEqual([prevented(), prevented()], [true, true]);
  end(undefined);
  await quit;
  assert.equal(prevented(), false, 'the second time there is nothing to wait for');
  assert.deepEqual(asked, ['stop', 'quit']);
});

test('a package runs the service inside it, a checkout runs the sources', () => {
  const packaged = serviceExecutable({ packaged: true, resources: join('opt', 'Vouch', 'resources') });
  assert.match(packaged.node, /service.bin.node/);
  assert.match(packaged.cli, /service.app.core.cli\.js$/);
  const checkout = serviceExecutable({ packaged: false, project: PROJECT });
  assert(readFileSync(checkout.cli).length > 0);
});
