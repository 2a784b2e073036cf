/**
 * Reads every page of a database and says what is wrong with it; then ends. Not `integrity_check`: comparing every index
 * with its table takes many times as long, and a page that was not written by SQLite does not decrypt.
 */
import { parentPort, workerData } from 'node:worker_threads';
import Sqlite from 'better-sqlite3-multiple-ciphers';
import { unlock } from '../engine/cipher.ts';

/** More than this many faults say nothing more. */
const MAX_PROBLEMS = 20;

const { file, key } = workerData as { file: string; key: Uint8Array };

function faults(): string[] {
  const database = new Sqlite(file, { readonly: true });
  try {
    unlock(database, key);
    const found = database.pragma(`quick_check(${MAX_PROBLEMS})`) as { quick_check: string }[];
    return found.map((row) => row.quick_check).filter((text) => text !== 'ok');
  } catch (error) {
    // A page whose checksum is wrong ends the reading.
    return [error instanceof Error ? `${error.message}.` : String(error)];
  } finally {
    database.close();
  }
}

parentPort?.postMessage(faults());
