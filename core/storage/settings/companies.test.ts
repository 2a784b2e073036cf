import { InvalidInput, problem } from '../../contracts/errors/problem.ts';
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { TEST_ACT } from '../../../test/support/act.ts';
import { seededRandom } from '../../../test/support/seed.ts';
import { newCompany, temporaryStorage } from '../../../test/support/site.ts';
import {
  companySettings,
  installationSettings,
  type CompanySettings,
  type InstallationSettings,
} from '../../contracts/settings.ts';
import type { SettingsPatch } from '../../domain/settings/change.ts';

/** Rounds of concurrent changes; VOUCH_ROUNDS raises it. */
const ROUNDS = Number(process.env.VOUCH_ROUNDS ?? 12);

test('changes of different settings at the same time all take effect', async (t) => {
  const random = seededRandom(t);
  const upTo = (most: number) => 1 + Math.floor(random() * most);
  const { storage, folder } = await temporaryStorage(t);
  const { id } = await newCompany(storage, folder);
  const companyPatches: (() => SettingsPatch<CompanySettings>)[] = [
    () => ({ registrationEnabled: random() < 0.5 }),
    () => ({ blacklistsEnabled: random() < 0.5 }),
    () => ({ maxBatchImages: upTo(500) }),
    () => ({ thresholds: random() < 0.5 ? 'strict' : 'default' }),
    () => ({ retention: { verified: upTo(100) } }),
    () => ({ retention: { comparisons: random() < 0.5 ? null : upTo(100) } }),
    () => ({ gate: { maxYaw: 4 + upTo(86) } }),
    () => ({ signatures: { match: 60 + upTo(40), possibleMatch: upTo(60) } }),
  ];
  const sitePatches: (() => SettingsPatch<InstallationSettings>)[] = [
    () => ({ paused: random() < 0.5 }),
    () => ({ requestsPerMinute: upTo(1000) }),
    () => ({ galleryMemoryMiB: random() < 0.5 ? null : upTo(1000) }),
    () => ({ installationName: `Site ${upTo(9)}` }),
  ];
  let company: object = companySettings.parse({});
  let site: object = installationSettings.parse({});
  for (let round = 0; round < ROUNDS; round += 1) {
    const ofCompany = companyPatches.map((next) => next()).toSorted(() => random() - 0.5);
    const ofSite = sitePatches.map((next) => next());
    await Promise.all([
      ...ofCompany.map((patch) => storage.companies.changeSettings(id, patch, TEST_ACT)),
      ...ofSite.map((patch) => storage.installation.update(patch, TEST_ACT)),
      storage.companies.find(id),
      storage.installation.settings(),
    ]);
    company = ofCompany.reduce(merged, company);
    site = ofSite.reduce(merged, site);
    assert.deepEqual((await storage.companies.find(id))?.settings, company);
    assert.deepEqual(await storage.installation.settings(), site);
  }
});

function merged(before: object, patch: object): object {
  const old = new Map<string, unknown>(Object.entries(before));
  for (const [key, value] of Object.entries(patch) as [string, unknown][]) {
    const known = old.get(key);
    const nested = typeof value === 'object' && value !== null && typeof known === 'object' && known !== null;
    old.set(key, nested ? merged(known, value) : value);
  }
  return Object.fromEntries(old);
}

test('a change records old and new values, but no text that a person typed', async (t) => {
  const { storage, folder } = await temporaryStorage(t);
  const { id } = await newCompany(storage, folder);
  await storage.companies.changeSettings(
    id,
    { maxBatchImages: 50, gate: { maxYaw: 45 }, thresholds: 'strict' },
    TEST_ACT,
  );
  await storage.installation.update({ installationName: 'Harbour north', paused: true }, TEST_ACT);
  const [changed] = await storage.audit.list(id, { filter: { action: 'company.changed' }, limit: 1 });
  assert.deepEqual(JSON.parse(changed!.details), {
    changed: ['gate.maxYaw', 'thresholds'],
    before: [60, 'default'],
    after: [45, 'strict'],
  });
  const [named] = await storage.audit.list(null, { filter: { action: 'installation.changed' }, limit: 1 });
  assert.deepEqual(JSON.parse(named!.details), {
    changed: ['paused', 'installationName'],
    before: [false, null],
    after: [true, 'text'],
  });
});

test('a change with a forbidden value or an unknown setting changes nothing', async (t) => {
  const { storage, folder } = await temporaryStorage(t);
  const { id, settings } = await newCompany(storage, folder);
  const refuse = async (patch: SettingsPatch<CompanySettings>) => {
    const errors = await storage.companies.changeSettings(id, patch, TEST_ACT).then(
      () => assert.fail('The change was made.'),
      (error: unknown) => (error instanceof InvalidInput ? error.fields : assert.fail(String(error))),
    );
    assert.deepEqual((await storage.companies.find(id))?.settings, settings);
    return errors;
  };
  assert.deepEqual(Object.keys(await refuse({ registrationEnabled: false, maxBatchImages: 501 })), [
    'maxBatchImages',
  ]);
  assert.deepEqual(await refuse({ signatures: { possibleMatch: 90 } }), {
    'signatures.possibleMatch': [
      {
        code: 'FIELD_INVALID',
        parameters: { sentence: 'signatures.possibleMatch must not be above signatures.match.' },
      },
    ],
  });
  const unknown = { gate: { maxNod: 3 } } as SettingsPatch<CompanySettings>;
  assert.deepEqual(await refuse(unknown), {
    'gate.maxNod': [problem('SETTING_UNKNOWN', { setting: 'gate.maxNod' })],
  });
  await assert.rejects(storage.installation.update({ requestsPerMinute: 0 }, TEST_ACT), InvalidInput);
});
