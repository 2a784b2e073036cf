/** Processes that are killed leave no service and no credential behind. */
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { createCompany } from '../support/atHome.ts';
import { addressIn, run, vouch } from '../support/serviceProcess.ts';
import { temporaryFolder } from '../support/site.ts';

const LAUNCHER = join(import.meta.dirname, '..', '..', 'bin', 'vouch.mjs');

test("SIGHUP revokes enroll's credential; kill -9 of the launcher ends the service", async (t) => {
  const home = temporaryFolder(t);
  const launcher = spawn(
    process.execPath,
    [LAUNCHER, '--home', home, '--json', 'serve', '--port', '0', '--workers', '1'],
    {
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  );
  t.after(() => launcher.kill());
  const address = await addressIn(launcher.stdout);
  await createCompany(home, 'Acme');
  assert.equal((await run(home, ['queue', 'pause'])).code, 0);
  const photos = temporaryFolder(t);
  writeFileSync(join(photos, 'a.jpg'), Buffer.from('ffd8ffe000104a46', 'hex'));
  const enroll = vouch(home, ['enroll', photos, '--company', 'Acme']);
  let said = '';
  enroll.stdout?.on('data', (part: Buffer) => (said += part.toString()));
  const tokens = async () =>
    JSON.parse((await run(home, ['--json', 'api-token', 'list', '--company', 'Acme'])).stdout) as unknown[];
  while ((await tokens()).length === 0) await sleep(50, undefined, { signal: t.signal });
  const ended = once(enroll, 'close');
  enroll.kill('SIGHUP');
  const [, signal] = (await ended) as [number | null, string | null];
  assert.equal(signal, 'SIGHUP', said);
  // A token of one run is listed until it is revoked.
  assert.deepEqual(await tokens(), []);
  const { stdout } = await run(home, ['--json', 'audit', 'list', '--company', 'Acme']);
  assert.match(stdout, /"credential\.revoked"/);

  launcher.kill('SIGKILL');
  while (
    await fetch(`${address}/health`).then(
      () => true,
      () => false,
    )
  )
    await sleep(50, undefined, { signal: t.signal });
  // The home is free again.
  assert.equal(spawnSync(process.execPath, [LAUNCHER, '--home', home, 'status']).status, 0);
});
