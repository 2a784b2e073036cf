/** Connections to the database of a home that the open store does not know. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { keyIn, openHome } from '../../core/storage/engine/home.ts';
import { openRaw } from '../../core/storage/engine/sqliteFile.ts';
import { TEST_SERVER } from './testServer.ts';

/** The time of the database in milliseconds since 1970, as SQL. */
export const DATABASE_TIME =
  TEST_SERVER === undefined
    ? 'unixepoch() * 1000'
    : 'cast(extract(epoch from clock_timestamp()) * 1000 as bigint)';

/** A second connection to the database of a home. */
export interface OtherConnection {
  /** @param statement SQL that both databases know */
  run(statement: string): Promise<void>;
  /** The whole numbers that a query answers in its one column `id`. */
  ids(query: string): Promise<number[]>;
  close(): Promise<void>;
}

/** Opens a connection as another process would. */
export async function connectBeside(home: string): Promise<OtherConnection> {
  if (TEST_SERVER === undefined) {
    const { database, keyFile } = openHome(home);
    const db = openRaw(database, keyIn(keyFile)!);
    return {
      run: (statement) => {
        db.exec(statement);
        return Promise.resolve();
      },
      ids: (query) => Promise.resolve((db.prepare(query).all([]) as { id: number }[]).map(({ id }) => id)),
      close: () => {
        db.close();
        return Promise.resolve();
      },
    };
  }
  const client = new pg.Client({ connectionString: readFileSync(join(home, 'database.url'), 'utf8').trim() });
  await client.connect();
  return {
    run: async (statement) => {
      await client.query(statement);
    },
    ids: async (query) => (await client.query<{ id: string }>(query)).rows.map(({ id }) => Number(id)),
    close: () => client.end(),
  };
}

/** Changes rows of a home in a connection of its own. @param statement SQL that both databases know */
export async function asAnotherProcess(home: string, statement: string): Promise<void> {
  const other = await connectBeside(home);
  await other.run(statement);
  await other.close();
}
