import {
  problem,
  sentenceOf,
  InvalidInput,
  type FieldProblems,
} from '../../core/contracts/errors/problem.ts';
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { COMPANY_LIMITS, INSTALLATION_LIMITS, type Limit } from '../../core/contracts/limits/limits.ts';
import { companyProfile } from '../../core/contracts/dashboard/company.ts';
import { limitState, type LimitChange } from '../../core/contracts/limits/limitShapes.ts';
import { companySettings } from '../../core/contracts/settings.ts';
import { changeCompanyLimits, changeInstallationLimits } from '../../core/domain/settings/changeSettings.ts';
import { Dispatcher } from '../../core/domain/enrolment/dispatcher.ts';
import { TEST_ACT } from '../support/act.ts';
import { SILENT_LOG } from '../support/fakes.ts';
import { photoOf } from '../support/people.ts';
import { good, openDashboardSite } from './dashboard/dashboardSite.ts';
import { formOf, JPEG, PNG, openSite, UPLOADS, type TestSite } from './site.ts';
import { PLATFORM } from '../../core/platform/platform.ts';

const MIB = 1024 * 1024;
const sized = (bytes: number) => Buffer.concat([JPEG, Buffer.alloc(bytes - JPEG.length)]);
const images = (count: number) => Array.from({ length: count }, () => JPEG);

/** Two companies of one site, and changes of the first one's limits. */
async function twoCompanies(site: TestSite) {
  const other = await site.newToken({ company: await site.newCompany() });
  const { companies, installation } = site.storage;
  return {
    other,
    change: async (change: LimitChange) => {
      await changeCompanyLimits(companies, site.company, change, TEST_ACT);
    },
    changeSite: async (change: LimitChange) => {
      await changeInstallationLimits(installation, change, TEST_ACT);
    },
  };
}

test("limits on images take effect at this company's next upload", async (t) => {
  const site = await openSite(t);
  const { other: token, change } = await twoCompanies(site);
  await change({ maxBatchImages: 10, maxImageBytes: MIB });
  const eleven = await site.upload(formOf(...images(11)));
  assert.equal(eleven.status, 422);
  assert.deepEqual(eleven.body.errors, { images: ['The images field must not have more than 10 items.'] });
  const large = await site.upload(formOf(sized(MIB), sized(MIB + 1)));
  assert.deepEqual(large.body.errors, {
    'images.1': ['The images.1 must not be greater than 1024 kilobytes.'],
  });
  assert.equal((await site.upload(formOf(...images(9), sized(MIB)))).status, 202);
  assert.equal((await site.upload(formOf(...images(11)), { token })).status, 202);
  assert.equal((await site.upload(formOf(sized(MIB + 1)), { token })).status, 202);
  await change({ maxBatchImages: 12, maxImageBytes: 2 * MIB });
  assert.equal((await site.upload(formOf(...images(11), sized(MIB + 1)))).status, 202);
});

test('500 images are accepted and polled where the company allows them', async (t) => {
  const site = await openSite(t);
  const { change } = await twoCompanies(site);
  await change({ maxBatchImages: 500 });
  const accepted = await site.upload(formOf(...images(500)));
  assert.equal(accepted.status, 202, accepted.text);
  const { uploadId } = accepted.body.data as { uploadId: string };
  const poll = await site.call(`${UPLOADS}/${uploadId}`);
  const data = poll.body.data as { numberOfImages: number; images: { index: number }[] };
  assert.deepEqual([data.numberOfImages, data.images.length, data.images[499]?.index], [500, 500, 499]);
});

test('a repeated upload gets its first answer after the limits were lowered', async (t) => {
  const site = await openSite(t);
  const { change } = await twoCompanies(site);
  const headers = { 'idempotency-key': 'three' };
  const send = () => site.upload(formOf(JPEG, JPEG, sized(MIB + 1)), { headers });
  const accepted = await send();
  await change({ maxBatchImages: 1, maxImageBytes: MIB });
  const again = await send();
  assert.deepEqual([again.status, again.body], [202, accepted.body]);
  assert.equal(await site.storage.queue.waiting(), 3);
  const other = await site.upload(formOf(JPEG, JPEG, sized(MIB + 2)), { headers });
  assert.equal(other.body.message, 'Idempotency-Key was already used for a different upload.');
});

test('an upload longer than the queue is refused with the number accepted', async (t) => {
  const site = await openSite(t);
  const { change, changeSite } = await twoCompanies(site);
  await change({ maxBatchImages: 500 });
  await changeSite({ maxWaitingImages: 50 });
  const answer = await site.upload(formOf(...images(51)));
  assert.deepEqual(answer.body.errors, { images: ['The images field must not have more than 50 items.'] });
});

