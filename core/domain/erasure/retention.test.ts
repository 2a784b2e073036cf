import assert from 'node:assert/strict';
import { until } from '../../../test/support/until.ts';
import { test, type TestContext } from 'node:test';
import { sql } from 'kysely';
import { AuditLog } from '../../storage/audit/auditLog.ts';
import { rowsOf } from '../../../test/support/rowsOf.ts';
import { judgeRetention } from '../diagnostics/checks.ts';
import { lastUnerased, unerasedDetails, latestPlausible, whyHeld } from './plausibility.ts';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { trusted, type CompanyId } from '../../contracts/ids.ts';
import { retentionRules } from '../../contracts/retention.ts';
import { companySettings } from '../../contracts/settings.ts';
import { enrolPeople, openErasureSite, type ErasureSite } from '../../../test/support/erasureSite.ts';
import { newCompany, temporaryFolder } from '../../../test/support/site.ts';
import { TEST_ACT } from '../../../test/support/act.ts';
import type { AuditEntry } from '../ports/auditEntry.ts';
import { Retention } from './retention.ts';
import { PLATFORM } from '../../platform/platform.ts';
import type { Company } from '../ports/auditContext.ts';

const DAY = 24 * 60 * 60 * 1000;

test('records past their retention are erased by status and company; the run is logged', async (t) => {
  const site = await openErasureSite(temporaryFolder(t));
  const company = await newCompany(site.storage, site.home.folder);
  const other = await newCompany(site.storage, site.home.folder, 'Other');
  const made = await site.blacklists.create(company.id, { name: 'Banned', description: null }, TEST_ACT);
  const list = made;
  const old = [1, 2, 3].map((person) => ({ person, fileName: `old person ${person}.jpg` }));
  await enrolPeople(site, company, old);
  await enrolPeople(site, company, [{ person: 4, fileName: 'listed person.jpg' }], list.id);
  await enrolPeople(site, other, [{ person: 5, fileName: 'old other person.jpg' }]);
  site.clock.advance(30 * DAY);
  await enrolPeople(site, company, [{ person: 6, fileName: 'new person.jpg' }]);
  site.clock.advance(DAY);

  const rules = retentionRules.parse({ enrolled: 20 });
  const { stored, due, dueSoon, code } = await site.retention.preview(company, rules);
  assert.equal(due.enrolled, 3);
  assert.deepEqual([stored.enrolled, dueSoon.enrolled], [4, 4], 'the new photo is due within 30 days');
  const verifications = await site.retention.preview(company, retentionRules.parse({ verified: 1 }));
  assert.equal(verifications.due.verified, 0, 'a rule for verifications concerns no enrolled photo');
  assert.equal(await site.retention.set(company, rules, 'another code', TEST_ACT), false);
  assert.equal(await site.retention.set(company, rules, code, TEST_ACT), true);
  const ruled = (await site.companies.find(company.id))!;
  assert.equal((await site.retention.apply(ruled)).erased, 3);
  assert.equal((await site.retention.apply(ruled)).erased, 0, 'a second run finds nothing');
  assert.equal(await site.gallery.size(company.id, { kind: 'duplicate' }), 1);
  assert.equal(await site.gallery.size(company.id, { kind: 'blacklist', blacklistId: list.id }), 1);
  assert.equal(await site.gallery.size(other.id, { kind: 'duplicate' }), 1);
  const [receipt] = await site.erasures.list(company.id);
  assert.deepEqual([receipt?.reason, receipt?.validations, receipt?.finished], ['retention', 3, true]);
  const runs = await site.audit.list(company.id, { filter: { action: 'retention.applied' }, limit: 9 });
  assert.deepEqual(
    runs.map(({ details }) => details),
    ['{"erased":0,"runs":0}', '{"erased":3,"runs":1}'],
  );
  assert.deepEqual(await site.audit.list(other.id, { filter: { action: 'person.erased' }, limit: 1 }), []);
  await site.close();
});

