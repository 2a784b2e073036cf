/** Makes one copy of the database, checks it, and ends. */
import { workerData } from 'node:worker_threads';
import { openRaw } from '../engine/sqliteFile.ts';

const { database, key, file } = workerData as { database: string; key: Uint8Array; file: string };

const source = openRaw(database, key, { readonly: true });
source.prepare('vacuum into ?').run([file]);
source.close();
const copy = openRaw(file, key, { readonly: true });
const verdict = JSON.stringify(copy.pragma('quick_check'));
copy.close();
if (verdict !== '[{"quick_check":"ok"}]')
  throw new Error(`The database is damaged; restore an earlier backup. SQLite says: ${verdict}`);
