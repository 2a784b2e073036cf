import { sql, type Kysely } from 'kysely';

/**
 * The faces of a company in the order of their ids. Without it a page of them was found by sorting all that were left, so
 * that reading a million took five times as long for each as reading sixty thousand.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw(`create index face_company on face (company_id, id)`).execute(db);
}
