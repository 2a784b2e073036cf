/** The role of the service, which the owner of the tables lets in: `npm run test:postgres` runs it. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { sql } from 'kysely';
import pg from 'pg';
import { enrolItem, failItem } from '../../../../test/support/answerItem.ts';
import {
  acceptUpload,
  faceAlong,
  newCompany,
  temporaryFolder,
  TestClock,
} from '../../../../test/support/site.ts';
import { TEST_ACT } from '../../../../test/support/act.ts';
import { enrolPeople, openErasureSite } from '../../../../test/support/erasureSite.ts';
import { newAddress, WITHOUT_SERVER } from '../../../../test/support/testServer.ts';
import { CodedError } from '../../../contracts/errors/problem.ts';
import { openHome, openStorage } from '../../index.ts';
import { MIGRATIONS } from '../migrate.ts';
import { keyIn } from '../home.ts';
import { openPostgres } from './open.ts';
import { prepareDatabase } from './serviceRole.ts';

const ROLE = 'vouch_test_service';
const LATER = { '9999_later': { up: () => Promise.resolve() } };

/** Runs statements as the administrator of the server. */
async function administer(statement: string): Promise<void> {
  const client = new pg.Client(newAddress().replace(/[^/]+$/, 'postgres'));
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}

async function createRole(name: string, options = ''): Promise<void> {
  // A run that was stopped could have left it.
  await administer(
    `do $$ begin create role ${name} login ${options}; exception when duplicate_object then null; end $$`,
  );
}

/** An empty data directory, the address of its owner, and that of its service. */
async function site(t: TestContext) {
  await createRole(ROLE);
  const owner = newAddress();
  const service = owner.replace(/\/\/[^@]+@/, `//${ROLE}@`);
  const folder = join(temporaryFolder(t), 'home');
  return { owner, service, folder, home: openHome(folder) };
}

const refusal = (code: string) => (error: unknown) =>
  error instanceof CodedError && error.problem.code === code;

test('the role of the service enrols, and cannot change the log', { skip: WITHOUT_SERVER }, async (t) => {
  const { owner, service, folder, home } = await site(t);
  const prepared = await prepareDatabase(home, owner, service);
  assert.equal(prepared.role, ROLE);
  assert.equal(readFileSync(home.databaseAddress, 'utf8').trim(), service, 'the owner is not kept');
  const clock = new TestClock();
  const storage = await openStorage(home, clock);
  t.after(() => storage.close());
  const company = await newCompany(storage, folder);
  // Its folder is checked before its row exists.
  const place = { storageFolder: join(temporaryFolder(t), 'disk'), settings: company.settings };
  await storage.companies.create({ name: 'Elsewhere', ...place }, TEST_ACT);
  await acceptUpload(storage, company, ['Ann.jpg', 'Bob.jpg']);
  const [ann, bob] = await storage.queue.lease(2);
  const image = { width: 100, height: 100, format: 'jpeg' } as const;
  assert.ok(await enrolItem(storage.queue, ann!, { image, face: faceAlong(3) }, clock.now()));
  await failItem(storage, bob!, { code: 'NO_FACE' }, clock.now());
  assert.equal((await storage.audit.verify([])).firstBad, null);
  const server = await storage.storeHealth.server();
  assert.equal(server?.role, ROLE);
  assert.equal(server.ownsAuditLog, false);
  assert.equal(server.seesActivity, false);
  assert.equal(server.hasNameIndex, true);
  const administrator = new pg.Client(owner);
  await administrator.connect();
  await administrator.query('drop index trust_validation_name');
  await administrator.end();
  assert.equal((await storage.storeHealth.server())?.hasNameIndex, false);

  const client = new pg.Client(service);
  await client.connect();
  t.after(() => client.end());
  for (const statement of [
    'update audit_entry set at = 0',
    'delete from audit_entry',
    'truncate audit_entry',
    'alter table audit_entry disable trigger all',
    'drop trigger audit_entry_no_delete on audit_entry',
    'drop table audit_entry',
    'update audit_key set private_key = public_key',
    'delete from audit_key',
    'create table mine (id int)',
    `insert into kysely_migration (name, timestamp) values ('x', 'y')`,
  ])
    await assert.rejects(client.query(statement), { code: '42501' }, statement);
});

test('an erasure under the role removes the reasons of decisions', { skip: WITHOUT_SERVER }, async (t) => {
  const { owner, service, folder, home } = await site(t);
  await prepareDatabase(home, owner, service);
  const erasing = await openErasureSite(folder);
  t.after(() => erasing.close());
  const { storage } = erasing;
  assert.equal((await storage.storeHealth.server())?.role, ROLE);
  const company = await newCompany(storage, folder);
  const photos = [0, 1, 2].map((person) => ({ person, fileName: `${person}.jpg` }));
  const upload = await enrolPeople(erasing, company, photos);
  const { items } = (await storage.uploads.find(company.id, 'duplicate', upload))!;
  const named = items.map(({ faceId }, side) => ({ face: faceId!, side: Math.min(side, 1) }));
  const decision = { kind: 'different', faces: named, reason: 'Ann told us' } as const;
  await storage.persons.decide(company.id, decision, TEST_ACT);

  const choice = { validations: [items[2]!.trustValidationId!], faces: [], photos: [], comparisons: [] };
  const plan = await erasing.service.plan(company.id, choice);
  await erasing.service.run(company.id, { choice, code: plan.code, copies: 'keep' }, TEST_ACT);
  const left = await storage.persons.decisionsOf(company.id, [named[0]!.face]);
  assert.deepEqual(
    left.map(({ kind, reason }) => ({ kind, reason })),
    [{ kind: 'different', reason: null }],
    'the decision still parts two enrolled faces',
  );
});

test('a version that needs other tables waits for their owner', { skip: WITHOUT_SERVER }, async (t) => {
  const { owner, service, home } = await site(t);
  await prepareDatabase(home, owner, service);
  const key = keyIn(home.keyFile)!;
  const migrations = { ...MIGRATIONS, ...LATER };
  await assert.rejects(openPostgres(service, key, { migrations }), refusal('DATABASE_NOT_PREPARED'));
  const migrated = await openPostgres(owner, key, { migrations });
  await (await openPostgres(service, key, { migrations })).destroy();
  await assert.rejects(openPostgres(service, key), refusal('DATABASE_NEWER'));
  await sql`comment on table installation_settings is 'other triggers'`.execute(migrated);
  await migrated.destroy();
  await assert.rejects(openPostgres(service, key, { migrations }), refusal('DATABASE_NOT_PREPARED'));
});

test('a role that could act as the owner is refused', { skip: WITHOUT_SERVER }, async (t) => {
  const { service, folder } = await site(t);
  const owner = newAddress();
  const member = 'vouch_test_member';
  await createRole(member, 'superuser');
  const asMember = owner.replace(/\/\/[^@]+@/, `//${member}@`);
  const asUnknown = owner.replace(/\/\/[^@]+@/, '//vouch_test_unknown@');
  const home = openHome(folder);
  for (const address of [owner, asMember, asUnknown])
    await assert.rejects(prepareDatabase(home, owner, address), refusal('DATABASE_ROLE'));
  await assert.rejects(
    prepareDatabase(openHome(`${folder}-other`), newAddress(), service),
    refusal('DATABASE_OTHER'),
  );
  await assert.rejects(
    prepareDatabase(openHome(`${folder}-file`), owner, undefined),
    refusal('DATABASE_NO_SERVER'),
  );
});
