/** Somebody who can write to the PostgreSQL database, and has no key. */
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import pg from 'pg';
import { AuditLog } from '../../core/storage/audit/auditLog.ts';
import { ServerHealth } from '../../core/storage/diagnostics/serverHealth.ts';
import { Cells, RowDamaged } from '../../core/storage/engine/cells.ts';
import { CODED, PLACES, type CodedTable } from '../../core/storage/engine/cellTables.ts';
import { COUNTED, putBackTotals } from '../../core/storage/engine/codedRows.ts';
import { BASELINE_TABLES } from '../../core/storage/engine/migrations/0001_baseline/index.ts';
import type { Table } from '../../core/storage/engine/migrations/table.ts';
import { openPostgres } from '../../core/storage/engine/postgres/open.ts';
import { openKeysOf } from '../../core/storage/erasure/keyFile.ts';
import { migrateStore } from '../../core/storage/migration/migrateStore.ts';
import { filledHome, keyOf } from '../support/migratedHome.ts';
import { Comparisons, SIGNATURE_COMPARISONS } from '../../core/storage/screening/comparisons.ts';
import type { CompanyId } from '../../core/contracts/ids.ts';
import { TEST_CALIBRATION } from '../support/fakes.ts';
import { photoOf } from '../support/people.ts';
import { CREATE, dataUri, FINALIZE, openScreeningSite, SELFIE } from '../api/screeningSite.ts';
import { openHome, openStorage } from '../../core/storage/index.ts';
import { ApiTokens } from '../../core/storage/credentials/credentialRows.ts';
import { CodedError } from '../../core/contracts/errors/problem.ts';
import { requireLog } from '../../core/service/foundation.ts';
import { TYPES } from '../../core/storage/engine/postgres/pool.ts';
import { TEST_ACT } from '../support/act.ts';
import { newCompany, temporaryStorage } from '../support/site.ts';
import { newAddress, WITHOUT_SERVER } from '../support/testServer.ts';
import { until } from '../support/until.ts';

const TABLES: Record<string, Table> = BASELINE_TABLES;
const PAGE = join(import.meta.dirname, '../../docs/explanation/threat-model.md');
/** The log proves its entries by their hashes, and the head by its signature. */
const LOG = ['audit_entry', 'audit_head', 'audit_key'];
/** Computed from other rows: a damaged one is computed again. */
const NOT_IN_DIAGNOSIS = ['gallery_snapshot'];

/** Most of their rows have no note, and so nothing that is sealed for their place. */
const WITH_NOTES = [
  ...['case_entry', 'person', 'person_decision', 'validation_history', 'upload', 'upload_item'],
  'screening_match',
];

/** The columns of a table that nobody changes unnoticed without the key. */
function protectedColumns(table: string): string[] {
  const columns = TABLES[table]?.columns ?? {};
  const of = (lists: object) => new Map<string, readonly string[]>(Object.entries(lists)).get(table) ?? [];
  const bound = [...of(CODED), ...(WITH_NOTES.includes(table) ? [] : of(PLACES))];
  return Object.entries(columns)
    .filter(([name, { sql }]) => LOG.includes(table) || bound.includes(name) || sql.startsWith('blob'))
    .map(([name]) => name);
}

test('the page names every column that a writer of the server can change unnoticed', () => {
  const stated = new Map<string, string[]>();
  for (const [, table, columns] of readFileSync(PAGE, 'utf8').matchAll(/^\| `(\w+)` \| ([^|]+) \|/gm))
    stated.set(table!, columns!.match(/\w+/g)!.toSorted());
  const open = Object.entries(TABLES).map(([table, { columns }]) => {
    const guarded = protectedColumns(table);
    return [
      table,
      Object.keys(columns)
        .filter((name) => !guarded.includes(name))
        .toSorted(),
    ] as const;
  });
  assert.deepEqual(stated, new Map(open.filter(([, columns]) => columns.length > 0)));
});

