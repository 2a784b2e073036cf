/** Removal of the tables that a migration to SQLite left on a PostgreSQL server. */
import pg from 'pg';
import { TOPICS_OF_TABLES } from '../changes.ts';
import { parseAddress, briefConfigOf } from './address.ts';
import { SERVICE_LOCK } from './scopes.ts';

/** Tables that PostgreSQL alone has, and those of the migrator. */
const OTHER_TABLES = [
  'key_file',
  'deleted_key',
  'node',
  'gallery_change',
  'gallery_mark',
  'request_count',
  'kysely_migration',
  'kysely_migration_lock',
];

/**
 * Drops the tables and functions of an installation, all or nothing.
 * @param address see `parseAddress` @param installation its id, by which the database of another one is left alone
 * @throws {Error} the server cannot be reached, a service uses the database, or it is of another installation
 */
export async function dropInstallation(address: string, installation: string): Promise<void> {
  const server = parseAddress(address);
  const client = new pg.Client(briefConfigOf(server));
  client.on('error', () => undefined);
  await client.connect();
  try {
    await client.query('begin');
    const lock = `select pg_try_advisory_xact_lock(${SERVICE_LOCK}) as held`;
    const { rows: locks } = await client.query<{ held: boolean }>(lock);
    if (locks[0]?.held !== true) throw new Error(`A service uses the database ${server.label}.`);
    const { rows: found } = await client.query<{ name: string | null }>(
      `select to_regclass('installation_settings')::text as name`,
    );
    if (found[0]?.name != null) await dropTables(client, server.label, installation);
    await client.query('commit');
  } finally {
    await client.end();
  }
}

async function dropTables(client: pg.Client, label: string, installation: string): Promise<void> {
  const { rows } = await client.query<{ id: string }>(
    'select installation_id as id from installation_settings',
  );
  if (rows[0]?.id !== installation) throw new Error(`The database ${label} is of another installation.`);
  const tables = [...Object.keys(TOPICS_OF_TABLES), ...OTHER_TABLES].map((name) => pg.escapeIdentifier(name));
  await client.query(`drop table if exists ${tables.join(', ')} cascade`);
  // The functions of their triggers and of the index of names remain.
  await client.query(`do $$ declare trigger_function regprocedure; begin
    for trigger_function in select oid from pg_proc where pronamespace = 'public'::regnamespace
      and (prorettype = 'trigger'::regtype or proname = 'search_trigrams') and pg_get_userbyid(proowner) = current_user
    loop execute 'drop function ' || trigger_function; end loop; end $$`);
}
