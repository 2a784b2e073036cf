import { sql, type Kysely } from 'kysely';

/** The error rates and the DET curve that a calibration was applied with. Older ones kept their thresholds alone. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw(`alter table site_calibration add column measured text`).execute(db);
}