test(
  'a protected value that is changed on the server is found, in every table',
  { skip: WITHOUT_SERVER },
  async (t) => {
    const home = await filledHome(t);
    const address = newAddress();
    await migrateStore(
      home,
      address,
      { now: () => new Date() },
      {
        confirm: () => Promise.resolve(true),
        progress: () => undefined,
        compareSearches: () => Promise.resolve(0),
      },
    );
    const db = await openPostgres(address, keyOf(home));
    await openKeysOf(home, db);
    const client = new pg.Client(address);
    await client.connect();
    t.after(async () => {
      await client.end();
      await db.destroy();
    });
    // No rule of the database is in the way.
    await client.query('set session_replication_role = replica');
    const { rows: checks } = await client.query<{ statement: string }>(
      `select format('alter table %s drop constraint %I', conrelid::regclass, conname) as statement
     from pg_constraint where contype = 'c' and connamespace = 'public'::regnamespace`,
    );
    for (const { statement } of checks) await client.query(statement);
    const health = new ServerHealth(db, false);
    const found = async (): Promise<string> => {
      const server = await health.server();
      const templates = await health.damagedTemplates();
      const log = await new AuditLog(db).verify([]).catch((cause: unknown) => ({ firstBad: String(cause) }));
      return JSON.stringify([
        ...server.changedRows,
        ...templates.faces.map(({ face, fault }) => `face ${face}: ${fault}`),
        ...(log.firstBad === null ? [] : [log.firstBad]),
      ]);
    };
    assert.equal(await found(), '[]', 'before any change');
    const missed: string[] = [];
    for (const table of Object.keys(TABLES)) {
      if (NOT_IN_DIAGNOSIS.includes(table)) continue;
      for (const column of protectedColumns(table)) {
        const { rows } = await client.query<{ at: string; kind: string; value: unknown }>(
          `select ctid::text as at, pg_typeof(${column})::text as kind, ${column} as value from ${table}
         ${table === 'image' ? 'where id in (select image_id from face join template on face_id = face.id)' : ''} limit 1`,
        );
        const [row] = rows;
        assert.ok(row !== undefined, `${table} has a row`);
        await client.query(`create temporary table kept as select * from ${table}`);
        const value = changed(row.kind, row.value);
        await client.query(`update ${table} set ${column} = $1 where ctid = $2`, [value, row.at]);
        if ((await found()) === '[]') missed.push(`${table}.${column}`);
        await client.query(`delete from ${table}; insert into ${table} select * from kept; drop table kept`);
      }
    }
    assert.deepEqual(missed, []);
    const comparisons = new Comparisons(db, new AuditLog(db), SIGNATURE_COMPARISONS);
    const { rows: kept } = await client.query<{ company_id: CompanyId; id: number }>(
      `select company_id, id::int from comparison where subject = 'signature'`,
    );
    assert.ok(kept[0] !== undefined, 'a comparison was recorded');
    const { company_id: company, id } = kept[0];
    const recorded = await comparisons.find(company, id);
    await client.query(`create temporary table copy as select * from comparison where id = $1`, [id]);
    await client.query(`update copy set id = id + 1000000; insert into comparison select * from copy`);
    await assert.rejects(comparisons.find(company, id + 1_000_000), RowDamaged);
    const listed = await comparisons.list(company, { limit: 1 });
    assert.deepEqual(listed, [recorded], 'the list goes on after the damaged record');
    await client.query(`delete from comparison where id = $1`, [id + 1_000_000]);
    assert.equal(await found(), '[]', 'after all changes were undone');
  },
);

/** Changes of rows, each with what undoes it, that would let a listed person pass or give a right to somebody. */
const CHANGES: Record<string, [string, string]> = {
  'the state of a list': ['update blacklist set status = 0', 'update blacklist set status = 1'],
  'the severity of a face': [
    `update face set severity = 'information' where kind = 'blacklist'`,
    `update face set severity = 'caution' where kind = 'blacklist'`,
  ],
  'the expiry of a face': [
    `update face set expires_at = 1 where kind = 'blacklist'`,
    `update face set expires_at = null where kind = 'blacklist'`,
  ],
  'the settings of a flow': [
    `update trust_flow_version set settings = settings || ' '`,
    `update trust_flow_version set settings = rtrim(settings)`,
  ],
  'the scopes of a token': [
    `update api_token set scopes = scopes || ' '`,
    `update api_token set scopes = rtrim(scopes)`,
  ],
};

