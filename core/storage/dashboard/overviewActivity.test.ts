import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import { sql } from 'kysely';
import { trusted } from '../../contracts/ids.ts';
import { newCompany, temporaryStorage } from '../../../test/support/site.ts';
import { rowsOf } from '../../../test/support/rowsOf.ts';
import { TEST_SERVER } from '../../../test/support/testServer.ts';
import { DashboardQueries } from './dashboardQueries.ts';

const DAY = 86_400_000;

async function seeded(t: TestContext) {
  const { storage, folder } = await temporaryStorage(t);
  const { id: company } = await newCompany(storage, folder);
  const { id: other } = await newCompany(storage, folder, 'Another');
  const flow = await storage.companies.systemTrustFlow(company);
  await storage.close();
  const db = await rowsOf(t, folder);
  let at = 0;
  const insert = async (
    of: typeof company,
    row: { source?: 'verification'; duplicate_detected?: 1; blacklist_detected?: 1 } = {},
  ) => {
    const { id } = await db
      .insertInto('trust_validation')
      .values({
        company_id: of,
        trust_flow_id: flow,
        status: 2,
        name: 'Visitor',
        created_at: ++at * DAY,
        ...row,
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    return id;
  };
  return { db, views: new DashboardQueries(db), company, other, insert };
}

test('the newest hits of a company come from an index, newest first', async (t) => {
  const { db, views, company, other, insert } = await seeded(t);
  const duplicate = await insert(company, { duplicate_detected: 1 });
  await insert(company);
  await insert(other, { blacklist_detected: 1 });
  const barred = await insert(company, { blacklist_detected: 1 });
  const match = (kind: 'duplicate' | 'blacklist', score: number) => ({
    company_id: company,
    trust_validation_id: trusted.trustValidation(barred),
    kind,
    blacklist_name: kind === 'blacklist' ? 'Barred persons' : null,
    severity: kind === 'blacklist' ? ('stop' as const) : null,
    face_id: trusted.face(99),
    probe_face_id: trusted.face(98),
    full_name: `${kind} ${score}`,
    photos: 1,
    agreeing: 1,
    distance: 0.3,
    photo_distance: 0.3,
    photo_score: score,
    score,
    band: 'strong' as const,
    enrolled_at: 1,
  });
  await db
    .insertInto('screening_match')
    .values([match('duplicate', 99), match('blacklist', 80), match('blacklist', 90)])
    .execute();
  const hits = await views.newestHits(company, 8);
  assert.deepEqual(
    hits.map(({ id }) => Number(id)),
    [barred, duplicate],
  );
  assert.deepEqual(hits[0]?.match, {
    name: 'blacklist 90',
    faceId: null,
    blacklistName: 'Barred persons',
    severity: 'stop',
    score: 90,
    band: 'strong',
  });
  assert.equal(hits[1]?.match, null);
  assert.equal((await views.newestHits(company, 1)).length, 1);
  if (TEST_SERVER !== undefined) return;
  const { rows } = await sql<{ detail: string }>`explain query plan
    select id from trust_validation where company_id = ${company}
    and (trust_validation.duplicate_detected = 1 or trust_validation.blacklist_detected = 1)
    order by id desc limit 8`.execute(db);
  assert.match(rows.map(({ detail }) => detail).join(), /trust_validation_hit/);
});

test('a day is counted in an index alone, and its end is not part of it', async (t) => {
  const { db, views, company, other, insert } = await seeded(t);
  await insert(company, { duplicate_detected: 1 });
  await insert(company, { blacklist_detected: 1 });
  await insert(other, { blacklist_detected: 1 });
  await insert(company);
  assert.deepEqual(await views.countDay(company, new Date(DAY), new Date(4 * DAY)), {
    validations: 2,
    duplicates: 1,
    blacklisted: 1,
  });
  assert.deepEqual(await views.countDay(company, new Date(5 * DAY), new Date(6 * DAY)), {
    validations: 0,
    duplicates: 0,
    blacklisted: 0,
  });
  if (TEST_SERVER !== undefined) return;
  const { rows } = await sql<{ detail: string }>`explain query plan
    select count(*), sum(duplicate_detected), sum(blacklist_detected) from trust_validation
    where company_id = ${company} and created_at >= 1 and created_at < 2`.execute(db);
  assert.match(rows.map(({ detail }) => detail).join(), /COVERING INDEX trust_validation_day/);
});

test('the first steps are done by what the company has, not by what another one has', async (t) => {
  const { views, company, other, insert } = await seeded(t);
  const none = { enrolled: false, blacklisted: false, flowPublished: false, verified: false };
  await insert(other, { source: 'verification' });
  await insert(company);
  assert.deepEqual(await views.firstSteps(company), none);
  await insert(company, { source: 'verification' });
  assert.deepEqual(await views.firstSteps(company), { ...none, verified: true });
});