test('a record that cannot be erased is named, and the others are erased', async (t) => {
  const folder = temporaryFolder(t);
  const first = await openErasureSite(folder);
  const company = await newCompany(first.storage, first.home.folder);
  const people = Array.from({ length: 7 }, (_, person) => ({ person, fileName: `person ${person}.jpg` }));
  await enrolPeople(first, company, people);
  await first.companies.changeSettings(company.id, { retention: { enrolled: 20 } }, TEST_ACT);
  await first.close();
  const rows = await rowsOf(t, folder);
  await sql`create table guard (face_id bigint references face (id))`.execute(rows);
  await sql`insert into guard (face_id) select min(id) + 2 from face`.execute(rows);

  const site = await openErasureSite(folder, first.clock);
  const ruled = (await site.companies.find(company.id))!;
  site.clock.advance(30 * DAY);
  const errors: unknown[] = [];
  const log = { ...site.log, error: (facts: unknown) => errors.push(facts) };
  const retention = new Retention({ ...site, log }, site.service);
  assert.equal((await retention.apply(ruled)).erased, 6);
  assert.equal(await site.gallery.size(company.id, { kind: 'duplicate' }), 1);
  assert.equal(errors.length, 1);
  const unerased = await lastUnerased(site.audit, company.id);
  assert.equal(unerased.count, 1);
  const { code, facts } = judgeRetention([{ name: 'Acme', held: null, unerased }]);
  assert.deepEqual([code, facts.records], ['retentionUnerased', unerased.named.join(', ')]);
  assert.match(facts.records as string, /^validation:\d+$/);

  await sql`delete from guard`.execute(rows);
  assert.equal((await retention.apply(ruled)).erased, 1, 'the next run tries it again');
  assert.equal((await lastUnerased(site.audit, company.id)).count, 0);
  await site.close();
});

test('a run that fails keeps no other company from its daily run', async (t) => {
  const site = await openErasureSite(temporaryFolder(t));
  const rules = retentionRules.parse({ enrolled: 20 });
  const companies: Company[] = [];
  for (const name of ['First', 'Second', 'Third']) {
    const { id } = await newCompany(site.storage, site.home.folder, name);
    const before = (await site.companies.find(id))!;
    await site.retention.set(before, rules, (await site.retention.preview(before, rules)).code, TEST_ACT);
    companies.push((await site.companies.find(id))!);
  }
  const failure = new Error('the records cannot be read');
  const unfinished = new Error('an earlier erasure cannot be finished');
  t.mock.method(site.erasures, 'unfinished', () => Promise.reject(unfinished));
  const retention = new Retention(site, {
    beginDue: (id, ...wanted) =>
      id === companies[0]!.id ? Promise.reject(failure) : site.service.beginDue(id, ...wanted),
  });
  await assert.rejects(retention.check(), { errors: [unfinished, failure] });
  const applied = await Promise.all(
    companies.map(({ id }) => site.audit.list(id, { filter: { action: 'retention.applied' }, limit: 9 })),
  );
  assert.deepEqual(
    applied.map(({ length }) => length),
    [0, 1, 1],
  );
  await site.close();
});

test('failed photos that cannot be erased are named as other records are', async (t) => {
  const site = await openErasureSite(temporaryFolder(t));
  const { id } = await newCompany(site.storage, site.home.folder);
  const uploadId = trusted.upload('3f0c9a52-8f0e-4d0b-9b0c-5a1d2e3f4a5b');
  const left = { validations: [], faces: [], photos: [{ uploadId, index: 3 }], comparisons: [] };
  const details = unerasedDetails(left);
  await site.audit.record(TEST_ACT, { company: id, action: 'retention.applied', object: null, details });
  assert.deepEqual(await lastUnerased(site.audit, id), { count: 1, named: [`photo:${uploadId}:3`] });
  await site.close();
});

/** A company whose one enrolled photo is ten days over its retention. */
async function openDueSite(t: TestContext) {
  const site = await openErasureSite(temporaryFolder(t));
  const company = await newCompany(site.storage, site.home.folder);
  await enrolPeople(site, company, [{ person: 1, fileName: 'person.jpg' }]);
  await site.companies.changeSettings(company.id, { retention: { enrolled: 20 } }, TEST_ACT);
  const ruled = (await site.companies.find(company.id))!;
  site.clock.advance(30 * DAY);
  return { site, company, ruled };
}

test('a fault of the machine ends a run and blames no record', async (t) => {
  const { site, ruled } = await openDueSite(t);
  const full = Object.assign(new Error('database or disk is full'), { code: 'SQLITE_FULL' });
  t.mock.method(AuditLog.prototype, 'append', () => {
    throw full;
  });
  await assert.rejects(site.retention.apply(ruled), full);
  await site.close();
});