test('a verification over a changed row is refused, never passed', { skip: WITHOUT_SERVER }, async (t) => {
  const { site, newBlacklist, newFlow, post } = await openScreeningSite(t);
  const list = await newBlacklist('Thieves', { people: [1] });
  const detection = { blacklistDetection: { enabled: true, blacklistIds: [list.id], action: 'review' } };
  const flow = await newFlow(detection);
  const client = new pg.Client(readFileSync(openHome(site.folder).databaseAddress, 'utf8').trim());
  await client.connect();
  t.after(() => client.end());
  const finalise = async (meanwhile: string): Promise<number> => {
    const created = await post(CREATE, { template_id: flow });
    const { id } = created.body.verification as { id: string };
    const selfie = { image: dataUri(photoOf(1, 99)), trust_flow_id: flow, trust_validation_id: id };
    assert.equal((await post(SELFIE, selfie)).status, 200);
    await client.query(meanwhile);
    return (await post(FINALIZE, { template_id: flow, verification_id: id })).status;
  };
  assert.equal(await finalise('select 1'), 200);
  for (const [what, [change, undo]] of Object.entries(CHANGES)) {
    assert.equal(await finalise(change), 503, what);
    await client.query(undo);
    assert.equal(await finalise('select 1'), 200, `${what}, undone`);
  }
});

test('rows that were deleted or put back on the server are named', { skip: WITHOUT_SERVER }, async (t) => {
  const { site, newBlacklist, newFlow } = await openScreeningSite(t);
  const { storage, folder, company } = site;
  const list = await newBlacklist('Thieves', { people: [1, 2] });
  await newFlow({ blacklistDetection: { enabled: true, blacklistIds: [list.id], action: 'review' } });
  const { operators, apiTokens, hmacKeys, storeHealth } = storage;
  const operator = { name: 'Ana', nameKey: 'ana', role: 'auditor', passphraseHash: 'a hash' } as const;
  const ana = await operators.create(company.id, operator, TEST_ACT);
  const credential = { name: 'gate', scopes: ['verify' as const], expiresAt: null };
  const token = await apiTokens.create(company.id, { ...credential, hash: randomBytes(32) }, TEST_ACT);
  const signing = { ...credential, userId: 'user_gate', secret: 'secret', profile: 'v1' } as const;
  await hmacKeys.create(company.id, signing, TEST_ACT);
  const calibration = {
    ...{ company: company.id, pipeline: site.engine.vision.pipelineId, calibration: TEST_CALIBRATION },
    ...{ people: 2, photos: 4, nonMatedPairs: 1, appliedAt: TEST_ACT.at },
    measured: { matedPairs: 1, failureToAcquire: 0, points: [], det: [], groups: null },
  };
  await storage.companyCalibrations.apply(calibration, TEST_ACT);
  const client = new pg.Client(readFileSync(openHome(folder).databaseAddress, 'utf8').trim());
  await client.connect();
  t.after(() => client.end());
  await client.query('set session_replication_role = replica');
  assert.ok(await storage.sessions.open(ana, randomBytes(32), 'a hash', TEST_ACT));
  await storage.recoveryCodes.replace(company.id, randomBytes(32), TEST_ACT);
  const other = { name: 'Other', signingKey: randomBytes(32), receivingKey: randomBytes(32) };
  await storage.trustedInstallations.trust(company.id, other, TEST_ACT);
  const named = async () => (await storeHealth.server())!.changedRows;
  assert.deepEqual(await named(), []);

  for (const table of COUNTED) {
    await client.query(`create temporary table kept as select * from ${table}`);
    const { rowCount: count } = await client.query(`select from kept`);
    await client.query(`delete from ${table} where ctid = (select min(ctid) from ${table})`);
    const lost = `${table} (company_id ${company.id}, rows written ${count}, found ${count! - 1})`;
    assert.deepEqual(await named(), [lost]);
    await client.query(`delete from ${table}; insert into ${table} select * from kept; drop table kept`);
    assert.deepEqual(await named(), [], table);
  }

  // An earlier passphrase alone does not fit the code.
  await client.query(`create temporary table former as select * from operator where id = ${ana.id}`);
  await operators.setPassphrase(company.id, ana.id, 'b hash', null, TEST_ACT);
  const putBack = (columns: string) =>
    client.query(`update operator set (${columns}) = (select ${columns} from former) where id = ${ana.id}`);
  await client.query(`create temporary table present as select * from operator where id = ${ana.id}`);
  await putBack('passphrase_hash');
  assert.deepEqual(await named(), [`operator (id ${ana.id}, company_id ${company.id})`]);
  await client.query(`drop table former; alter table present rename to former`);
  await putBack('passphrase_hash');
  assert.deepEqual(await named(), []);

  // What Vouch changes afterwards hides nothing.
  await client.query(`create temporary table listed as select * from face where kind = 'blacklist' limit 1`);
  await client.query(`create temporary table tokens as select * from api_token where id = ${token.id}`);
  await apiTokens.revoke(company.id, token.id, TEST_ACT);
  await operators.change(company.id, ana.id, { active: false }, TEST_ACT);
  assert.deepEqual(await named(), []);
  await client.query(
    `delete from api_token where id = ${token.id}; insert into api_token select * from tokens`,
  );
  await client.query(`delete from face where id in (select id from listed)`);
  await newBlacklist('Others', { people: [3] });
  const { rowCount: faces } = await client.query('select from face');
  const { rowCount: tokens } = await client.query('select from api_token');
  const found = (table: string, written: number, rows: number) =>
    `${table} (company_id ${company.id}, rows written ${written}, found ${rows})`;
  assert.deepEqual(await named(), [found('api_token', tokens!, tokens!), found('face', faces! + 1, faces!)]);
  await client.query(`delete from row_total`);
  assert.deepEqual(await named(), [`row_total (company_id ${company.id}, missing)`]);
});

