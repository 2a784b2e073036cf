import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import type { UploadId } from '../../core/contracts/ids.ts';
import { openHome, openStorage } from '../../core/storage/index.ts';
import { TEST_ACT } from '../support/act.ts';
import { enrolItem } from '../support/answerItem.ts';
import { NAME_AND_DIE, NAMED_IMAGE } from '../support/nameAndDie.ts';
import { faceAlong, newCompany, temporaryFolder, TestClock, writeImage } from '../support/site.ts';
import { seededRandom } from '../support/seed.ts';
import { TEST_SERVER } from '../support/testServer.ts';

/** `VOUCH_KILLS=200` for the long run. */
const KILLS = Number(process.env.VOUCH_KILLS ?? 3);
/** Enrolling four photos takes fewer. */
const MAX_STEPS = 150;

test('a kill while named photos are enrolled leaves no face without its person', async (t) => {
  const home = temporaryFolder(t);
  const open = () => openStorage(openHome(home), new TestClock());
  const created = await open();
  const company = await newCompany(created, home);
  await created.close();
  const random = seededRandom(t);
  let [killed, half] = [0, 0];
  for (let kill = 1; kill <= KILLS; kill += 1) {
    const before = await open();
    const externalId = `${kill}`;
    const persons = [
      { name: 'Ann', externalId },
      { name: null, externalId },
      { name: 'Ann', externalId },
      { name: `only a name ${kill}`, externalId: null },
    ];
    const images = await Promise.all(
      persons.map(async (person, index) => ({
        fileName: `${kill} ${index}.jpg`,
        image: await writeImage(before, company, randomUUID()),
        person,
      })),
    );
    const accepted = await before.uploads.accept(company.id, {
      id: randomUUID() as UploadId,
      target: { kind: 'duplicate', trustFlowId: await before.companies.systemTrustFlow(company.id) },
      accepted: TEST_ACT,
      images,
    });
    assert.deepEqual(accepted, []);
    await before.close();

    const steps = Math.floor(random() * MAX_STEPS);
    const { signal, status, stderr } = spawnSync(process.execPath, [NAME_AND_DIE, home, String(steps)]);
    assert.ok(signal === 'SIGKILL' || status === 0, stderr.toString());
    if (signal === 'SIGKILL') killed += 1;

    const after = await open();
    try {
      const [count, [newest]] = [
        await after.persons.count(company.id, {}),
        await after.persons.list(company.id, { order: 'newest', limit: 1 }),
      ];
      const rest = await after.queue.lease(50);
      const enrolled = persons.length - rest.length;
      if (enrolled > 0 && enrolled < persons.length) half += 1;
      const about = `kill ${kill}, before step ${steps}: ${enrolled} photos enrolled`;
      assert.equal(count, 2 * (kill - 1) + (enrolled === 0 ? 0 : enrolled < 4 ? 1 : 2), about);
      if (enrolled > 0 && enrolled < 4) assert.equal(newest?.faces, enrolled, about);
      for (const item of rest) {
        assert.deepEqual(item.named?.externalId, item.fileName.endsWith('3.jpg') ? null : externalId, about);
        const face = { image: NAMED_IMAGE, face: faceAlong(1) };
        assert.ok(await enrolItem(after.queue, item, face, TEST_ACT.at), about);
      }
      assert.equal(await after.persons.count(company.id, {}), 2 * kill, about);
      const all = await after.persons.list(company.id, { order: 'name', limit: 1_000 });
      const ann = all.find((person) => person.externalId === externalId);
      assert.equal(ann?.faces, 3, about);
      assert.equal((await after.persons.history(company.id, ann.id)).length, 3, about);
      assert.equal((await after.audit.verify([])).firstBad, null, about);
    } finally {
      await after.close();
    }
  }
  t.diagnostic(`${killed} of ${KILLS} were killed in time, ${half} of them between two photos`);
  // The steps are those of SQLite.
  if (TEST_SERVER === undefined) assert.ok(killed > 0, 'no process was killed in time');
});
