import { sql, type Kysely } from 'kysely';

/** How each operator wants the dashboard to look. Beside the operators, not in them: it is nothing one signs in with. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql
    .raw(
      `create table operator_appearance (
         operator_id integer primary key references operator (id) on delete cascade,
         company_id integer not null,
         choice text not null
       ) strict`,
    )
    .execute(db);
}
