import { sql, type Kysely } from 'kysely';

/** Indexes for what the dashboard asks of all images and uploads at once: their sum, and the oldest that is open. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const statements = [
    `create index upload_open on upload (created_at) where completed_at is null`,
    // Holds the sizes too, so a sum reads no row.
    `create index image_company_bytes on image (company_id, bytes)`,
    `drop index image_company`,
  ];
  for (const statement of statements) await sql.raw(statement).execute(db);
}
