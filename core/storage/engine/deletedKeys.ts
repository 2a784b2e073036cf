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

/** The keys that were recorded. A row that was changed on the server is left out. @param which `all`: also those that were destroyed */
export async function deletedKeys(
  db: Database | Transaction,
  which: 'all' | 'waiting',
): Promise<{ ids: number[]; leaves: Leaf[] }> {
  const { rows } = await sql<{ id: number; content: Uint8Array }>`
    select id, content from deleted_key where ${which === 'all'} or destroyed = 0 order by id`.execute(db);
  const cells = cellsOf(db);
  const opened = rows.flatMap(({ id, content }) => {
    const leaves = cells.openedFile(DELETED, content);
    return leaves === undefined ? [] : [{ id, leaves: leavesIn(Buffer.from(leaves)) }];
  });
  return { ids: opened.map(({ id }) => id), leaves: opened.flatMap(({ leaves }) => leaves) };
}
