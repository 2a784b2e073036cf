import { pipelineApi } from '../../core/contracts/pipelines.ts';
import { localApi } from '../../core/contracts/local.ts';
import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { withLocalApi } from '../../core/cli/client/localClient.ts';
import type { PipelineId } from '../../core/contracts/ids.ts';
import { readLedger } from '../support/ledger.ts';
import { writePerturbedPack } from '../support/pack.ts';
import { portrait, PORTRAITS } from '../support/facePhotos.ts';
import { createCompany } from '../support/atHome.ts';
import { run, startService } from '../support/serviceProcess.ts';
import { seededRandom } from '../support/seed.ts';
import { temporaryFolder } from '../support/site.ts';

const COMPANY = 'Acme';
const PHOTOS = 2 * PORTRAITS;
const LIGHT = { VOUCH_PIPELINE: 'light' };

test('a pack migration survives SIGKILL, and every search is complete', async (t) => {
  const folder = temporaryFolder(t);
  const home = join(folder, 'home');
  const photos = join(folder, 'photos');
  mkdirSync(photos);
  for (let index = 0; index < PHOTOS; index += 1)
    writeFileSync(join(photos, `person ${index % PORTRAITS} ${index}.jpg`), await portrait(index, index));
  const image = await portrait(3, 4);

  let service = await startService(home, 0, 2, LIGHT);
  t.after(() => service.kill());
  await createCompany(home, COMPANY);
  assert.equal((await run(home, ['enroll', photos, '--company', COMPANY])).code, 0);
  await writePerturbedPack(join(home, 'models'), 'other');
  const status = async (use?: string) => {
    const [company] = await withLocalApi(home, async (api) => {
      if (use !== undefined) await api.open('POST /pipelines/use', { body: { name: use } });
      return api.ask(pipelineApi.ofCompanies);
    });
    return company!;
  };
  /** Names of the strong candidates: those of person 3, however often one asks. */
  const strong = async () => {
    const { faces } = await withLocalApi(home, (api) => api.ask(localApi.search, { body: image }));
    return faces[0]!.candidates.flatMap(({ name, band }) => (band === 'strong' ? [name] : [])).sort();
  };
  const expected = [3, 3 + PORTRAITS].map((index) => `person 3 ${index}`).sort();
  assert.deepEqual(await strong(), expected);

  const begun = await status('other');
  const target = begun.changingTo as PipelineId;
  assert.match(target, /^pack:other@/);
  await sleep(seededRandom(t)() * 500);
  await service.kill();

  service = await startService(home, 0, 2, LIGHT);
  let now = await status();
  if (now.serving !== target) assert.deepEqual(await strong(), expected, 'the old one serves after the kill');
  for (let tries = 0; now.serving !== target; tries += 1) {
    assert.ok(tries < 2_400, JSON.stringify(now));
    await sleep(100);
    now = await status();
  }
  assert.equal(now.name, 'other');
  assert.deepEqual(await strong(), expected, 'the new one finds the same people');
  await service.stop();
  const ledger = await readLedger(home, COMPANY, target);
  assert.deepEqual([ledger.faces, ledger.readable, ledger.waiting], [PHOTOS, PHOTOS, 0]);
});
