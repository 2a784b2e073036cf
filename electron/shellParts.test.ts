import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { coreProgram } from './corePlace.ts';
import { linkIn, screenOf } from './deepLink.ts';
import { MENU } from './menu.ts';
import { QueueWatch } from './queueWatch.ts';

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
  assert.equal(linkIn(['/usr/bin/vouch', '--flag', 'vouch://validation/7']), 'vouch://validation/7');
});

test('the tray says what the queue does, and a long job is reported once when it ends', () => {
  const watch = new QueueWatch();
  const see = (waiting: number, seconds: number, paused = false) =>
    watch.see({ waiting, paused }, seconds * 1000);
  assert.deepEqual(see(0, 0), { line: 'Nothing waits', ended: undefined });
  assert.equal(see(1, 1).line, '1 photo waiting');
  assert.equal(see(0, 5).ended, undefined, 'a short job is not worth a word');
  assert.equal(see(900, 10).line, '900 photos waiting');
  assert.equal(see(300, 20, true).line, '300 photos waiting, paused');
  assert.equal(watch.see(undefined, 25_000).line, 'The service is not running');
  assert.match(see(0, 60).ended ?? '', /empty: 900 photos/);
  assert.equal(see(0, 61).ended, undefined);
});

test('every menu entry has a key of its own and leads to a screen that there is', () => {
  const entries = MENU.flatMap((group) => group.entries);
  assert.equal(new Set(entries.map((one) => one.accelerator)).size, entries.length);
  const screens = readFileSync(join(PROJECT, 'renderer', 'frame', 'destinations.ts'), 'utf8');
  for (const { act } of entries)
    if ('screen' in act) assert(screens.includes(`path: '${act.screen}'`), act.screen);
});

test('in a package the service comes from the folder inside it, in a checkout from the sources', () => {
  const packaged = coreProgram({ packaged: true, resources: join('opt', 'Vouch', 'resources') });
  assert.match(packaged.node, /service.bin.node/);
  assert.match(packaged.cli, /service.app.core.cli\.ts$/);
  const checkout = coreProgram({ packaged: false, project: PROJECT });
  assert(readFileSync(checkout.cli).length > 0);
});
