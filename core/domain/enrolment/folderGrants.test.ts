import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import type { WatchReport } from '../../contracts/dashboard/folders.ts';
import { trusted } from '../../contracts/ids.ts';
import { WatchedFolders } from './folderGrants.ts';

const [ACME, OTHER] = [trusted.company(1), trusted.company(2)];

const report = (part: Partial<WatchReport> = {}): WatchReport => ({
  id: randomUUID(),
  folder: '/srv/gate',
  state: 'watching',
  startedAt: '2026-03-01T12:00:00.000Z',
  enrolled: 0,
  failed: 0,
  left: 0,
  lastFile: null,
  problem: null,
  ...part,
});

function openFolders() {
  let now = Date.parse('2026-03-01T12:00:00.000Z');
  const folders = new WatchedFolders({ clock: { now: () => new Date(now) } });
  const states = (company = ACME) => folders.of(company).map(({ folder, state }) => `${folder} ${state}`);
  return { folders, states, pass: (seconds: number) => (now += seconds * 1000) };
}

test('a watcher that stops reporting is lost; one that was stopped is not', () => {
  const { folders, states, pass } = openFolders();
  folders.keep(ACME, report());
  folders.keep(ACME, report({ folder: '/srv/ferry', state: 'stopped' }));
  pass(30);
  assert.deepEqual(states(), ['/srv/ferry stopped', '/srv/gate watching']);
  pass(1);
  assert.deepEqual(states(), ['/srv/ferry stopped', '/srv/gate lost']);
  pass(24 * 3600);
  assert.deepEqual(states(), [], 'it is shown for a day');
});

test('a folder has one line, of its latest run, and only in its own company', () => {
  const { folders, states } = openFolders();
  folders.keep(ACME, report({ state: 'stopped' }));
  folders.keep(OTHER, report({ state: 'waiting' }));
  folders.keep(ACME, report());
  assert.deepEqual(states(), ['/srv/gate watching']);
  assert.deepEqual(states(OTHER), ['/srv/gate waiting']);
});

test('the number of watchers in memory is bounded', () => {
  const { folders, states } = openFolders();
  for (let n = 0; n < 300; n += 1) folders.keep(ACME, report({ folder: `/srv/${n}` }));
  assert.equal(states().length, 200);
});
