import { sql, type Kysely } from 'kysely';

/**
 * What the dashboard's lists and counts look for: a day's validations, and comparisons by
 * the caller's references. Comparisons keep the hashes of both files from now on, so that a report can name them.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  const statements = [
    `create index trust_validation_day on trust_validation (company_id, created_at)`,
    `alter table comparison add column image1_sha256 text`,
    `alter table comparison add column image2_sha256 text`,
    `create index comparison_template on comparison (company_id, template_id, id)`,
    `create index comparison_verification on comparison (company_id, verification_id, id)`,
    `create index comparison_day on comparison (company_id, compared_at)`,
  ];
  for (const statement of statements) await sql.raw(statement).execute(db);
}
