import { rm, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { AuditAnchor } from '../../contracts/audit.ts';
import type { CompanyId, ImageId } from '../../contracts/ids.ts';
import type { AuditHead } from '../../domain/ports/auditEntry.ts';
import { openRaw } from '../engine/sqliteFile.ts';

const PREFIX = 'snapshot-';
/** Of folders in a home in which an update tries a new version on a copy. */
export const TRIAL_PREFIX = 'trial-';

/** A copy of the database as it was at one moment, encrypted with the same key. */
export interface Snapshot {
  file: string;
  /** In no particular order. */
  images(): Iterable<SnapshotImage>;
  /** The newest audit entry that the copy holds. */
  head(at: Date): AuditAnchor | null;
  remove(): Promise<void>;
}

export interface SnapshotImage {
  id: ImageId;
  company: CompanyId;
  /** As the company's row has it. */
  storedIn: string | null;
  key: Uint8Array;
}

/**
 * Copies the database while others write to it. In a thread of its own: the copy is one long call of SQLite, and the
 * service continues to answer. What was deleted is not in the copy, not even as overwritten pages.
 * @throws when the copy fails SQLite's own check
 */
export async function takeSnapshot(home: string, database: string, key: Uint8Array): Promise<Snapshot> {
  const file = join(home, `${PREFIX}${crypto.randomUUID()}.db`);
  const remove = () => rm(file, { force: true });
  try {
    await inThread({ database, key, file });
  } catch (cause) {
    await remove();
    throw cause;
  }
  return {
    file,
    remove,
    head(at) {
      const db = openRaw(file, key, { readonly: true });
      const [row] = db.prepare('select sequence, hash, signature from audit_head').all([]) as AuditHead[];
      db.close();
      if (row === undefined) return null;
      const [hash, signature] = [row.hash, row.signature].map((one) => Buffer.from(one).toString('hex'));
      return { sequence: row.sequence, hash: hash!, at: at.toISOString(), signature: signature! };
    },
    *images() {
      const db = openRaw(file, key, { readonly: true });
      try {
        const rows = db.prepare(
          `select image.id, image.company_id as company, company.storage_folder as storedIn, image.key
           from image join company on company.id = image.company_id`,
        );
        yield* rows.iterate([]) as Iterable<SnapshotImage>;
      } finally {
        db.close();
      }
    },
  };
}

/** Copies that a crash left in the home. */
export async function removeOldSnapshots(home: string): Promise<void> {
  for (const name of await readdir(home))
    if (name.startsWith(PREFIX) || name.startsWith(TRIAL_PREFIX))
      await rm(join(home, name), { recursive: true, force: true });
}

async function inThread(workerData: { database: string; key: Uint8Array; file: string }): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<undefined>();
  const thread = new Worker(new URL('./snapshotWorker.ts', import.meta.url), { workerData });
  thread.on('error', reject);
  thread.on('exit', (code) => {
    if (code === 0) resolve(undefined);
    else reject(new Error(`The copy of the database ended with ${code}.`));
  });
  await promise;
}
