import { randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** The PostgreSQL server that `npm run test:postgres` started, as `postgres://user@host:port/`; undefined: SQLite is tested. */
export const TEST_SERVER = process.env.VOUCH_TEST_POSTGRES;

/** For a test that needs the server: why it is skipped, or false. */
export const WITHOUT_SERVER = TEST_SERVER === undefined && 'it needs PostgreSQL: npm run test:postgres';
/** For a test of the SQLite file. */
export const WITHOUT_FILE = TEST_SERVER !== undefined && 'it tests the file of SQLite';

/** The address of a database that no other test uses. The first start creates it. */
export function newAddress(): string {
  return `${TEST_SERVER}t_${randomBytes(12).toString('hex')}`;
}

/** Gives a home that will be made in this folder a database of its own on the server, if there is one. */
export function keepTestAddress(folder: string): void {
  if (TEST_SERVER !== undefined) writeFileSync(join(folder, 'database.url'), `${newAddress()}\n`);
}
