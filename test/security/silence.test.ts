import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readdirSync, readFileSync, readlinkSync, writeFileSync } from 'node:fs';
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { test } from 'node:test';
import { portrait } from '../support/facePhotos.ts';
import { run, startService } from '../support/serviceProcess.ts';
import { temporaryFolder } from '../support/site.ts';

const WATCH = pathToFileURL(join(import.meta.dirname, 'watch.mjs')).href;

test('the whole job, from start to search, asks nothing of any network', async (t) => {
  const folder = temporaryFolder(t);
  const log = join(folder, 'network.log');
  const environment = { NODE_OPTIONS: `--import=${WATCH}`, VOUCH_TEST_NETWORK_LOG: log };
  const home = join(folder, 'home');
  const photos = join(folder, 'photos');
  mkdirSync(photos);
  for (const index of [0, 1]) writeFileSync(join(photos, `${index}.jpg`), await portrait(index));

  const service = await startService(home, 0, 1, environment);
  await run(home, ['company', 'create', 'Acme'], environment);
  const enrolled = await run(home, ['enroll', photos, '--company', 'Acme'], environment);
  assert.match(enrolled.stdout, /2 enrolled/);
  const searched = await run(home, ['search', join(photos, '0.jpg'), '--company', 'Acme'], environment);
  assert.equal(searched.code, 0, searched.stderr);
  if (process.platform === 'linux') assert.deepEqual(listeningAddresses(service.pid), ['127.0.0.1']);
  await service.stop();

  const lines = readFileSync(log, 'utf8').trim().split('\n');
  assert(
    lines.filter((line) => line.endsWith(' watching')).length >= 4,
    'the service and three commands were watched',
  );
  assert.deepEqual(
    lines.filter((line) => !line.endsWith(' watching')),
    [],
  );
});

test('the watch notices what it is there for', (t) => {
  const log = join(temporaryFolder(t), 'network.log');
  const attempts = `
    await fetch('http://192.0.2.1/').catch(() => {});
    await import('node:dns').then(({ promises }) => promises.lookup('vouch.invalid').catch(() => {}));`;
  spawnSync(process.execPath, ['--import', WATCH, '--input-type=module', '-e', attempts], {
    env: { ...process.env, VOUCH_TEST_NETWORK_LOG: log },
  });
  assert(existsSync(log));
  const seen = readFileSync(log, 'utf8');
  assert.match(seen, /connect 192\.0\.2\.1:80/);
  assert.match(seen, /lookup vouch\.invalid/);
});

/** Addresses of the TCP sockets that a process listens on, from Linux's /proc/net/tcp and tcp6. */
function listeningAddresses(pid: number): string[] {
  const inodes = new Set(
    readdirSync(`/proc/${pid}/fd`).flatMap((fd) => {
      try {
        return /^socket:\[(\d+)\]$/.exec(readlinkSync(`/proc/${pid}/fd/${fd}`))?.[1] ?? [];
      } catch {
        // Closed between the listing and the reading.
        return [];
      }
    }),
  );
  const LISTEN = '0A';
  return ['tcp', 'tcp6'].flatMap((table) =>
    readFileSync(`/proc/${pid}/net/${table}`, 'latin1')
      .split('\n')
      .slice(1)
      .map((line) => line.trim().split(/\s+/))
      .filter((fields) => fields[3] === LISTEN && inodes.has(fields[9] ?? ''))
      .map((fields) => (fields[1]?.startsWith('0100007F:') === true ? '127.0.0.1' : (fields[1] ?? ''))),
  );
}
