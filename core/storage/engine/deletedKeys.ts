/** The table `deleted_key` of PostgreSQL: the keys of what was deleted without an erasure. */
import { sql } from 'kysely';
import { cellsOf } from './cells.ts';
import { send, type Database, type Transaction } from './database.ts';
import { leavesIn, type Leaf } from './erasableKeys.ts';

/** Binds the keys of a row of `deleted_key` to their purpose. */
const DELETED = 'keys of deleted rows';

/** The services destroy these keys within a minute of COMMIT. */
export async function recordDeletedKeys(trx: Transaction, leaves: readonly Leaf[]): Promise<void> {
  if (leaves.length === 0) return;
  const content = cellsOf(trx).sealedFile(DELETED, Buffer.concat(leaves));
  await send(trx, sql`insert into deleted_key (content) values (${content})`.compile(trx));
}

/** The keys that were recorded. `damaged`: rows that were changed on the server, whose keys are unknown. @param which `all`: also those that were destroyed */
export async function deletedKeys(
  db: Database | Transaction,
  which: 'all' | 'waiting',
): Promise<{ ids: number[]; leaves: Leaf[]; damaged: number[] }> {
  const { rows } = await sql<{ id: number; content: Uint8Array }>`
    select id, content from deleted_key where ${which === 'all'} or destroyed = 0 order by id`.execute(db);
  const cells = cellsOf(db);
  const found = { ids: [] as number[], leaves: [] as Leaf[], damaged: [] as number[] };
  for (const { id, content } of rows) {
    const leaves = cells.openedFile(DELETED, content);
    (leaves === undefined ? found.damaged : found.ids).push(id);
    if (leaves !== undefined) found.leaves.push(...leavesIn(Buffer.from(leaves)));
  }
  return found;
}
