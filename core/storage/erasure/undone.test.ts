import assert from 'node:assert/strict';
import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { TEST_ACT } from '../../../test/support/act.ts';
import { enrolPeople, openErasureSite } from '../../../test/support/erasureSite.ts';
import { newCompany, temporaryFolder } from '../../../test/support/site.ts';
import { WITHOUT_FILE } from '../../../test/support/testServer.ts';
import { trusted } from '../../contracts/ids.ts';
import { CodedError } from '../../contracts/errors/problem.ts';
import { requireErasures } from '../../service/foundation.ts';

test(
  'a database that an administrator restored with an erased person is refused',
  { skip: WITHOUT_FILE },
  async (t) => {
    const folder = temporaryFolder(t);
    const before = await openErasureSite(folder);
    const company = await newCompany(before.storage, folder);
    await enrolPeople(before, company, [
      { person: 1, fileName: 'erased.jpg' },
      { person: 2, fileName: 'stays.jpg' },
    ]);
    await before.close();
    const backup = join(folder, 'copied');
    copyFileSync(before.home.database, backup);

    const site = await openErasureSite(folder);
    const [found] = await site.erasures.byName(company.id, 'erased', 50);
    const choice = {
      validations: [trusted.trustValidation(Number(found!.id))],
      faces: [],
      photos: [],
      comparisons: [],
    };
    const plan = await site.service.plan(company.id, choice);
    const begun = await site.storage.erasures.begin(company.id, choice, plan.code, TEST_ACT);
    await site.storage.erasures.finish([begun], 'keep', () => TEST_ACT.at);
    assert.deepEqual(await site.storage.erasures.undone(), []);
    await site.close();
    copyFileSync(backup, before.home.database);

    const restored = await openErasureSite(folder);
    const undone = await restored.storage.erasures.undone();
    assert.deepEqual(
      undone.map(({ id }) => id),
      [begun.id],
    );
    await assert.rejects(
      requireErasures(restored),
      (error) => error instanceof CodedError && error.problem.code === 'ERASURES_UNDONE',
    );
    const again = await restored.storage.erasures.again(undone[0]!, TEST_ACT);
    await restored.storage.erasures.finish([again!], 'keep', () => TEST_ACT.at);
    await requireErasures(restored);
    await restored.close();
  },
);
