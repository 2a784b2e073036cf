/** The guarantees of the store on a PostgreSQL server: `npm run test:postgres` runs these tests. */
import { cellsOf } from '../cells.ts';
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { createServer, connect, type AddressInfo } from 'node:net';
import { once } from 'node:events';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import pg from 'pg';
import { sql, type Kysely } from 'kysely';
import { temporaryFolder } from '../../../../test/support/site.ts';
import { newAddress, WITHOUT_SERVER } from '../../../../test/support/testServer.ts';
import { CHANGE_TOPICS, type ChangeTopic } from '../changes.ts';
import type { CompanyId } from '../../../contracts/ids.ts';
import { UnavailableError } from '../../../domain/ports/machine.ts';
import { changesOf, writing, type Scope } from '../database.ts';
import { openDatabase } from '../sqliteFile.ts';
import { HomeLocked } from '../refusals.ts';
import type { Schema } from '../schema.ts';
import { openPostgres } from './open.ts';

/** Ends the connections of this database that hold an advisory lock: those by which services and commands are known. */
const END_LOCK_HOLDERS = `select pg_terminate_backend(pid, 5000) from pg_locks join pg_database on oid = database
  where locktype = 'advisory' and pid <> pg_backend_pid() and datname = current_database()`;

const KEY = randomBytes(32);

async function open(t: TestContext, address = newAddress()): Promise<Kysely<Schema>> {
  const db = await openPostgres(address, KEY);
  t.after(() => db.destroy());
  return db;
}