test('rows that were put back with their total are noticed', { skip: WITHOUT_SERVER }, async (t) => {
  const { storage, folder } = await temporaryStorage(t);
  const company = await newCompany(storage, folder);
  const { apiTokens, rowTotals } = storage;
  const credential = { name: 'gate', hash: randomBytes(32), scopes: ['verify' as const], expiresAt: null };
  const token = await apiTokens.create(company.id, credential, TEST_ACT);
  const address = readFileSync(openHome(folder).databaseAddress, 'utf8').trim();
  const client = new pg.Client(address);
  await client.connect();
  t.after(() => client.end());
  await client.query('set session_replication_role = replica');
  const other = await openPostgres(address, keyOf(openHome(folder)));
  t.after(() => other.destroy());
  assert.deepEqual(await rowTotals.lost(), []);
  assert.deepEqual(await putBackTotals(other), [], 'another service has seen the totals');
  await client.query(`create table former_token as select * from api_token;
    create table former_total as select * from row_total`);
  await apiTokens.revoke(company.id, token.id, TEST_ACT);
  await client.query(`delete from api_token; insert into api_token select * from former_token;
    delete from row_total; insert into row_total select * from former_total`);

  const putBack = `row_total (company_id ${company.id}, put back)`;
  const named = async () => (await storage.storeHealth.server())!.changedRows;
  assert.deepEqual(await named(), [putBack]);
  assert.deepEqual(await rowTotals.lost(), [`row_total (company_id ${company.id})`]);
  // A service that has not seen the change goes on with the earlier total.
  const later = new ApiTokens(other, new AuditLog(other));
  for (const name of ['a', 'b'])
    await later.create(company.id, { ...credential, name, hash: randomBytes(32) }, TEST_ACT);
  assert.deepEqual(await named(), [putBack], 'what is written afterwards hides nothing');
  const next = { ...credential, name: 'c', hash: randomBytes(32) };
  await apiTokens.create(company.id, next, TEST_ACT);
  const unchanged = `api_token (company_id ${company.id}, rows written 3, found 4)`;
  assert.deepEqual(await named(), [putBack, unchanged], 'a total that was put back stays as it is');

  // The start after it, whose process has no memory.
  await storage.close();
  const reopened = await openStorage(openHome(folder), { now: () => new Date() });
  t.after(() => reopened.close());
  const refused = (code: string) => (error: unknown) =>
    error instanceof CodedError && error.problem.code === code;
  await assert.rejects(requireLog({ storage: reopened }), refused('ROWS_START_REFUSED'));
  const accepted = await reopened.rowTotals.accept(TEST_ACT);
  assert.deepEqual(
    accepted.map(({ rows }) => rows),
    [putBack, unchanged],
  );
  const [entry] = await reopened.audit.list(company.id, { limit: 1 });
  assert.equal(entry?.action, 'audit.rowsAccepted');
  assert.deepEqual(JSON.parse(entry.details), { row_total: [], api_token: [3, 4] });
  await requireLog({ storage: reopened });
  assert.deepEqual(await putBackTotals(other), [], 'the accepted totals follow from those of other services');
  await assert.rejects(reopened.rowTotals.accept(TEST_ACT), refused('ROWS_NOT_CHANGED'));
  await reopened.apiTokens.revoke(company.id, token.id, TEST_ACT);
  assert.deepEqual((await reopened.storeHealth.server())!.changedRows, []);
});

