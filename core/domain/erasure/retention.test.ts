import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { CompanyId } from '../../contracts/ids.ts';
import { retentionRules } from '../../contracts/retention.ts';
import { companySettings } from '../../contracts/settings.ts';
import { enrolPeople, openErasureSite } from '../../../test/support/erasureSite.ts';
import { newCompany, temporaryFolder } from '../../../test/support/site.ts';
import { TEST_ACT } from '../../../test/support/act.ts';
import { Retention } from './retention.ts';

const DAY = 24 * 60 * 60 * 1000;

test('what is older than its days goes, by status and company; the rest stays, and the run is on the record', async (t) => {
  const site = await openErasureSite(temporaryFolder(t));
  const company = await newCompany(site.storage, site.home.folder);
  const other = await newCompany(site.storage, site.home.folder, 'Other');
  const list = await site.blacklists.create(
    company.id,
    { name: 'Banned', description: null },
    'banned',
    TEST_ACT,
  );
  assert.ok(list !== 'name taken');
  const old = [1, 2, 3].map((person) => ({ person, fileName: `old person ${person}.jpg` }));
  await enrolPeople(site, company, old);
  await enrolPeople(site, company, [{ person: 4, fileName: 'listed person.jpg' }], list.id);
  await enrolPeople(site, other, [{ person: 5, fileName: 'old other person.jpg' }]);
  site.clock.advance(30 * DAY);
  await enrolPeople(site, company, [{ person: 6, fileName: 'new person.jpg' }]);
  site.clock.advance(DAY);

  const rules = retentionRules.parse({ verified: 20 });
  const { due, code } = await site.retention.preview(company.id, rules);
  assert.equal(due.verified, 3);
  assert.equal(await site.retention.set(company, rules, 'another code', TEST_ACT), false);
  assert.equal(await site.retention.set(company, rules, code, TEST_ACT), true);
  const ruled = (await site.companies.find(company.id))!;
  assert.equal(await site.retention.apply(ruled), 3);
  assert.equal(await site.retention.apply(ruled), 0, 'a second run finds nothing');
  assert.equal(site.gallery.size(company.id, { kind: 'duplicate' }), 1);
  assert.equal(site.gallery.size(company.id, { kind: 'blacklist', blacklistId: list.id }), 1);
  assert.equal(site.gallery.size(other.id, { kind: 'duplicate' }), 1);
  const [receipt] = await site.desk.list(company.id);
  assert.deepEqual([receipt?.reason, receipt?.validations, receipt?.finished], ['retention', 3, true]);
  const runs = await site.audit.list(company.id, { filter: { action: 'retention.applied' }, limit: 9 });
  assert.deepEqual(
    runs.map(({ facts }) => facts),
    ['{"erased":0,"runs":0}', '{"erased":3,"runs":1}'],
  );
  assert.deepEqual(await site.audit.list(other.id, { filter: { action: 'person.erased' }, limit: 1 }), []);
  await site.close();
});

test('a long run is searched for in parts, so that what went does not pile up in memory', async () => {
  let due = 45;
  const searched: number[] = [];
  const settings = companySettings.parse({ retention: { verified: 20 } });
  const company = { id: 1 as CompanyId, name: 'Acme', storageFolder: null, settings, createdAt: new Date(0) };
  const begun = { id: 'some', company: company.id, faces: [], traces: null };
  const unused = () => Promise.reject(new Error('not asked for by a run'));
  const retention = new Retention(
    {
      erasures: {
        due: () =>
          Promise.resolve({ validations: due-- > 0 ? [1] : [], faces: [], photos: [], comparisons: [] }),
        begin: unused,
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
      log: { error: (_, text) => assert.fail(text) },
    },
    { begin: () => Promise.resolve(begun) },
  );
  assert.equal(await retention.apply(company), 45);
  assert.deepEqual(searched, [20, 20, 5]);
});
