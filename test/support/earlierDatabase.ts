/** A database that is put back to an earlier state. */
import { copyFileSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { openHome } from '../../core/storage/index.ts';
import { newAddress, TEST_SERVER } from './testServer.ts';

/** Keeps the database of a home that no process has open. @returns puts it back; nobody may have it open then */
export async function keepDatabase(folder: string): Promise<() => void> {
  if (TEST_SERVER === undefined) {
    const [database, copy] = [join(folder, 'vouch.db'), join(folder, 'copy')];
    copyFileSync(database, copy);
    return () => {
      rmSync(`${database}-wal`, { force: true });
      copyFileSync(copy, database);
    };
  }
  const { databaseAddress: file } = openHome(folder);
  const nameOf = (address: string) => new URL(address).pathname.slice(1);
  const [earlier, address] = [newAddress(), readFileSync(file, 'utf8').trim()];
  const client = new pg.Client(`${TEST_SERVER}postgres`);
  await client.connect();
  await client.query(`create database ${nameOf(earlier)} template ${nameOf(address)}`);
  await client.end();
  return () => {
    writeFileSync(file, address.replace(nameOf(address), nameOf(earlier)));
  };
}