/** Runs statements as another program does. */
async function asAdministrator<T>(address: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client(address);
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

function insertCompany(db: Kysely<Schema>, name: string): Promise<unknown> {
  return writing(db, 'installation', (trx) =>
    trx.insertInto('company').values({ name, settings: '{}', created_at: 0 }).execute(),
  );
}

/** The collation of a server may sort names otherwise. */
function byName<T extends { name: string }>(rows: readonly T[]): T[] {
  return rows.toSorted((a, b) => (a.name < b.name ? -1 : 1));
}

const TYPES: Record<string, string> = {
  INTEGER: 'bigint',
  REAL: 'double precision',
  TEXT: 'text',
  BLOB: 'bytea',
};

test(
  'both databases have the same tables, columns, keys and references',
  { skip: WITHOUT_SERVER },
  async (t) => {
    const file = await openDatabase(join(temporaryFolder(t), 'schema.db'), KEY);
    t.after(() => file.destroy());
    const server = await open(t);
    const columns = await sql<{ name: string; type: string; required: number }>`
    select m.name || '.' || c.name as name, c.type, (c."notnull" or c.pk > 0) as required
    from sqlite_master m join pragma_table_info(m.name) c
    where m.type = 'table' and m.sql like '%strict%' order by 1`.execute(file);
    const own = await sql<{ name: string; type: string; required: number }>`
    select c.relname || '.' || a.attname as name, format_type(a.atttypid, null) as type, a.attnotnull as required
    from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
    where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and c.relname not like 'kysely%'
      and c.relname not in ('gallery_change', 'gallery_mark', 'key_file', 'deleted_key', 'node', 'request_count')`.execute(
      server,
    );
    assert.deepEqual(
      byName(own.rows),
      byName(columns.rows.map(({ type, ...column }) => ({ ...column, type: TYPES[type] }))),
    );
    const references = await sql<{ name: string }>`
    select m.name || '.' || f."from" || ' ' || f."table" || ' ' || lower(f.on_delete) as name
    from sqlite_master m join pragma_foreign_key_list(m.name) f where m.type = 'table' order by 1`.execute(
      file,
    );
    const ownReferences = await sql<{ name: string }>`
    select c.conrelid::regclass || '.' || a.attname || ' ' || c.confrelid::regclass || ' ' ||
      case c.confdeltype when 'a' then 'no action' when 'c' then 'cascade' when 'n' then 'set null' end as name
    from pg_constraint c join unnest(c.conkey) k on true
    join pg_attribute a on a.attrelid = c.conrelid and a.attnum = k
    where c.contype = 'f'`.execute(server);
    assert.deepEqual(byName(ownReferences.rows), byName(references.rows));
  },
);

test('both databases have the same indexes and triggers', { skip: WITHOUT_SERVER }, async (t) => {
  const file = await openDatabase(join(temporaryFolder(t), 'schema.db'), KEY);
  t.after(() => file.destroy());
  const server = await open(t);
  const names = async (db: Kysely<Schema>, query: string) =>
    (await sql.raw<{ name: string }>(query).execute(db)).rows.map(({ name }) => name).toSorted();
  const inFile = await names(
    file,
    `select name from sqlite_master where type in ('index', 'trigger') and sql is not null and name not like 'trust_validation_name%' and name not like 'person_name%'`,
  );
  const onServer = await names(
    server,
    `select c.relname as name from pg_index i join pg_class c on c.oid = i.indexrelid
       where c.relnamespace = 'public'::regnamespace and not exists (select 1 from pg_constraint where conindid = c.oid)
         and c.relname not like 'kysely%'
     union all select tgname from pg_trigger where not tgisinternal and tgname not like '%\\_changed'`,
  );
  const ownToServer = [
    ...['audit_entry_no_truncate', 'audit_key_no_truncate', 'trust_validation_name', 'person_name'],
    ...['gallery_change_face', 'gallery_change_pipeline', 'gallery_change_template'],
    ...['gallery_change_transaction', 'deleted_key_waiting'],
  ];
  assert.deepEqual(
    onServer.filter((name) => !ownToServer.includes(name)),
    inFile,
  );
  assert.deepEqual(
    ownToServer.filter((name) => !onServer.includes(name)),
    [],
  );
});

test('the server never has bytes of a template or a key in clear', { skip: WITHOUT_SERVER }, async (t) => {
  const address = newAddress();
  const db = await open(t, address);
  const row = await db.selectFrom('audit_key').selectAll().executeTakeFirstOrThrow();
  const key = cellsOf(db).open('audit_key', 'private_key', row);
  const stored = await asAdministrator(address, async (client) => {
    const { rows } = await client.query<{ private_key: Buffer }>('select private_key from audit_key');
    return rows[0]!.private_key;
  });
  assert.ok(!stored.includes(Buffer.from(key).subarray(0, 16)));
  assert.equal(stored.length, key.length + 28);
  await db.destroy();
  await assert.rejects(openPostgres(address, randomBytes(32)), /the store key is a different one/);
});

test('the audit log cannot be changed, deleted or truncated', { skip: WITHOUT_SERVER }, async (t) => {
  const db = await open(t);
  for (const statement of [
    `update audit_key set id = 1`,
    `delete from audit_key`,
    `truncate audit_key`,
    `truncate audit_entry`,
  ])
    await assert.rejects(sql.raw(statement).execute(db), /is never/, statement);
});

test('services share a database that a command cannot have alone', { skip: WITHOUT_SERVER }, async (t) => {
  const address = newAddress();
  const [first, second] = await Promise.all([openPostgres(address, KEY), openPostgres(address, KEY)]);
  await insertCompany(first, 'first');
  await insertCompany(second, 'second');
  await first.destroy();
  await assert.rejects(openPostgres(address, KEY, { use: 'alone' }), HomeLocked);
  await second.destroy();
  const alone = await openPostgres(address, KEY, { use: 'alone' });
  t.after(() => alone.destroy());
  await assert.rejects(openPostgres(address, KEY), HomeLocked);
  await insertCompany(alone, 'third');
  const rows = await alone.selectFrom('company').select('name').orderBy('id').execute();
  assert.deepEqual(
    rows.map(({ name }) => name),
    ['first', 'second', 'third'],
  );
});

test(
  'a service writes nothing while a command has the database alone',
  { skip: WITHOUT_SERVER },
  async (t) => {
    const address = newAddress();
    const service = await open(t, address);
    const alone = await asAdministrator(address, async (client) => {
      await client.query(END_LOCK_HOLDERS);
      return openPostgres(address, KEY, { use: 'alone' });
    });
    await assert.rejects(insertCompany(service, 'refused'), UnavailableError);
    await alone.destroy();
    await insertCompany(service, 'kept');
    const rows = await service.selectFrom('company').select('name').execute();
    assert.deepEqual(rows, [{ name: 'kept' }]);
  },
);

test('a command that lost the database writes nothing more', { skip: WITHOUT_SERVER }, async (t) => {
  const address = newAddress();
  const alone = await openPostgres(address, KEY, { use: 'alone' });
  t.after(() => alone.destroy());
  await insertCompany(alone, 'kept');
  await asAdministrator(address, (client) => client.query(END_LOCK_HOLDERS));
  await (await openPostgres(address, KEY)).destroy();
  await assert.rejects(insertCompany(alone, 'refused'), /Run the command again/);
});

test(
  'transactions of one scope run one after the other among services',
  { skip: WITHOUT_SERVER },
  async (t) => {
    const address = newAddress();
    const services = [await open(t, address), await open(t, address)];
    await insertCompany(services[0]!, 'a');
    const count = (db: Kysely<Schema>, scope: Scope) =>
      writing(db, scope, async (trx) => {
        const { created_at } = await trx.selectFrom('company').select('created_at').executeTakeFirstOrThrow();
        await trx
          .updateTable('company')
          .set({ created_at: created_at + 1 })
          .execute();
      });
    const scopes: Scope[] = [1 as CompanyId, 'installation', 1 as CompanyId, 'installation'];
    await Promise.all(
      [...scopes, ...scopes, ...scopes].flatMap((scope) => services.map((db) => count(db, scope))),
    );
    const rows = await services[1]!.selectFrom('company').select('created_at').execute();
    assert.deepEqual(rows, [{ created_at: 24 }]);
  },
);

test(
  'companies are written side by side, but not beside the installation',
  { skip: WITHOUT_SERVER },
  async (t) => {
    const db = await open(t);
    const order: string[] = [];
    await writing(db, 1 as CompanyId, async () => {
      await writing(db, 2 as CompanyId, () => order.push('company 2'));
      await writing(db, 'unlocked', () => order.push('unlocked'));
      const installation = writing(db, 'installation', async (trx) => {
        // The lock comes with the first statement.
        await sql`select 1`.execute(trx);
        order.push('installation');
      });
      await sql`select pg_sleep(0.1)`.execute(db);
      order.push('company 1');
      return { installation };
    }).then(({ installation }) => installation);
    assert.deepEqual(order, ['company 2', 'unlocked', 'company 1', 'installation']);
  },
);

test(
  'a service hears what another one commits, and that it may have missed something',
  { skip: WITHOUT_SERVER },
  async (t) => {
    const address = newAddress();
    const [one, other] = [await open(t, address), await open(t, address)];
    await insertCompany(one, 'a');
    const reported: ChangeTopic[][] = [];
    let wake = (): void => undefined;
    changesOf(other).subscribe(1 as CompanyId, (topics) => {
      reported.push([...topics]);
      wake();
    });
    const next = () =>
      new Promise<void>((resolve) => {
        wake = resolve;
      });
    const heard = next();
    await writing(one, 'installation', (trx) =>
      trx.updateTable('installation_settings').set({ settings: '{}' }).execute(),
    );
    await heard;
    assert.deepEqual(reported.splice(0), [['queue']]);
    const reconnected = next();
    await asAdministrator(address, (client) => client.query(END_LOCK_HOLDERS));
    await reconnected;
    assert.deepEqual(reported, [[...CHANGE_TOPICS]]);
  },
);

test(
  'a table may be changed beside a service that has prepared statements',
  { skip: WITHOUT_SERVER },
  async (t) => {
    const address = newAddress();
    const db = await open(t, address);
    await insertCompany(db, 'kept');
    const read = () =>
      db
        .selectFrom('company')
        .selectAll()
        .where('id', '=', 1 as CompanyId)
        .execute();
    for (let use = 0; use < 5; use += 1) await read();
    await asAdministrator(address, (client) => client.query('alter table company add column later bigint'));
    await assert.rejects(read(), UnavailableError);
    assert.deepEqual(
      (await read()).map(({ name }) => name),
      ['kept'],
    );
  },
);

test(
  'a lost connection fails the transaction, and the next one connects',
  { skip: WITHOUT_SERVER },
  async (t) => {
    const address = newAddress();
    const db = await open(t, address);
    const cut = writing(db, 'installation', async (trx) => {
      await trx.insertInto('company').values({ name: 'lost', settings: '{}', created_at: 0 }).execute();
      await asAdministrator(address, (client) =>
        client.query(
          `select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()`,
        ),
      );
      await trx.selectFrom('company').select('id').execute();
    });
    await assert.rejects(cut, UnavailableError);
    await insertCompany(db, 'kept');
    const rows = await db.selectFrom('company').select('name').execute();
    assert.deepEqual(rows, [{ name: 'kept' }]);
  },
);

test('a COMMIT whose answer is lost is known to have happened', { skip: WITHOUT_SERVER }, async (t) => {
  const proxy = await dropAfterCommit(t, newAddress());
  const db = await open(t, proxy.address);
  proxy.arm();
  await insertCompany(db, 'kept');
  assert.equal(proxy.dropped(), 1);
  const rows = await db.selectFrom('company').select('id').execute();
  assert.deepEqual(rows, [{ id: 1 as CompanyId }]);
});

/** A server between that, once armed, passes the next COMMIT on and closes the connection instead of its answer. */
async function dropAfterCommit(t: TestContext, address: string) {
  const target = new URL(address);
  let armed = false;
  let dropped = 0;
  const server = createServer((socket) => {
    const upstream = connect(Number(target.port), target.hostname);
    let isDropping = false;
    socket.on('data', (bytes) => {
      if (armed && bytes.includes('commit\0')) {
        armed = false;
        isDropping = true;
      }
      upstream.write(bytes);
    });
    upstream.on('data', (bytes) => {
      if (!isDropping) socket.write(bytes);
      else {
        dropped += 1;
        socket.destroy();
        upstream.destroy();
      }
    });
    for (const [end, other] of [
      [socket, upstream],
      [upstream, socket],
    ] as const) {
      end.on('error', () => other.destroy());
      end.on('close', () => other.destroy());
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => server.close());
  const through = new URL(address);
  through.port = String((server.address() as AddressInfo).port);
  return {
    address: through.href,
    arm: () => {
      armed = true;
    },
    dropped: () => dropped,
  };
}
