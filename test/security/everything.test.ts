/** Performs every action of the audit log on a real service, with secrets in every field that can hold one. */
import { plainBytes } from '../support/cells.ts';
import { randomBytes } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import assert from 'node:assert/strict';
import { AUDIT_ACTIONS } from '../../core/contracts/audit.ts';
import type { CompanyId, PipelineId } from '../../core/contracts/ids.ts';
import { Retention } from '../../core/domain/erasure/retention.ts';
import { openDatabase } from '../../core/storage/engine/sqliteFile.ts';
import { openHome, openStorage } from '../../core/storage/index.ts';
import { doEverything, type Done, type Planted } from '../support/everything.ts';
import { SILENT_LOG, TEST_CALIBRATION, TestBootClock } from '../support/fakes.ts';
import { TEST_ACT } from '../support/act.ts';
import { temporaryFolder } from '../support/site.ts';
import { PLATFORM } from '../../core/platform/platform.ts';

/** Something that stands nowhere by chance, and may be part of a path, a header and a name. */
const canary = (kind: string) => `canary-${kind.replaceAll(' ', '-')}-${randomBytes(9).toString('hex')}`;

function plant(): Planted {
  const kinds: (keyof Planted)[] = [
    'company',
    'operator',
    'second operator',
    'passphrase',
    'wrong passphrase',
    'passphrase as a name',
    'wrong token',
    'file name',
    'refused file name',
    'image bytes',
    'refused bytes',
    'blacklist name',
    'blacklist description',
    'reason of a blacklist face',
    'flow name',
    'note',
    'query',
  ];
  return Object.fromEntries(kinds.map((kind) => [kind, canary(kind)])) as Planted;
}

interface Entry {
  at: number;
  company_id: number | null;
  actor: string;
  action: string;
  object: string | null;
  outcome: string;
  details: string;
}

/** Thresholds of a company need photos of eighty people to be measured; here they are only applied and reset. */
async function calibrate(home: string, company: string): Promise<void> {
  const storage = await openStorage(openHome(home), { now: () => TEST_ACT.at });
  const { id } = (await storage.companies.findByName(company))!;
  await storage.companyCalibrations.apply(
    {
      company: id,
      pipeline: 'pack:own' as PipelineId,
      calibration: TEST_CALIBRATION,
      people: 80,
      photos: 160,
      nonMatedPairs: 12_640,
      measured: { matedPairs: 80, failureToAcquire: 0, points: [], det: [], groups: null },
      appliedAt: TEST_ACT.at,
    },
    TEST_ACT,
  );
  await storage.companyCalibrations.reset(id, TEST_ACT);
  const pairs = { genuine: 900, forgery: 0, differentWriters: 3_000 };
  const measured = {
    writers: 20,
    signatures: 200,
    forgeries: 0,
    rates: [],
    fixedPoints: [],
    knownSets: null,
    pairs,
  };
  const appliedAt = TEST_ACT.at;
  await storage.signatureCalibrations.apply(
    { company: id, modelVersion: 'earlier', measured, appliedAt },
    TEST_ACT,
  );
  await storage.signatureCalibrations.reset(id, TEST_ACT);
  await storage.close();
}

/** Retention rules that no person confirmed are held. The service checks every ten minutes; this checks once. */
async function holdRetention(home: string, company: string): Promise<void> {
  const clock = { now: () => new Date() };
  const storage = await openStorage(openHome(home), clock);
  const { id } = (await storage.companies.findByName(company))!;
  await storage.companies.changeSettings(id, { retention: { verified: 900 } }, TEST_ACT);
  const ports = { ...storage, ...PLATFORM, clock, bootClock: new TestBootClock(clock), log: SILENT_LOG };
  const retention = new Retention(ports, { beginDue: () => assert.fail('Nothing is erased.') });
  await retention.check();
  await retention.stop();
  await storage.close();
}

/** A blacklist face whose time ends, and that matches again because the clock was ahead. */
async function followClock(home: string, company: string): Promise<void> {
  const storage = await openStorage(openHome(home), { now: () => TEST_ACT.at });
  const { id } = (await storage.companies.findByName(company))!;
  const list = (await storage.blacklists.all(id)).find(({ name }) => name === 'Kept')!;
  const [face] = await storage.blacklists.photos(id, list.id, { limit: 1 });
  const now = new Date();
  const edit = { expiresAt: new Date(now.getTime() + 1000).toISOString() };
  const act = { by: 'local-admin', at: now } as const;
  assert.equal((await storage.faceListings.change(id, list.id, [face!.faceId!], edit, act)).length, 1);
  assert.equal((await storage.faceListings.follow(new Date(now.getTime() + 2000), 10)).ended.length, 1);
  assert.equal((await storage.faceListings.follow(now, 10)).resumed.length, 1);
  await storage.close();
}

