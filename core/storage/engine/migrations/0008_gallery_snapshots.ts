import { sql, type Kysely } from 'kysely';

/**
 * The gallery's snapshots, and the triggers that keep them true: whatever changes a matchable face removes the
 * snapshot of its range in the same transaction. New faces get higher ids than any snapshot covers, so enrolment
 * removes none; an erased face takes its snapshot with it (and `secure_delete` overwrites it).
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  const covers = (face: string) => `after_face < ${face} and up_to_face >= ${face}`;
  const ofTemplate = (row: string) =>
    `delete from gallery_snapshot
     where company_id = ${row}.company_id and pipeline_id = ${row}.pipeline_id and ${covers(`${row}.face_id`)};`;
  const ofFace = (row: string) =>
    `delete from gallery_snapshot where company_id = ${row}.company_id and ${covers(`${row}.id`)};`;
  const statements = [
    `create table gallery_snapshot (
       company_id integer not null references company (id) on delete cascade,
       pipeline_id text not null,
       after_face integer not null,
       up_to_face integer not null,
       content blob not null,
       primary key (company_id, pipeline_id, up_to_face)
     ) strict`,
    `create index gallery_snapshot_range on gallery_snapshot (company_id, up_to_face, after_face, pipeline_id)`,
    `create trigger gallery_snapshot_template_insert after insert on template
     begin ${ofTemplate('new')} end`,
    `create trigger gallery_snapshot_template_delete after delete on template
     begin ${ofTemplate('old')} end`,
    `create trigger gallery_snapshot_template_update after update on template
     begin ${ofTemplate('old')} ${ofTemplate('new')} end`,
    `create trigger gallery_snapshot_face_update
     after update of id, company_id, kind, blacklist_id, matchable on face
     begin ${ofFace('old')} ${ofFace('new')} end`,
  ];
  for (const statement of statements) await sql.raw(statement).execute(db);
}
