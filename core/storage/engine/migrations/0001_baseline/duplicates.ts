/** Runs that look for near pairs of faces, the faces that they have compared, and the pairs. */

/** @param face SQL that names its id @param runs SQL that restricts the runs, by their id */
const forgetFace = (face: string, runs: (id: string) => string): string =>
  `delete from compared_face where face_id = ${face} and ${runs('run_id')};
   delete from near_pair where first_face = ${face} and ${runs('run_id')};
   delete from near_pair where second_face = ${face} and ${runs('run_id')};`;
const ofEveryRun = (): string => 'true';
/** @param row `old` or `new`, a row of `template` */
const ofPipeline = (row: string) => (run: string) =>
  `${run} in (select id from duplicate_run where pipeline_id = ${row}.pipeline_id)`;

export const duplicates: readonly string[] = [
  // A run of mode `new` adds to the compared faces and the pairs of an earlier run of mode `all`, its base.
  `create table duplicate_run (
     id integer primary key autoincrement,
     company_id integer not null references company (id) on delete cascade,
     mode text not null check (mode in ('all', 'new')),
     state text not null check (state in ('running', 'paused', 'done', 'failed', 'cancelled')),
     base_id integer references duplicate_run (id) on delete cascade,
     pipeline_id text not null,
     blacklists text not null,
     one_in integer not null,
     tail text,
     max_distance real,
     last_face integer not null default 0,
     total integer not null,
     faces integer not null,
     compared integer not null default 0,
     pairs integer not null default 0,
     identical integer not null default 0,
     truncated integer not null default 0,
     started_by text not null,
     started_at integer not null,
     ended_at integer,
     problem text,
     check ((mode = 'all') = (base_id is null))
   ) strict`,
  `create index duplicate_run_recent on duplicate_run (company_id, id)`,
  `create index duplicate_run_base on duplicate_run (base_id) where base_id is not null`,
  `create unique index duplicate_run_unfinished on duplicate_run (company_id) where state in ('running', 'paused')`,

  // Every pair of two compared faces of a run within its distance is a near pair of the run. Triggers keep this true: a
  // face that can no longer be matched, or whose template changes, leaves both tables. It is compared when it returns.
  `create table compared_face (
     face_id integer not null references face (id) on delete cascade,
     run_id integer not null,
     company_id integer not null,
     primary key (face_id, run_id)
   ) strict, without rowid`,
  `create table near_pair (
     first_face integer not null references face (id) on delete cascade,
     second_face integer not null references face (id) on delete cascade,
     run_id integer not null,
     company_id integer not null,
     distance real not null,
     identical integer not null,
     primary key (first_face, second_face, run_id),
     check (first_face < second_face)
   ) strict, without rowid`,
  `create index near_pair_second on near_pair (second_face)`,
  `create trigger compared_face_face_update after update of company_id, kind, blacklist_id, matchable on face
   when old.company_id is not new.company_id or old.kind is not new.kind
     or old.blacklist_id is not new.blacklist_id or old.matchable is not new.matchable
   begin ${forgetFace('old.id', ofEveryRun)} end`,
  `create trigger compared_face_template_delete after delete on template
   begin ${forgetFace('old.face_id', ofPipeline('old'))} end`,
  `create trigger compared_face_template_update after update on template
   begin ${forgetFace('old.face_id', ofPipeline('old'))} end`,
];