test('signature thresholds take effect at the next comparison, of this company alone', async (t) => {
  const site = await openSite(t);
  const { other, change } = await twoCompanies(site);
  const picture = (text: string) =>
    `data:image/png;base64,${Buffer.concat([PNG.subarray(0, 8), Buffer.from(text)]).toString('base64')}`;
  const verdict = async (token?: string) => {
    const answer = await site.call('/api/v1/verification/signature/match', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({
        image1: picture('60'),
        image2: picture('x'),
        template_id: 'accounts',
        verification_id: 'v-1',
      }),
      ...(token !== undefined && { token }),
    });
    return answer.body.verdict;
  };
  assert.equal(await verdict(), 'Possible Match');
  await change({ 'signatures.match': 60 });
  assert.deepEqual([await verdict(), await verdict(other)], ['Match', 'Possible Match']);
  await change({ 'signatures.match': 90, 'signatures.possibleMatch': 61 });
  assert.deepEqual([await verdict(), await verdict(other)], ['No Match', 'Possible Match']);
});

test('quality thresholds take effect at the next image, of this company alone', async (t) => {
  const site = await openSite(t);
  const { other: token, change } = await twoCompanies(site);
  const { vision, gallery } = site.engine;
  const gates: unknown[] = [];
  const watched = new Proxy(vision, {
    get(target, name) {
      if (name === 'of') return () => watched;
      if (name !== 'enrol') return Reflect.get(target, name, target) as unknown;
      return (image: Uint8Array, { gate }: { gate: unknown }) => {
        gates.push(gate);
        return target.enrol(image);
      };
    },
  });
  const clock = { now: () => new Date() };
  const dispatcher = new Dispatcher({
    ...site.storage,
    ...PLATFORM,
    vision: watched,
    gallery,
    clock,
    log: SILENT_LOG,
  });
  t.after(() => dispatcher.stop());
  dispatcher.start();
  const gateOf = async (init: { token?: string } = {}) => {
    await site.upload(formOf(photoOf(1)), init);
    dispatcher.wake();
    while ((await site.storage.queue.waiting()) > 0 || dispatcher.inProgress > 0)
      await new Promise((resolve) => setTimeout(resolve, 5));
    return gates.at(-1);
  };
  const { gate } = companySettings.parse({});
  assert.deepEqual(await gateOf(), gate);
  // Every threshold another value than its default.
  const wanted = Object.entries(gate).map(([name, value]) => [name, value >= 16 ? value - 1 : 0.5] as const);
  const changed: LimitChange = {};
  for (const [name, value] of wanted) changed[`gate.${name}`] = value;
  await change(changed);
  assert.deepEqual(await gateOf(), Object.fromEntries(wanted));
  assert.deepEqual(await gateOf({ token }), gate);
});

test('limits of the installation take effect at the next request of every company', async (t) => {
  const site = await openSite(t);
  const { other: token, changeSite } = await twoCompanies(site);
  await changeSite({ minFreeBytes: 2 ** 50 });
  for (const init of [{}, { token }])
    assert.equal((await site.upload(formOf(JPEG), init)).body.code, 'DISK_FULL');
  await changeSite({ minFreeBytes: 0, maxWaitingImages: 50 });
  assert.equal((await site.upload(formOf(...images(50)))).status, 202);
  assert.equal((await site.upload(formOf(JPEG), { token })).body.code, 'QUEUE_FULL');
  await changeSite({ requestsPerMinute: 2 });
  const limited = await site.upload(formOf(JPEG), { token });
  assert.deepEqual([limited.status, limited.headers.get('x-ratelimit-limit')], [429, '2']);
  await changeSite({ requestsPerMinute: 1_000 });
  assert.equal((await site.upload(formOf(JPEG), { token })).body.code, 'QUEUE_FULL');
});

/** The faults of refused input by field; none: it was accepted. */
async function faultsOf(change: Promise<void>): Promise<FieldProblems> {
  try {
    await change;
    return {};
  } catch (error) {
    if (!(error instanceof InvalidInput)) throw error;
    return error.fields;
  }
}

test('every limit is refused one step outside its range, and allowed at both ends', async (t) => {
  const site = await openSite(t);
  const { companies, installation } = site.storage;
  const scopes: [
    Record<string, Limit>,
    (value: LimitChange) => ReturnType<typeof changeInstallationLimits>,
  ][] = [
    [COMPANY_LIMITS, (value: LimitChange) => changeCompanyLimits(companies, site.company, value, TEST_ACT)],
    [INSTALLATION_LIMITS, (value: LimitChange) => changeInstallationLimits(installation, value, TEST_ACT)],
  ];
  for (const [limits, change] of scopes)
    for (const [path, limit] of Object.entries(limits)) {
      for (const value of [limit.least - 1, limit.most + 1, ...(limit.whole ? [limit.least + 0.5] : [])]) {
        const errors = await faultsOf(change({ [path]: value }));
        const said = (errors[path] ?? []).map(sentenceOf).join(' ');
        assert.match(said, new RegExp(`^${path} must be a`), `${path} ${value}`);
      }
      // At its ends a limit can contradict another one, which is named.
      for (const value of [limit.least, limit.most, limit.default]) {
        const errors = await faultsOf(change({ [path]: value }));
        for (const found of Object.values(errors).flat())
          assert.match(sentenceOf(found), /must not be above/);
      }
    }
  const unknown = await faultsOf(
    changeCompanyLimits(companies, site.company, { 'retention.verified': 1 }, TEST_ACT),
  );
  assert.deepEqual(unknown, {
    'retention.verified': [problem('SETTING_UNKNOWN', { setting: 'retention.verified' })],
  });
});

