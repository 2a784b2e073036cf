import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import Sqlite from 'better-sqlite3-multiple-ciphers';
import type { ErasureChoice } from '../../core/contracts/erasure.ts';
import { enrolPeople, openErasureSite } from '../support/erasureSite.ts';
import { newCompany, temporaryFolder } from '../support/site.ts';
import { giveTestAddress, TEST_SERVER, WITHOUT_FILE } from '../support/testServer.ts';
import { everyByte, standing, tracesOfPerson } from '../support/tracesOfPeople.ts';
import { trusted } from '../../core/contracts/ids.ts';

const NAME = 'canary-person-1';
const TRACES = tracesOfPerson(1, [NAME]);

/** A home with two people, closed; the first is to be erased. */
async function twoPeople(folder: string) {
  const site = await openErasureSite(folder);
  const company = await newCompany(site.storage, folder);
  const upload = await enrolPeople(site, company, [
    { person: 1, fileName: `${NAME}.jpg` },
    { person: 2, fileName: 'somebody else.jpg' },
  ]);
  const [first, second] = (await site.uploads.find(company.id, 'duplicate', upload))!.items;
  await site.close();
  return { company, first: first!.trustValidationId!, second: second!.trustValidationId! };
}

const choiceOf = (validation: number): ErasureChoice => ({
  validations: [trusted.trustValidation(validation)],
  faces: [],
  photos: [],
  comparisons: [],
});

function filesOf(folder: string): number {
  return readdirSync(folder, { recursive: true }).filter((name) => String(name).endsWith('.vimg')).length;
}

/** An open home keeps its key beside it. */
function openBeside(home: string): Sqlite {
  const other = new Sqlite(join(home, 'vouch.db'));
  other.pragma(`cipher='chacha20'`);
  other.pragma(`key="x'${readFileSync(join(home, 'store.key'), 'utf8').trim()}'"`);
  return other;
}

const MOMENTS = [
  { when: 'before the commit', erased: false },
  { when: 'before the first file goes', erased: true },
  { when: 'before the receipt is signed', erased: true },
];

for (const { when, erased } of MOMENTS)
  test(`killed ${when}: after a restart ${erased ? 'nothing' : 'all'} of the person is there`, async (t) => {
    const folder = temporaryFolder(t);
    const home = join(folder, 'home');
    giveTestAddress(home);
    const { company, first, second } = await twoPeople(home);
    const script = join(import.meta.dirname, '../support/eraseAndDie.ts');
    const args = [script, home, String(company.id), String(first), when];
    const { signal, stderr } = spawnSync(process.execPath, args);
    assert.equal(signal, 'SIGKILL', stderr.toString());

    const site = await openErasureSite(home);
    await site.storage.sweepOrphans(0);
    await site.erasures.finish(await site.erasures.unfinished(), 'keep', () => site.clock.now());
    const there = await site.validations.detail(company.id, first);
    assert.equal(there === undefined, erased);
    assert.notEqual(await site.validations.detail(company.id, second), undefined);
    assert.equal(await site.gallery.size(company.id, { kind: 'duplicate' }), erased ? 1 : 2);
    assert.equal(filesOf(home), erased ? 1 : 2);
    const list = await site.erasures.list(company.id);
    assert.deepEqual(
      list.map(({ finished }) => finished),
      erased ? [true] : [],
    );
    assert.equal((await site.audit.verify([])).firstBad, null);
    await site.close();
    // The bytes of the file of SQLite are searched below.
    if (TEST_SERVER !== undefined) return;
    const left = standing(everyByte(home, join(folder, 'scratch')), TRACES);
    if (erased) assert.deepEqual(left, []);
    else assert.ok(left.length >= 3, left.join());
  });

test(
  'residue in unused database space is found, and the database rebuilt',
  { skip: WITHOUT_FILE },
  async (t) => {
    const folder = temporaryFolder(t);
    const home = join(folder, 'home');
    const { company, first } = await twoPeople(home);
    const other = openBeside(home);
    other.pragma('secure_delete=OFF');
    other.exec(
      `create table left_over (name text); insert into left_over values ('${NAME}.jpg'); drop table left_over`,
    );
    other.close();
    const site = await openErasureSite(home);
    const plan = await site.service.plan(company.id, choiceOf(first));
    const wanted = { choice: choiceOf(first), code: plan.code, copies: 'keep' } as const;
    const done = await site.service.run(company.id, wanted, { by: 'local-admin', at: site.clock.now() });
    const proof = done.receipt?.receipt.proof;
    assert.equal(proof?.rebuilt, true);
    assert.equal(proof.found, 0);
    // The one connection of the service goes on with the new file.
    await newCompany(site.storage, home, 'Afterwards');
    assert.deepEqual(standing(everyByte(home, join(folder, 'scratch')), TRACES), []);
    await site.close();
    const again = await openErasureSite(home);
    assert.notEqual(await again.companies.findByName('Afterwards'), undefined);
    await again.close();
  },
);

test(
  'while a reader holds the database, erased faces match no more; the receipt waits',
  { skip: WITHOUT_FILE },
  async (t) => {
    const home = temporaryFolder(t);
    const { company, first } = await twoPeople(home);
    const site = await openErasureSite(home);
    const reader = openBeside(home);
    reader.exec('begin');
    reader.prepare('select count(*) from face').all([]);
    const plan = await site.service.plan(company.id, choiceOf(first));
    const wanted = { choice: choiceOf(first), code: plan.code, copies: 'keep' } as const;
    const done = await site.service.run(company.id, wanted, { by: 'local-admin', at: site.clock.now() });
    assert.equal(done.receipt, null);
    assert.equal(await site.gallery.size(company.id, { kind: 'duplicate' }), 1);
    reader.close();
    await site.erasures.finish(await site.erasures.unfinished(), 'keep', () => site.clock.now());
    const receipt = await site.erasures.receipt(company.id, done.id);
    assert.ok((receipt?.receipt.proof?.sought ?? 0) > 3, 'what was searched for was remembered');
    await site.close();
  },
);