test('a long retention run reads in parts, so that memory stays bounded', async () => {
  let due = 45;
  const searched: number[] = [];
  const settings = companySettings.parse({ retention: { enrolled: 20 } });
  const company = { id: 1 as CompanyId, name: 'Acme', storageFolder: null, settings, createdAt: new Date(0) };
  const begun = { id: 'some', company: company.id, faces: [], traces: null };
  const unused = () => Promise.reject(new Error('not asked for by a run'));
  const retention = new Retention(
    {
      ...PLATFORM,
      erasures: {
        finish: (some) => {
          if (some.length > 0) searched.push(some.length);
          return Promise.resolve();
        },
        dueCounts: unused,
        unfinished: unused,
      },
      companies: { list: unused, changeSettings: unused },
      audit: { record: () => Promise.resolve(), list: unused },
      clock: { now: () => new Date(0) },
      retentionChecks: { find: () => Promise.resolve(undefined), save: unused },
      bootClock: { read: () => ({ boot: 'first', uptime: 0 }) },
      log: { warn: (_, text) => assert.fail(text), error: (_, text) => assert.fail(text) },
    },
    {
      beginDue: () =>
        Promise.resolve(due-- > 0 ? { kind: 'done', pending: begun, records: 1 } : { kind: 'empty' }),
    },
  );
  assert.equal((await retention.apply(company)).erased, 45);
  assert.deepEqual(searched, [20, 20, 5]);
});

test('a run ends when an operator changes the rules meanwhile', async (t) => {
  const site = await openErasureSite(temporaryFolder(t));
  const company = await newCompany(site.storage, site.home.folder);
  const people = Array.from({ length: 150 }, (_, person) => ({ person, fileName: `person ${person}.jpg` }));
  await enrolPeople(site, company, people);
  const rules = retentionRules.parse({ enrolled: 20 });
  await site.companies.changeSettings(company.id, { retention: rules }, TEST_ACT);
  const ruled = (await site.companies.find(company.id))!;
  site.clock.advance(30 * DAY);
  const retention = new Retention(site, {
    beginDue: async (...wanted) => {
      const begun = await site.service.beginDue(...wanted);
      const longer = retentionRules.parse({ enrolled: 365 });
      await site.companies.changeSettings(company.id, { retention: longer }, TEST_ACT);
      return begun;
    },
  });
  assert.equal((await retention.apply(ruled)).erased, 100);
  assert.equal(await site.gallery.size(company.id, { kind: 'duplicate' }), 50);
  assert.equal((await retention.apply(ruled)).erased, 0, 'nor does a run begin that waited for its turn');
  await site.close();
});

test('a preview sets no rules after another operator has changed them', async (t) => {
  const site = await openErasureSite(temporaryFolder(t));
  const { id } = await newCompany(site.storage, site.home.folder);
  const now = async () => (await site.companies.find(id))!;
  const set = async (days: number) => {
    const rules = retentionRules.parse({ enrolled: days });
    const { code } = await site.retention.preview(await now(), rules);
    return site.retention.set(await now(), rules, code, TEST_ACT);
  };
  assert.ok(await set(20));
  const rules = retentionRules.parse({ enrolled: 20, comparisons: 30 });
  const { code } = await site.retention.preview(await now(), rules);
  assert.ok(await set(365));
  assert.equal(await site.retention.set(await now(), rules, code, TEST_ACT), false);
  assert.deepEqual((await now()).settings.retention, retentionRules.parse({ enrolled: 365 }));
  await site.close();
});

test('nothing is erased by rules that an operator changed just before', async (t) => {
  const { site, company, ruled } = await openDueSite(t);
  const retention = new Retention(site, {
    beginDue: async (...wanted) => {
      await site.companies.changeSettings(company.id, { retention: { enrolled: 365 } }, TEST_ACT);
      return site.service.beginDue(...wanted);
    },
  });
  assert.equal((await retention.apply(ruled)).erased, 0);
  assert.equal(await site.gallery.size(company.id, { kind: 'duplicate' }), 1);
  await site.close();
});

test('a clock set forward erases nothing until an operator confirms the preview', async (t) => {
  const site = await openErasureSite(temporaryFolder(t));
  const company = await newCompany(site.storage, site.home.folder);
  await enrolPeople(site, company, [{ person: 1, fileName: 'person.jpg' }]);
  const rules = retentionRules.parse({ enrolled: 365 });
  const { code } = await site.retention.preview(company, rules);
  assert.equal(await site.retention.set(company, rules, code, TEST_ACT), true);
  const ruled = (await site.companies.find(company.id))!;

  site.clock.advance(900 * DAY);
  site.bootClock.setForward = 900 * DAY;
  await site.retention.check();
  const held = await firstHeld(site, company.id);
  await site.retention.stop();
  assert.equal(await site.gallery.size(company.id, { kind: 'duplicate' }), 1);
  assert.match(held.details, /"reason":"clock"/);

  const after = new Retention(site, site.service);
  assert.deepEqual((await after.run(ruled)).kind, 'held');
  const preview = await after.preview(ruled, rules);
  assert.equal(preview.held?.reason, 'clock');
  assert.equal(preview.due.enrolled, 1);
  assert.notEqual(preview.code, code);
  assert.equal(await after.set(ruled, rules, code, TEST_ACT), false, 'a code from before is refused');
  assert.equal(
    await after.set(ruled, rules, preview.code, { by: 'local-admin', at: site.clock.now() }),
    true,
  );
  assert.deepEqual(await after.run(ruled), { kind: 'done', erased: 1, unerased: 0 });
  await site.close();
});