test('an admin changes limits, logged; an auditor reads them; others see nothing', async (t) => {
  const { site, as } = await openDashboardSite(t);
  const rival = await site.newCompany();
  const admin = await as('admin');
  const auditor = await as('auditor');
  const before = good(await auditor('GET', '/settings'), limitState);
  assert.equal(before.company['gate.maxYaw'], 60);
  assert.equal(before.installation.maxWaitingImages, 20_000);
  const change = { maxBatchImages: 10, 'gate.maxYaw': 45 };
  assert.equal((await auditor('PATCH', '/settings', { change })).status, 403);
  assert.equal((await (await as('operator'))('GET', '/settings')).status, 403);
  const after = good(await admin('PATCH', '/settings', { change }), limitState);
  assert.deepEqual(after, { ...before, company: { ...before.company, ...change } });
  assert.equal((await site.storage.companies.find(rival.id))?.settings.maxBatchImages, 50);
  const [entry] = await site.storage.audit.list(site.company.id, {
    filter: { action: 'company.changed' },
    limit: 1,
  });
  assert.match(entry?.actor ?? '', /^operator:/);
  assert.deepEqual(JSON.parse(entry?.details ?? ''), {
    changed: ['maxBatchImages', 'gate.maxYaw'],
    before: [50, 60],
    after: [10, 45],
  });
  const refused = await admin('PATCH', '/settings', { change: { maxBatchImages: 501, 'gate.maxYaw': 44 } });
  assert.deepEqual(
    [refused.status, refused.body.errors],
    [422, { maxBatchImages: ['maxBatchImages must be a whole number from 1 to 500 images.'] }],
  );
  // Of the installation: not on the dashboard of a company.
  assert.equal((await admin('PATCH', '/settings', { change: { minFreeBytes: 0 } })).status, 422);
  assert.deepEqual(good(await auditor('GET', '/settings'), limitState), after);
});

test('a feature that an administrator turns off takes effect at once and is audited', async (t) => {
  const { site, as } = await openDashboardSite(t);
  const admin = await as('admin');
  const before = good(await admin('GET', '/company'), companyProfile);
  assert.deepEqual(before.features, { registration: true, blacklists: true });
  assert.equal(before.secondOperator, false);
  const off = good(await admin('PATCH', '/company', { features: { blacklists: false } }), companyProfile);
  assert.deepEqual(off, { ...before, features: { registration: true, blacklists: false } });
  assert.equal((await admin('GET', '/blacklists')).status, 422);
  assert.equal((await site.upload(formOf(JPEG))).status, 202, 'registration stays on');
  assert.equal((await admin('PATCH', '/company', { features: { registration: 'no' } })).status, 422);
  const [entry] = await site.storage.audit.list(site.company.id, {
    filter: { action: 'company.changed' },
    limit: 1,
  });
  assert.deepEqual(JSON.parse(entry?.details ?? 'null'), {
    changed: ['blacklistsEnabled'],
    before: [true],
    after: [false],
  });
  const auditor = await as('auditor');
  assert.equal((await auditor('GET', '/company')).status, 200);
  assert.equal((await auditor('PATCH', '/company', { features: {} })).status, 403);
});

test('the company is renamed in one step with its settings, and the log has it', async (t) => {
  const { site, as } = await openDashboardSite(t);
  const admin = await as('admin');
  const rival = await site.newCompany();
  const before = good(await admin('GET', '/company'), companyProfile);
  const taken = await admin('PATCH', '/company', { name: rival.name, features: { blacklists: false } });
  assert.equal(taken.status, 422);
  assert.match(taken.text, /The name has already been taken\./);
  assert.equal((await admin('PATCH', '/company', { name: ' ' })).status, 422);
  assert.deepEqual(good(await admin('GET', '/company'), companyProfile), before, 'all or nothing');
  const patch = { name: 'Harbour North', features: { blacklists: false } };
  const after = good(await admin('PATCH', '/company', patch), companyProfile);
  assert.deepEqual([after.name, after.features.blacklists], ['Harbour North', false]);
  const [entry] = await site.storage.audit.list(site.company.id, {
    filter: { action: 'company.changed' },
    limit: 1,
  });
  assert.deepEqual(JSON.parse(entry?.details ?? 'null'), {
    changed: ['name', 'blacklistsEnabled'],
    before: ['text', true],
    after: ['text', false],
  });
});