/** Waits until the service waits for a lock that another connection holds, or has ended. */
async function blocked(client: pg.Client, work: Promise<unknown>): Promise<void> {
  let isOver = false;
  work.then(
    () => (isOver = true),
    () => (isOver = true),
  );
  await until(async () => {
    const { rows } = await client.query<{ waiting: number }>(
      `select count(*) as waiting from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
    );
    return isOver || rows[0]!.waiting > 0;
  });
}

test(
  'what changes on the server during a change of Vouch gets no code',
  { skip: WITHOUT_SERVER },
  async (t) => {
    const { storage, folder } = await temporaryStorage(t);
    const company = await newCompany(storage, folder);
    const { operators, sessions, blacklists, apiTokens, companies, installation } = storage;
    const list = await blacklists.create(company.id, { name: 'Thieves', description: '' }, TEST_ACT);
    const operator = { name: 'Ana', nameKey: 'ana', role: 'auditor', passphraseHash: 'a hash' } as const;
    const ana = await operators.create(company.id, operator, TEST_ACT);
    const session = randomBytes(32);
    assert.ok(await sessions.open(ana, session, 'a hash', TEST_ACT));
    const credential = { name: 'gate', hash: randomBytes(32), scopes: ['verify' as const], expiresAt: null };
    const token = await apiTokens.create(company.id, credential, TEST_ACT);
    await installation.update({ requestsPerMinute: 100 }, TEST_ACT);
    const home = openHome(folder);
    const cells = new Cells(keyOf(home));
    const connectionString = readFileSync(home.databaseAddress, 'utf8').trim();
    const [writer, watcher] = [0, 1].map(() => new pg.Client({ connectionString, types: TYPES }));
    for (const client of [writer!, watcher!]) {
      await client.connect();
      t.after(() => client.end());
    }
    const { id } = company;
    const changes: [table: CodedTable, onServer: string, byVouch: () => Promise<unknown>][] = [
      ['operator_session', 'operator_id = operator_id + 1', () => sessions.confirm(session, ana, TEST_ACT)],
      ['blacklist', 'status = 0', () => blacklists.update(id, list.id, { description: 'new' }, TEST_ACT)],
      ['operator', `role = 'admin'`, () => operators.setPassphrase(id, ana.id, 'b hash', null, TEST_ACT)],
      [
        'operator',
        `passphrase_given_by = 'operator:9'`,
        () => operators.change(id, ana.id, { active: true }, TEST_ACT),
      ],
      ['api_token', `scopes = '["enroll"]'`, () => apiTokens.revoke(id, token.id, TEST_ACT)],
      [
        'company',
        `storage_folder = '/x'`,
        () => companies.changeSettings(id, { secondOperator: true }, TEST_ACT),
      ],
      ['installation_settings', `installation_id = 'x'`, () => installation.update({}, TEST_ACT)],
    ];
    for (const [table, onServer, byVouch] of changes) {
      await watcher!.query(`create temporary table kept as select * from ${table}`);
      await writer!.query('begin; set local session_replication_role = replica');
      await writer!.query(`update ${table} set ${onServer}`);
      const work = byVouch();
      await blocked(watcher!, work);
      await writer!.query('commit');
      await work.catch(() => undefined);
      const { rows } = await watcher!.query<Record<string, unknown>>(`select * from ${table}`);
      assert.ok(
        rows.some((row) => cells.faultOf(table, row) !== undefined),
        `${table}: ${onServer}`,
      );
      await watcher!.query(`set session_replication_role = replica; delete from ${table};
      insert into ${table} select * from kept; drop table kept`);
    }
  },
);

function changed(kind: string, value: unknown): unknown {
  if (value === null) return kind === 'text' ? 'x' : kind === 'bytea' ? Buffer.alloc(32) : 1;
  if (value instanceof Buffer) {
    const copy = Buffer.from(value);
    copy[copy.length - 1]! ^= 1;
    return copy;
  }
  return typeof value === 'string' && kind === 'text' ? `${value}x` : String(Number(value) + 1000);
}
