/**
 * The table by which the galleries of several services follow one PostgreSQL database. Each row names a face that a transaction
 * made matchable, unmatchable or changed, with the id of the transaction: what a service has not seen yet is what its last
 * snapshot of the database does not show. SQLite has one service and no such table.
 */

/** @param row `old` or `new` @param face its column of the face, or null */
const note = (row: string, face: string | null): string =>
  `insert into gallery_change (company_id, face_id) values (${row}.company_id, ${face === null ? 'null' : `${row}.${face}`});`;

/** The columns of a face that decide whether and where it matches. */
const MATCHING = ['id', 'company_id', 'kind', 'blacklist_id', 'matchable'];
const listOf = (row: string): string => MATCHING.map((column) => `${row}.${column}`).join(', ');

/** A function of a trigger that notes the row before a change, the row after it, or both. */
const noting = (name: string, face: string | null): string =>
  `create function ${name}() returns trigger language plpgsql as $$ begin
     if tg_op <> 'INSERT' then ${note('old', face)} end if;
     if tg_op <> 'DELETE' then ${note('new', face)} end if;
     return null;
   end $$`;

export const galleryChanges: readonly string[] = [
  // A row without a face: another pipeline serves the company.
  `create table gallery_change (
     xid xid8 not null default pg_current_xact_id(),
     company_id bigint not null,
     face_id bigint
   )`,
  'create index gallery_change_transaction on gallery_change (xid)',
  // Snapshots of earlier hours: changes are deleted that an old enough one shows.
  'create table gallery_mark (snapshot text collate "C" not null, at double precision not null)',
  noting('gallery_change_template', 'face_id'),
  `create trigger gallery_change_template after insert or update or delete on template
   for each row execute function gallery_change_template()`,
  noting('gallery_change_face', 'id'),
  `create trigger gallery_change_face after update on face for each row
   when ((${listOf('old')}) is distinct from (${listOf('new')})) execute function gallery_change_face()`,
  noting('gallery_change_pipeline', null),
  `create trigger gallery_change_pipeline after insert or update or delete on active_pipeline
   for each row execute function gallery_change_pipeline()`,
];