/** The whole record of a home, and the templates in it. */
async function readHome(folder: string): Promise<{ entries: Entry[]; templates: Buffer[] }> {
  const home = openHome(folder);
  const db = await openDatabase(home.database, storeKeyOf(folder));
  const entries = await db
    .selectFrom('audit_entry')
    .select(['at', 'company_id', 'actor', 'action', 'object', 'outcome', 'details'])
    .orderBy('sequence')
    .execute();
  const vectors = await db.selectFrom('template').select('vector').execute();
  await db.destroy();
  return { entries, templates: vectors.map(({ vector }) => Buffer.from(plainBytes(vector))) };
}

function storeKeyOf(home: string): Buffer {
  return Buffer.from(readFileSync(join(home, 'store.key'), 'utf8').trim(), 'hex');
}

/** Everything that the walk left behind or displayed. */
function artefactsOf(done: Done, record: readonly Entry[]): Map<string, Buffer> {
  const artefacts = new Map<string, Buffer>([
    ['what was printed', Buffer.from(done.printed)],
    ['the record', Buffer.from(JSON.stringify(record))],
    ['the description', Buffer.from(done.description)],
    ['the backup', readFileSync(done.bundle)],
  ]);
  for (const [index, text] of done.refusals.entries()) artefacts.set(`refusal ${index}`, Buffer.from(text));
  for (const { pid, commandLine, environment } of done.processes) {
    artefacts.set(`the command line of ${pid}`, Buffer.from(commandLine));
    artefacts.set(`the environment of ${pid}`, Buffer.from(environment));
  }
  for (const home of [done.home, done.restored])
    for (const entry of readdirSync(home, { recursive: true, withFileTypes: true })) {
      const path = join(entry.parentPath, entry.name);
      artefacts.set(`the name ${path}`, Buffer.from(path));
      if (entry.isFile()) artefacts.set(path, readFileSync(path));
    }
  return artefacts;
}

/** The forms in which bytes could be written down by mistake. */
function formsOf(secret: Buffer): Buffer[] {
  const hex = secret.toString('hex');
  // Of base64 only whole groups of three bytes look the same wherever the secret begins.
  const inner = [0, 1, 2].map((at) =>
    secret.subarray(at, at + 3 * Math.floor((secret.length - at) / 3)).toString('base64'),
  );
  return [
    secret,
    Buffer.from(hex),
    Buffer.from(hex.toUpperCase()),
    ...inner.map((text) => Buffer.from(text)),
  ];
}

async function walked(t: TestContext) {
  const planted = plant();
  const done = await doEverything(temporaryFolder(t), planted);
  await calibrate(done.home, planted.company);
  await holdRetention(done.home, planted.company);
  await followClock(done.home, planted.company);
  const here = await readHome(done.home);
  const there = await readHome(done.restored);
  const restored = there.entries.filter(({ action }) => action === 'backup.restored');
  return { planted, done, entries: [...here.entries, ...restored], templates: here.templates };
}

