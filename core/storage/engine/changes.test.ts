import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { dirname, join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { sql } from 'kysely';
import { CHANGE_TOPICS, type ChangeTopic, TOPICS_OF_TABLES, type ChangeFeed } from './changes.ts';
import type { CompanyId } from '../../contracts/ids.ts';
import { acceptUpload, newCompany, temporaryFolder, temporaryStorage } from '../../../test/support/site.ts';
import { TEST_ACT } from '../../../test/support/act.ts';
import { changesOf, writing, type Database } from './database.ts';
import { openDatabase, replaceDatabase } from './sqliteFile.ts';
import { takeSnapshot } from '../snapshot/snapshot.ts';

/** Collects the topics that are reported to a company. */
function follow(changes: ChangeFeed, company: CompanyId) {
  const reported: ChangeTopic[][] = [];
  let wake = (): void => undefined;
  const stop = changes.subscribe(company, (topics) => {
    reported.push([...topics].sort());
    wake();
  });
  return {
    stop,
    /** The topics that were reported since the last call. */
    async since(): Promise<ChangeTopic[][]> {
      await new Promise(setImmediate);
      return reported.splice(0);
    },
    /** Waits for a topic. A server reports a change shortly after its COMMIT. @returns the topics reported since the last call */
    async until(topic: ChangeTopic): Promise<ChangeTopic[][]> {
      while (!reported.flat().includes(topic))
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      return reported.splice(0);
    },
  };
}

async function openEmpty(t: TestContext): Promise<{ db: Database; file: string; key: Uint8Array }> {
  const file = join(temporaryFolder(t), 'vouch.db');
  const key = randomBytes(32);
  const db = await openDatabase(file, key);
  t.after(() => db.destroy());
  return { db, file, key };
}

const [ONE, OTHER] = [1 as CompanyId, 2 as CompanyId];

function insertComparison(db: Database, company: CompanyId) {
  return sql`insert into comparison (company_id, subject, template_id, verification_id, credential, compared_at, verdict,
    match_from, possible_match_from, model_version, content) values (${company}, 'signature', 'a', 'b', 'owner', 0, 'match', 0, 0, 'm', x'7b7d')`.execute(
    db,
  );
}

async function addCompanies(db: Database): Promise<void> {
  for (const id of [ONE, OTHER])
    await sql`insert into company (id, name, settings, created_at) values (${id}, ${`c${id}`}, '{}', 0)`.execute(
      db,
    );
}

test('each table of the store has its topics, and each topic has a table', async (t) => {
  const { db } = await openEmpty(t);
  const { rows } = await sql<{ name: string }>`select name from sqlite_master where type = 'table'
    and name not like 'sqlite_%' and name not like 'kysely_%' and name not like 'trust_validation_name%' and name not like 'person_name%'`.execute(
    db,
  );
  assert.deepEqual(rows.map(({ name }) => name).sort(), Object.keys(TOPICS_OF_TABLES).sort());
  const used = new Set(Object.values(TOPICS_OF_TABLES).flatMap((topics) => Object.keys(topics)));
  assert.deepEqual([...used].sort(), [...CHANGE_TOPICS].sort());
});

test('a change is reported after COMMIT, once, to its company alone', async (t) => {
  const { db } = await openEmpty(t);
  await addCompanies(db);
  const one = follow(changesOf(db), ONE);
  const other = follow(changesOf(db), OTHER);
  await writing(db, 'unlocked', async (transaction) => {
    await insertComparison(transaction, ONE);
    await insertComparison(transaction, ONE);
    assert.deepEqual(await one.since(), []);
  });
  assert.deepEqual(await one.since(), [['signatures']]);
  await sql`update comparison set template_id = 'c'`.execute(db);
  assert.deepEqual(await one.since(), [['signatures']]);
  await sql`delete from comparison`.execute(db);
  assert.deepEqual(await one.since(), [['signatures']]);
  assert.deepEqual(await other.since(), []);
  one.stop();
  await insertComparison(db, ONE);
  assert.deepEqual(await one.since(), []);
});

test('a transaction that was rolled back is never reported', async (t) => {
  const { db } = await openEmpty(t);
  await addCompanies(db);
  const one = follow(changesOf(db), ONE);
  const failing = writing(db, 'unlocked', async (transaction) => {
    await insertComparison(transaction, ONE);
    throw new Error('no');
  });
  await assert.rejects(failing, /no/);
  await assert.rejects(
    sql`insert into comparison (company_id, subject) values (${ONE}, 'face')`.execute(db),
    /NOT NULL/,
  );
  await sql`update company set name = 'x' where id = ${ONE}`.execute(db);
  assert.deepEqual(await one.since(), []);
});

test('changes are still reported after the database file was rebuilt', async (t) => {
  const { db, file, key } = await openEmpty(t);
  await addCompanies(db);
  assert.ok(await replaceDatabase(db, async () => (await takeSnapshot(dirname(file), file, key)).file));
  const one = follow(changesOf(db), ONE);
  await insertComparison(db, ONE);
  assert.deepEqual(await one.since(), [['signatures']]);
});

test('the pause of the queue is reported to every company, an upload to its own', async (t) => {
  const { storage, folder } = await temporaryStorage(t);
  const one = await newCompany(storage, folder, 'One');
  const other = await newCompany(storage, folder, 'Other');
  const ofOne = follow(storage.changes, one.id);
  const ofOther = follow(storage.changes, other.id);
  await acceptUpload(storage, one, ['a.jpg']);
  await ofOne.until('uploads');
  await storage.installation.update({ paused: true }, TEST_ACT);
  await ofOne.until('queue');
  // Transactions are reported in the order of their COMMIT, so nothing of the upload comes later.
  assert.ok(!(await ofOther.until('queue')).flat().includes('uploads'));
});