test('more records than earlier runs and confirmations allow are not erased unattended', async (t) => {
  const site = await openErasureSite(temporaryFolder(t));
  const company = await newCompany(site.storage, site.home.folder);
  const rules = retentionRules.parse({ enrolled: 20 });
  const due = (enrolled: number) => ({
    dueCounts: () => Promise.resolve(counts(enrolled)),
  });
  const asked = (enrolled: number) => ({ ...site, erasures: due(enrolled) });
  const held = async (enrolled: number) =>
    (await whyHeld(asked(enrolled), (await site.companies.find(company.id))!))?.reason;
  assert.equal(await held(1), undefined, 'no rules, nothing to hold');
  await site.companies.changeSettings(company.id, { retention: rules }, TEST_ACT);
  assert.equal(await held(0), 'unconfirmed');
  await site.retentionChecks.save(company.id, {
    at: site.clock.now(),
    ...site.bootClock.read(),
    confirmed: 300,
  });
  assert.equal(await held(600), undefined, 'twice what was confirmed');
  assert.equal(await held(601), 'count');
  await site.audit.record(TEST_ACT, {
    company: company.id,
    action: 'retention.applied',
    object: null,
    details: { erased: 70, runs: 1 },
  });
  assert.equal(await held(700), undefined, 'ten times the largest earlier run');
  assert.equal(await held(701), 'count');
  await site.close();
});

test('the latest plausible time follows the uptime and allows a pause after a restart', () => {
  const at = new Date('2026-01-02T00:00:00Z');
  const check = { at, boot: 'first', uptime: 5 * DAY, confirmed: 0 };
  const days = (boot: string, uptime: number, from = check) =>
    (latestPlausible(from, { boot, uptime }).getTime() - at.getTime()) / DAY;
  assert.equal(
    days('first', 35 * DAY),
    30 + 1,
    'a service that was stopped for a month, on a running machine',
  );
  assert.equal(days('second', 2 * DAY), 2 + 7 + 1, 'a machine that was off for an unknown time');
  assert.equal(days('first', 1 * DAY), 1 + 7 + 1, 'an uptime that went back is another start');
  assert.equal(
    days('', 35 * DAY, { ...check, boot: '' }),
    35 + 7 + 1,
    'a system without identities of starts',
  );
});

/** Waits until the service has recorded in the audit log that it holds the company's run. */
async function firstHeld({ audit }: ErasureSite, company: CompanyId): Promise<AuditEntry> {
  return until(async () => {
    const [held] = await audit.list(company, { filter: { action: 'retention.blocked' }, limit: 1 });
    return held;
  }, 'an audit entry of a held retention run');
}

function counts(enrolled: number) {
  return {
    enrolled,
    verified: 0,
    rejected: 0,
    reviewNeeded: 0,
    incomplete: 0,
    blacklistFaces: 0,
    failedPhotos: 0,
    comparisons: 0,
  };
}

test('retention runs never overlap, and stop() waits for one started at the terminal', async (t) => {
  const site = await openErasureSite(temporaryFolder(t));
  const company = await newCompany(site.storage, site.home.folder);
  let inProgress = 0;
  let most = 0;
  t.mock.method(site.retention, 'apply', async () => {
    inProgress += 1;
    most = Math.max(most, inProgress);
    await nextTurn();
    inProgress -= 1;
    return { erased: 0, unerased: 0 };
  });
  const runs = [1, 2, 3].map(() => site.retention.run(company));
  const checked = site.retention.check();
  assert.deepEqual(await runs[0], { kind: 'done', erased: 0, unerased: 0 });
  await site.retention.stop();
  assert.deepEqual([most, inProgress], [1, 0]);
  await Promise.allSettled([...runs, checked]);
  await assert.rejects(site.retention.run(company), /service is stopping/);
  await site.close();
});