test(
  'a crashing service logs everything and leaks no secret',
  { skip: process.platform !== 'linux' && 'the process list is read from /proc' },
  async (t) => {
    const { planted, done, entries, templates } = await walked(t);

    await t.test('every kind of audit entry is made, with actor, company, object and outcome', () => {
      const of = (action: string) => entries.filter((entry) => entry.action === action);
      assert.deepEqual(
        Object.keys(AUDIT_ACTIONS).filter((action) => of(action).length === 0),
        // Of PostgreSQL alone: test/security/changedRows.test.ts makes one.
        ['audit.rowsAccepted'],
        'what is done nowhere here is not known to be recorded: a new kind needs a step in test/support/everything.ts',
      );
      const [made] = of('company.created');
      const company = Number(made?.object?.split(':')[1]) as CompanyId;
      for (const [action, expected] of Object.entries(EXPECTED)) {
        const said = of(action).map((entry) =>
          [
            entry.actor.replace(/:\d+$/, ':#'),
            entry.company_id === company ? 'company' : String(entry.company_id),
            entry.object?.replace(/:.+$/, ':#') ?? '-',
            entry.outcome,
          ].join(' '),
        );
        assert.ok(said.includes(expected), `${action}: ${said.join(', ')} instead of ${expected}`);
      }
      for (const { at, actor, object, outcome, details } of entries) {
        assert.ok(at > 0);
        assert.match(actor, /^(local-admin|service|anonymous|(operator|token|hmac):\d+)$/);
        assert.match(object ?? 'none', /^(none|[a-zA-Z-]+:[\w:@./+-]+)$/);
        assert.match(outcome, /^(done|refused)$/);
        assert.match(details, /^\{["\w:,.[\]{}-]*\}$/, 'numbers and words of the program only');
      }
      const kinds = of('export.taken').map(({ details }) => (JSON.parse(details) as { kind: string }).kind);
      assert.deepEqual(kinds.toSorted(), [
        'auditLog',
        'caseFolder',
        'caseFolderReport',
        'caseFolderReport',
        'comparison',
        'examinationReport',
        'searchReport',
        'signatureReport',
        'uploadResults',
      ]);
    });

    // The workers of images get no NODE_OPTIONS. Their confinement refuses sockets (test/security/takenOver.test.ts).
    await t.test('the service and the terminal ask nothing of any network', () => {
      const watched = new Set(done.network.filter((line) => line.endsWith(' watching')));
      assert.ok(watched.has(`${done.processes[0]!.pid} watching`));
      assert.equal(watched.size, 3, 'the service and two commands');
      assert.deepEqual(
        done.network.filter((line) => !line.endsWith(' watching')),
        [],
      );
    });

    await t.test('none of the planted secrets is in any artefact', () => {
      const secrets = new Map<string, Buffer>([
        ...Object.entries({ ...planted, ...done.made }).map(
          ([kind, text]) => [kind, Buffer.from(text)] as const,
        ),
        ['store key', storeKeyOf(done.home)],
        ...templates.map((vector, index) => [`template ${index}`, vector.subarray(0, 48)] as const),
      ]);
      assert.ok(secrets.size >= 25 && templates.length >= 2);
      assert.match(done.printed, /A test wants this process to crash/, 'the crash was seen');
      const artefacts = artefactsOf(done, entries);
      const logs = [...artefacts].filter(([path]) => path.includes('/logs/') && !path.startsWith('the name'));
      const logged = Buffer.concat(logs.map(([, content]) => content)).toString();
      assert.match(logged, /a vision worker ended unasked|a signature worker ended unasked/);
      assert.match(logged, /A test wants this process to crash.*nothing handles this error/);
      const found = [...artefacts].flatMap(([artefact, content]) =>
        [...secrets]
          .filter(([kind]) => !(kind === 'store key' && artefact.endsWith('/store.key')))
          .filter(([, secret]) => formsOf(secret).some((form) => content.includes(form)))
          .map(([kind]) => `${kind} in ${artefact}`),
      );
      assert.deepEqual(found, []);
    });
  },
);

/** Of the kinds that an auditor asks about: who, company, object, outcome. */
const EXPECTED: Record<string, string> = {
  'session.opened': 'operator:# company operator:# done',
  'session.refused': 'anonymous company operator:# refused',
  'session.locked': 'anonymous company operator:# refused',
  'session.confirmed': 'operator:# company operator:# done',
  'session.closed': 'operator:# company operator:# done',
  'operator.created': 'operator:# company operator:# done',
  'operator.changed': 'operator:# company operator:# done',
  'operator.recovered': 'anonymous company operator:# done',
  'company.changed': 'local-admin company company:# done',
  'installation.changed': 'operator:# null - done',
  'credential.created': 'operator:# company token:# done',
  'credential.revoked': 'operator:# company hmac:# done',
  'upload.accepted': 'token:# company upload:# done',
  'upload.completed': 'service company upload:# done',
  'blacklist.exported': 'operator:# company blacklist:# done',
  'blacklist.imported': 'operator:# company blacklist:# done',
  'blacklist.import-reverted': 'operator:# company blacklist:# done',
  'installation.trusted': 'local-admin company trusted-installation:# done',
  'network.enabled': 'local-admin null - done',
  'network.disabled': 'operator:# null - done',
  'blacklist.erased': 'operator:# company blacklist:# done',
  'face.erased': 'operator:# company blacklist:# done',
  'face.expired': 'service company blacklist:# done',
  'face.expiry-undone': 'service company blacklist:# done',
  'person.erased': 'local-admin company erasure:# done',
  'erasure.finished': 'service company erasure:# done',
  'retention.applied': 'service company - done',
  'retention.blocked': 'service company - refused',
  'flow.saved': 'operator:# company flow:# done',
  'validation.finalised': 'token:# company validation:# done',
  'validation.decided': 'operator:# company validation:# done',
  'validation.batch-decided': 'operator:# company - done',
  'image.read': 'operator:# company face:# done',
  'image.damaged': 'service company face:# done',
  'search.run': 'operator:# company search:# done',
  'search.changed': 'operator:# company search:# done',
  'face.compared': 'operator:# company faceComparison:# done',
  'signature.compared': 'operator:# company signatureComparison:# done',
  'signature.known-compared': 'token:# company signatureComparison:# done',
  'encounter.stored': 'token:# company validation:# done',
  'specimen.added': 'operator:# company person:# done',
  'specimen.viewed': 'operator:# company person:# done',
  'specimen.used': 'operator:# company person:# done',
  'specimen.erased': 'operator:# company person:# done',
  'specimens.erased': 'local-admin company company:# done',
  'signatureCalibration.applied': 'local-admin company company:# done',
  'signatureCalibration.reset': 'local-admin company company:# done',
  'calibration.applied': 'local-admin company pipeline:# done',
  'duplicates.started': 'operator:# company duplicate-run:# done',
  'duplicates.ended': 'service company duplicate-run:# done',
  'identity.decided': 'operator:# company identity-decision:# done',
  'identity.undone': 'operator:# company identity-decision:# done',
  'person.changed': 'operator:# company person:# done',
  'pipeline.chosen': 'local-admin company pipeline:# done',
  'pipeline.switched': 'service company pipeline:# done',
  'export.taken': 'operator:# company - done',
  'backup-key.created': 'local-admin null - done',
  'backup.taken': 'local-admin null - done',
  'backup.restored': 'local-admin null - done',
  'audit.anchored': 'operator:# company - done',
  'audit.verified': 'operator:# company - done',
};
