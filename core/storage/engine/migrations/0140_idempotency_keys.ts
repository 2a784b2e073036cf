import { createHash } from 'node:crypto';
import { sql, type Kysely } from 'kysely';

/** Keys of uploads are kept as SHA-256: whoever sent one may have made it of a name. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const { rows } = await sql<{ id: string; idempotency_key: string }>`
    select id, idempotency_key from upload where idempotency_key is not null`.execute(db);
  for (const { id, idempotency_key: key } of rows) {
    const hash = createHash('sha256').update(key).digest('hex');
    await sql`update upload set idempotency_key = ${hash} where id = ${id}`.execute(db);
  }
}
