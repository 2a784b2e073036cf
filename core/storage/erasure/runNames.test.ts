import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import { TEST_ACT } from '../../../test/support/act.ts';
import { enrolPeople, openErasureSite } from '../../../test/support/erasureSite.ts';
import { newCompany, temporaryFolder } from '../../../test/support/site.ts';
import { trusted } from '../../contracts/ids.ts';

test('a run keeps the name of its folder until the last of its photos is erased', async (t) => {
  const folder = temporaryFolder(t);
  const site = await openErasureSite(folder);
  t.after(() => site.close());
  const { storage } = site;
  const company = await newCompany(storage, folder);
  const run = {
    id: trusted.run(randomUUID()),
    name: 'Jane Doe',
    source: 'program',
    severalFaces: 'refuse',
  } as const;
  for (const shot of [1, 2])
    await enrolPeople(site, company, [{ person: 1, fileName: `${shot}.jpg` }], undefined, null, run);
  const named = async () => (await storage.runs.find(company.id, run.id))?.name;
  const names: unknown[] = [await named()];
  const validations = await storage.validations.list(company.id, { limit: 9 });
  for (const { id } of validations) {
    const choice = { validations: [trusted.trustValidation(id)], faces: [], photos: [], comparisons: [] };
    const { code } = await storage.erasures.plan(company.id, choice);
    await storage.erasures.begin(company.id, choice, code, TEST_ACT);
    names.push(await named());
  }
  assert.deepEqual(names, ['Jane Doe', 'Jane Doe', null]);
});
