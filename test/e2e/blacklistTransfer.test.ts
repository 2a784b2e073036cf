import { localApi } from '../../core/contracts/local.ts';
import { blacklistApi } from '../../core/contracts/dashboard/blacklists.ts';
import { transferApi } from '../../core/contracts/blacklistTransfer.ts';
import { flowApi } from '../../core/contracts/flows.ts';
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { EXIT } from '../../core/cli/terminal/output.ts';
import { ask } from '../../core/cli/client/localClient.ts';
import type { Scope } from '../../core/contracts/codes.ts';
import { ScreeningClient } from '../../core/cli/commands/screeningClient.ts';
import { runHere } from '../support/runHere.ts';
import { portrait } from '../support/facePhotos.ts';
import { startService } from '../support/serviceProcess.ts';
import { temporaryFolder } from '../support/site.ts';
import { createToken } from '../../core/domain/credentials/secrets.ts';
import { CRYPTO } from '../../core/platform/platform.ts';

const LIGHT = { VOUCH_PIPELINE: 'light' };

test('a blacklist moves to another service by file, matches there and is reverted', async (t) => {
  const folder = temporaryFolder(t);
  const [north, south, list, cards] = ['north', 'south', 'list.vouchlist', 'cards'].map((name) =>
    join(folder, name),
  ) as [string, string, string, string];
  const [there, here] = await Promise.all([
    startService(north, 0, 1, LIGHT),
    startService(south, 0, 1, LIGHT),
  ]);
  t.after(() => Promise.all([there.kill(), here.kill()]));
  const json = async <T>(home: string, ...args: string[]): Promise<T> => {
    const { code, stdout, stderr } = await runHere(home, ['--json', ...args]);
    assert.equal(code, EXIT.ok, `${args.join(' ')}: ${stderr}`);
    return JSON.parse(stdout) as T;
  };
  const company = ['--company', 'Acme'];
  for (const home of [north, south]) await ask(home, localApi.createCompany, { body: { name: 'Acme' } });
  const { id } = await ask(north, blacklistApi.create, { body: { name: 'Ferry thieves' } });
  const scopes: Scope[] = ['blacklists:read', 'blacklists:write'];
  const { token, hex } = createToken(CRYPTO);
  const credential = { kind: 'token', name: 'gate', scopes, hash: hex };
  await ask(north, localApi.storeCredential, { body: credential });
  const client = new ScreeningClient({ address: there.address, token });
  await client.blacklist(id, 'anna.jpg', await portrait(0));
  await client.blacklist(id, 'ben.jpg', await portrait(1));

  await ask(south, transferApi.renameInstallation, { body: { name: 'South' } });
  const { fingerprint } = await json<{ fingerprint: string }>(
    south,
    'installation',
    'show',
    '--output',
    `${cards}.south`,
  );
  const mistaken = await runHere(north, ['installation', 'trust', `${cards}.south`, ...company]);
  assert.equal(mistaken.code, EXIT.usage);
  assert.ok(mistaken.stderr.includes(fingerprint), 'without a prompt the output says what to compare');
  const wrong = ['--fingerprint', fingerprint.replaceAll(/[0-9]/g, 'a')];
  const misheard = await runHere(north, ['installation', 'trust', `${cards}.south`, ...company, ...wrong]);
  assert.match(misheard.stderr, /Do not trust this certificate/);
  await json(north, 'installation', 'trust', `${cards}.south`, ...company, '--fingerprint', fingerprint);
  const northern = await ask(north, transferApi.ownInstallation);
  const { certificate } = northern;

  const sent = await runHere(north, [
    'blacklist',
    'export',
    String(id),
    ...company,
    '--installation',
    'South',
    '--output',
    list,
    '--photos',
  ]);
  assert.equal(sent.code, EXIT.ok, sent.stderr);
  const early = await runHere(south, ['blacklist', 'import', list, ...company]);
  assert.equal(early.code, EXIT.usage);
  assert.match(early.stderr, /does not trust/);
  const { fingerprint: read } = northern;
  const trust = { certificate, name: 'North', fingerprint: read };
  await ask(south, transferApi.trust, { body: trust });
  const damaged = readFileSync(list);
  damaged[damaged.length >> 1]! ^= 1;
  writeFileSync(`${list}.damaged`, damaged);
  const refused = await runHere(south, ['blacklist', 'import', `${list}.damaged`, ...company]);
  assert.equal(refused.code, EXIT.usage);
  assert.match(refused.stderr, /damaged/);
  const plan = await runHere(south, ['blacklist', 'import', list, ...company, '--dry-run']);
  assert.match(plan.stdout, /From "North".*\n.*\n2 new, 0 already here[^]*Nothing was changed/);
  assert.deepEqual((await ask(south, blacklistApi.list)).items, []);
  const { result } = await json<{ result: { id: number; target: { id: number } } }>(
    south,
    ...['blacklist', 'import', list, ...company],
  );
  const blacklistDetection = { enabled: true, blacklistIds: [result.target.id] };
  const gate = { name: 'Gate', settings: { blacklistDetection } };
  const flow = await ask(south, flowApi.create, { body: gate });
  const selfie = join(folder, 'selfie.jpg');
  writeFileSync(selfie, await portrait(0, 3));
  const verified = await runHere(south, ['verify', selfie, '--flow', String(flow.id), ...company]);
  assert.match(verified.stdout, /anna/, verified.stderr);

  const undo = ['blacklist', 'revert-import', String(result.id), ...company];
  const waits = await runHere(south, undo);
  assert.equal(waits.code, EXIT.someImagesFailed, 'the case of anna waits for a decision');
  assert.match(waits.stderr, /1 faces were kept.*\(anna\)/);
  await there.stop();
  await here.stop();
});
