/** Two services change one PostgreSQL database at the same time; the result is one that a single service could give. */
import assert from 'node:assert/strict';
import { randomBytes, randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { BLACKLIST_STATUS, TRUST_VALIDATION_STATUS } from '../../core/contracts/codes.ts';
import type { PipelineId, UploadId } from '../../core/contracts/ids.ts';
import { companySettings } from '../../core/contracts/settings.ts';
import { CodedError } from '../../core/contracts/errors/problem.ts';
import { UnavailableError } from '../../core/domain/ports/machine.ts';
import { openHome, openStorage, type Storage } from '../../core/storage/index.ts';
import { TEST_ACT } from '../support/act.ts';
import { seededRandom } from '../support/seed.ts';
import { newCompany, temporaryFolder, temporaryStorage, TestClock, writeImage } from '../support/site.ts';
import { folderBeside } from '../support/severalServices.ts';
import { WITHOUT_SERVER } from '../support/testServer.ts';
import type { Company } from '../../core/domain/ports/auditContext.ts';

const ROUNDS = Number(process.env.VOUCH_ROUNDS ?? 5);

interface Site {
  company: Company;
  services: [Storage, Storage];
}

/** Both services do something at the same time; it fails unless the result is one that a single service could give. */
type Act = (site: Site, round: number) => Promise<void>;

async function open(t: TestContext): Promise<Site> {
  const { storage, folder } = await temporaryStorage(t);
  const second = await openStorage(openHome(folderBeside(t, folder)), new TestClock());
  t.after(() => second.close());
  const company = await storage.companies.create(
    { name: 'Acme', storageFolder: join(temporaryFolder(t), 'images'), settings: companySettings.parse({}) },
    TEST_ACT,
  );
  return { company, services: [storage, second] };
}

/** Both services do the same at the same time. @returns their results, in a fixed order */
async function both<T>(
  { services }: Pick<Site, 'services'>,
  work: (storage: Storage, index: number) => Promise<T>,
): Promise<T[]> {
  return Promise.all(services.map((storage, index) => work(storage, index)));
}

/** The name of the error of a service that was refused. */
async function outcome(work: Promise<unknown>): Promise<string> {
  try {
    await work;
    return 'done';
  } catch (error) {
    if (error instanceof CodedError || error instanceof UnavailableError) return error.name;
    throw error;
  }
}

async function newFlow({ services: [storage], company }: Site, name: string) {
  const { id } = await storage.flows.create(company.id, name, {}, 'local-admin');
  return (await storage.flows.find(company.id, id))!;
}

const ACTS: Record<string, Act> = {
  'one of two equal names of a blacklist is refused': async (site, round) => {
    const { company } = site;
    const name = `List ${round}`;
    const made = await both(site, ({ blacklists }) =>
      outcome(blacklists.create(company.id, { name, description: '' }, TEST_ACT)),
    );
    assert.deepEqual(made.sort(), ['InvalidInput', 'done']);
  },
  'one of two equal names of a company is refused': async (site, round) => {
    const settings = companySettings.parse({});
    const name = `Company ${round}`;
    const outcomes = await both(site, ({ companies }) =>
      outcome(companies.create({ name, settings }, TEST_ACT)),
    );
    assert.deepEqual(outcomes.sort(), ['CodedError', 'done']);
  },
  'the last of two administrators stays one': async (site, round) => {
    const [storage] = site.services;
    const company = await newCompany(storage, '', `Administrators ${round}`);
    const made = await both(site, ({ operators }, index) => {
      const name = `admin ${round} ${index}`;
      return operators.create(
        company.id,
        { name, nameKey: name, role: 'admin', passphraseHash: 'hash' },
        TEST_ACT,
      );
    });
    const changed = await both(site, ({ operators }, index) =>
      outcome(operators.change(company.id, made[index]!.id, { role: 'reviewer' }, TEST_ACT)),
    );
    assert.deepEqual(changed.sort(), ['InvalidInput', 'done']);
  },
  'one of two uploads with one key is accepted': async (site, round) => {
    const { company } = site;
    const outcomes = await both(site, async (storage) =>
      outcome(
        storage.uploads.accept(company.id, {
          id: randomUUID() as UploadId,
          target: { kind: 'duplicate', trustFlowId: await storage.companies.systemTrustFlow(company.id) },
          accepted: TEST_ACT,
          images: [{ fileName: 'a.jpg', image: await writeImage(storage, company) }],
          idempotency: { key: `upload ${round}`, fingerprint: '' },
        }),
      ),
    );
    assert.deepEqual(outcomes.sort(), ['CodedError', 'done']);
  },
  'a verification is finalised once, or decided after that': async (site, round) => {
    const { company, services } = site;
    const flow = await newFlow(site, `Flow ${round}`);
    const { Created, ReviewNeeded, Verified, Rejected } = TRUST_VALIDATION_STATUS;
    const { id } = await services[0].validations.create(
      company.id,
      { trustFlowId: flow.id, versionId: flow.version!.id, metadata: null },
      TEST_ACT,
    );
    const finalised = { status: ReviewNeeded, matches: [], facts: null, selfies: [], createdAt: TEST_ACT.at };
    const ends = await both(site, ({ validations }) =>
      validations.finalise(company.id, id, finalised, TEST_ACT),
    );
    assert.deepEqual(ends.sort(), ['closed', 'finalised']);
    const decisions = await both(site, ({ validations }, index) =>
      validations.decide(
        company.id,
        id,
        {
          seen: ReviewNeeded,
          status: index === 0 ? Verified : Rejected,
          action: index === 0 ? 'verified' : 'rejected',
          note: '',
        },
        TEST_ACT,
      ),
    );
    assert.deepEqual(decisions.sort(), ['changed', 'decided']);
    const history = (await services[1].validations.detail(company.id, id))?.history;
    assert.deepEqual(
      history?.map(({ fromStatus }) => fromStatus),
      [null, Created, ReviewNeeded],
    );
  },
  'one of two verifications of one request is made': async (site, round) => {
    const { company } = site;
    const flow = await newFlow(site, `Requests ${round}`);
    const validation = { trustFlowId: flow.id, versionId: flow.version!.id, metadata: null };
    const requestId = `request ${round}`;
    const outcomes = await both(site, ({ validations }) =>
      outcome(validations.create(company.id, { ...validation, requestId }, TEST_ACT)),
    );
    assert.deepEqual(outcomes.sort(), ['UnavailableError', 'done']);
  },
  'a draft of a flow becomes one version': async (site, round) => {
    const { company, services } = site;
    const flow = await newFlow(site, `Versions ${round}`);
    const seen = { id: flow.id, revision: 1 };
    const drafted = await services[0].flows.setDraft(company.id, seen, {}, 'local-admin');
    const saved = await both(site, ({ flows }) => outcome(flows.save(company.id, drafted, 'local-admin')));
    assert.deepEqual(saved.sort(), ['CodedError', 'done']);
  },
  'changes of different settings both stand': async (site, round) => {
    const { company, services } = site;
    const chosen = { maxBatchImages: 10 + (round % 90), blacklistsEnabled: round % 2 === 1 };
    await both(site, ({ companies }, index) => {
      const { maxBatchImages, blacklistsEnabled } = chosen;
      const change = index === 0 ? { maxBatchImages } : { blacklistsEnabled };
      return companies.changeSettings(company.id, change, TEST_ACT);
    });
    const stored = (await services[0].companies.list()).find(({ id }) => id === company.id)?.settings;
    assert.equal(stored?.maxBatchImages, chosen.maxBatchImages);
    assert.equal(stored.blacklistsEnabled, chosen.blacklistsEnabled);
  },
  'a company has one unfinished search for duplicates': async (site, round) => {
    const [storage] = site.services;
    const company = await newCompany(storage, '', `Duplicates ${round}`);
    const choice = { mode: 'all' as const, blacklists: [], oneIn: 1000 };
    const gallery = { pipeline: 'face' as PipelineId, total: 2 };
    const begun = await both(site, ({ duplicateRuns }) =>
      outcome(duplicateRuns.begin(company.id, choice, gallery, TEST_ACT)),
    );
    assert.deepEqual(begun.sort(), ['CodedError', 'done']);
  },
  'the next request of one service finds what another one changed': async (site, round) => {
    const { company, services } = site;
    const [one, other] = services;
    const strict: boolean[] = [];
    other.companies.followSettings((id, { thresholds }) => {
      if (id === company.id) strict.push(thresholds === 'strict');
    });
    for (const [at, thresholds] of (['strict', 'default'] as const).entries()) {
      await one.companies.changeSettings(company.id, { thresholds }, TEST_ACT);
      await one.installation.update({ maxWaitingImages: 1000 + 2 * round + at }, TEST_ACT);
      assert.equal((await other.companies.find(company.id))?.settings.thresholds, thresholds);
      assert.equal((await other.installation.settings()).maxWaitingImages, 1000 + 2 * round + at);
      assert.equal(strict.at(-1), thresholds === 'strict');
    }
    const token = { name: 'program', hash: randomBytes(32), scopes: [], expiresAt: null };
    const { id } = await one.apiTokens.create(company.id, token, TEST_ACT);
    assert.equal((await other.apiTokens.findByHash(token.hash))?.revokedAt, null);
    await one.apiTokens.revoke(company.id, id, TEST_ACT);
    assert.notEqual((await other.apiTokens.findByHash(token.hash))?.revokedAt, null);
  },
  'a session works at every service, and ends at every service': async (site, round) => {
    const { company, services } = site;
    const [one, other] = services;
    const name = `operator ${round}`;
    const operator = await one.operators.create(
      company.id,
      { name, nameKey: name, role: 'reviewer', passphraseHash: 'hash' },
      TEST_ACT,
    );
    const hash = randomBytes(32);
    assert.ok(await one.sessions.open(operator, hash, 'hash', TEST_ACT));
    assert.equal((await other.sessions.find(hash))?.operator.id, operator.id);
    await other.sessions.close(hash, operator, TEST_ACT);
    assert.equal(await one.sessions.find(hash), undefined);
  },
  'a signed request is accepted once': async (site, round) => {
    const { company, services } = site;
    const made = await services[0].hmacKeys.create(
      company.id,
      {
        name: 'key',
        userId: `key ${round}`,
        secret: 'secret',
        profile: 'v1',
        scopes: [],
        expiresAt: null,
      },
      TEST_ACT,
    );
    const signature = randomBytes(32);
    const until = new Date('2030-01-01');
    const remembered = await both(site, ({ replays }) =>
      replays.remember(made ?? assert.fail(), signature, until),
    );
    assert.deepEqual(remembered.sort(), [false, true]);
  },
  'requests to all services count together': async (site, round) => {
    const counted = await both(site, ({ requestCounts }) => requestCounts!.count(`token:${round}`, 60_000));
    assert.deepEqual(counted.map(({ count }) => count).sort(), [1, 2]);
    assert.ok(counted.every(({ remaining }) => remaining > 0 && remaining <= 60_000));
    const [ended] = [await site.services[0].requestCounts!.count(`ended:${round}`, 0)];
    assert.equal(ended.count, 1);
    assert.equal((await site.services[1].requestCounts!.count(`ended:${round}`, 0)).count, 1);
  },
  'every attempt to sign in counts': async (site, round) => {
    const name = randomBytes(32);
    const source = randomBytes(32);
    await both(site, ({ attempts }) =>
      attempts.begin(name, [{ source, waitAfter: () => 0 }], new Date(round)),
    );
    const [{ attempts } = assert.fail()] = await site.services[0].attempts.failed(name);
    assert.equal(attempts, 2);
  },
  'a photo of a blacklist that goes is not accepted': async (site, round) => {
    const { company, services } = site;
    const fields = { name: `Going ${round}`, description: '' };
    const list = await services[0].blacklists.create(company.id, fields, TEST_ACT);
    assert.equal(list.status, BLACKLIST_STATUS.Active);
    const image = await writeImage(services[0], company);
    const [accepted] = await Promise.all([
      outcome(
        services[0].uploads.accept(company.id, {
          id: randomUUID() as UploadId,
          target: { kind: 'blacklist', blacklistId: list.id },
          accepted: TEST_ACT,
          images: [{ fileName: 'a.jpg', image }],
        }),
      ),
      services[1].blacklists.delete(company.id, list.id, TEST_ACT),
    ]);
    const photos = await services[0].blacklists.photos(company.id, list.id, { limit: 10 });
    assert.deepEqual(
      photos.map(({ failureCode }) => failureCode),
      accepted === 'done' ? ['CANCELLED'] : [],
    );
  },
};

test('two services change one database as one service would', { skip: WITHOUT_SERVER }, async (t) => {
  const site = await open(t);
  const acts = Object.entries(ACTS);
  for (const [name, act] of acts)
    await t.test(name, async () => {
      for (let round = 0; round < ROUNDS; round += 1) await act(site, round);
    });
  await t.test('any actions side by side', async (inner) => {
    const random = seededRandom(inner);
    for (let round = 0; round < ROUNDS; round += 1)
      await Promise.all(
        Array.from({ length: 4 }, async (_, slot) => {
          const [name, act] = acts[Math.floor(random() * acts.length)]!;
          // Settings are compared with what was set last, so one action at a time may set them.
          if (slot === 0 || !/settings|changed/.test(name)) await act(site, 1000 + 4 * round + slot);
        }),
      );
  });
  await t.test('the audit log is one chain', async () => {
    await both(site, async ({ audit }, index) => {
      for (let at = 0; at < ROUNDS; at += 1)
        await audit.record(TEST_ACT, {
          company: null,
          action: 'installation.changed',
          object: null,
          details: { at, index },
        });
    });
    assert.deepEqual((await site.services[0].audit.verify([])).firstBad, null);
  });
});
