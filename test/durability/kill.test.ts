import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { CSV_START } from '../../core/contracts/csv.ts';
import { EXIT } from '../../core/cli/terminal/output.ts';
import type { PipelineId } from '../../core/contracts/ids.ts';
import { localApi } from '../../core/contracts/local.ts';
import { ask } from '../../core/cli/client/localClient.ts';
import { createCompany } from '../support/atHome.ts';
import { freePort } from '../support/network.ts';
import { readLedger } from '../support/ledger.ts';
import { portrait } from '../support/facePhotos.ts';
import { run, startService, tokenFor } from '../support/serviceProcess.ts';
import { seededRandom } from '../support/seed.ts';
import { temporaryFolder } from '../support/site.ts';

const COMPANY = 'Acme';
const PHOTOS = 20;
/** The service is killed this often, at moments that VOUCH_SEED decides. */
const KILLS = 2;

/** Three starts and 21 photos by two workers that give way to everybody: minutes, on a machine that has much else to do. */
const SLOW_MACHINE = { timeout: 900_000 };

test('a folder is enrolled completely despite kills, each photo once', SLOW_MACHINE, async (t) => {
  const folder = temporaryFolder(t);
  const home = join(folder, 'home');
  const photos = join(folder, 'photos');
  mkdirSync(photos);
  for (let index = 0; index < PHOTOS; index += 1)
    writeFileSync(join(photos, `person ${index}.jpg`), await portrait(index, index));
  writeFileSync(join(photos, 'nobody.jpg'), (await portrait(0)).subarray(0, 3000));

  const port = await freePort();
  let service = await startService(home, port);
  await createCompany(home, COMPANY);
  const { pipelineId } = await ask(home, localApi.status);
  const token = await tokenFor(home, COMPANY, 'enroll');

  const csv = join(folder, 'answers.csv');
  const order = ['enroll', photos, '--batch', '10', '--address', service.address, '--output', csv];
  const enrol = () => run(home, order, { VOUCH_TOKEN: token });
  const enrolling = enrol();
  const random = seededRandom(t);
  for (let kill = 0; kill < KILLS; kill += 1) {
    await sleep(300 + random() * 900);
    await service.kill();
    service = await startService(home, port);
  }
  let { code } = await enrolling;
  // Where all the starts together took longer than the program waits, it is run again, as it says.
  while (code === EXIT.unreachable) ({ code } = await enrol());
  assert.equal(code, EXIT.someImagesFailed, 'done, with one photo that could not be enrolled');
  await service.stop();

  const file = readFileSync(csv, 'utf8');
  assert.ok(file.startsWith(CSV_START));
  const answers = file.trim().split('\r\n').slice(1);
  assert.equal(answers.length, PHOTOS + 1, 'every photo has an answer');
  const ledger = await readLedger(home, COMPANY, pipelineId as PipelineId);
  const expected = Array.from({ length: PHOTOS }, (_, index) => `person ${index}`);
  assert.deepEqual(
    ledger.validations.sort(),
    expected.sort(),
    'each person once, and no validation for the failure',
  );
  assert.deepEqual(
    { ...ledger, validations: undefined },
    { validations: undefined, faces: PHOTOS, files: PHOTOS, readable: PHOTOS, waiting: 0 },
  );
});

test('enrolling the same folder again after the end sends nothing', async (t) => {
  const folder = temporaryFolder(t);
  const home = join(folder, 'home');
  const photos = join(folder, 'photos');
  mkdirSync(photos);
  for (let index = 0; index < 3; index += 1)
    writeFileSync(join(photos, `${index}.jpg`), await portrait(index));
  const service = await startService(home, 0, 1);
  await createCompany(home, COMPANY);
  const enrol = () => run(home, ['enroll', photos, '--company', COMPANY]);
  assert.equal((await enrol()).code, 0);
  const second = await enrol();
  assert.equal(second.code, 0);
  assert.match(second.stdout, /3 enrolled, 0 failed/);
  const { pipelineId } = await ask(home, localApi.status);
  await service.stop();
  assert.equal((await readLedger(home, COMPANY, pipelineId as PipelineId)).faces, 3);
});
