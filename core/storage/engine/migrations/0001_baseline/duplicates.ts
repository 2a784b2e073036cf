/** Runs that look for near pairs of faces, the faces that they have compared, and the pairs. */
import { table, key, integer, text, real } from '../table.ts';
import type { DuplicateRunMode, DuplicateRunState } from '../../../../contracts/dashboard/duplicates.ts';
import type { CompanyId, DuplicateRunId, FaceId, PipelineId } from '../../../../contracts/ids.ts';
import type { Actor } from '../../../../domain/ports/auditContext.ts';

/** @param face SQL that names its id @param runs SQL that restricts the runs, by their id */
const forgetFace = (face: string, runs: (id: string) => string): string =>
  `delete from compared_face where face_id = ${face} and ${runs('run_id')};
   delete from near_pair where first_face = ${face} and ${runs('run_id')};
   delete from near_pair where second_face = ${face} and ${runs('run_id')};`;
const ofEveryRun = (): string => 'true';
/** @param row `old` or `new`, a row of `template` */
const ofPipeline = (row: string) => (run: string) =>
  `${run} in (select id from duplicate_run where pipeline_id = ${row}.pipeline_id)`;

export const duplicates = {
  // A run of mode `new` adds to the compared faces and the pairs of an earlier run of mode `all`, its base.
  duplicate_run: table(
    {
      id: key<DuplicateRunId>(),
      company_id: integer<CompanyId>('references company (id) on delete cascade'),
      mode: text<DuplicateRunMode>("check (mode in ('all', 'new'))"),
      state: text<DuplicateRunState>("check (state in ('running', 'paused', 'done', 'failed', 'cancelled'))"),
      /** The run whose compared faces and pairs this one adds to; null: it has its own. */
      base_id: integer.orNull<DuplicateRunId>('references duplicate_run (id) on delete cascade'),
      pipeline_id: text<PipelineId>(),
      /** JSON: ids of the blacklists whose faces are compared, too, rising. */
      blacklists: text(),
      /** Of so many people enrolled once about one is proposed by chance. */
      one_in: integer(),
      /** JSON: DistanceTail. Null: not measured yet. */
      tail: text.orNull(),
      /** Euclidean distance of the near pairs, 0 to 2; null: not chosen yet. */
      max_distance: real.orNull(),
      /** The last face that was compared in the present pass over the ids. */
      last_face: integer.byDefault(0),
      /** Faces of its lists when the run started, and those of them that it had to compare. */
      total: integer(),
      faces: integer(),
      compared: integer.byDefault(0),
      pairs: integer.byDefault(0),
      identical: integer.byDefault(0),
      /** Faces with more near pairs than are kept of one face. */
      truncated: integer.byDefault(0),
      started_by: text<Actor>(),
      started_at: integer(),
      ended_at: integer.orNull(),
      /** Code of why it failed. */
      problem: text.orNull(),
    },
    ["check ((mode = 'all') = (base_id is null))"],
  ),
  // Every pair of two compared faces of a run within its distance is a near pair of the run. Triggers keep this true: a
  // face that can no longer be matched, or whose template changes, leaves both tables. It is compared when it returns.
  compared_face: table(
    {
      face_id: integer<FaceId>('references face (id) on delete cascade'),
      /** Of mode `all`. */
      run_id: integer<DuplicateRunId>(),
      company_id: integer<CompanyId>(),
    },
    ['primary key (face_id, run_id)'],
    'without rowid',
  ),
  near_pair: table(
    {
      first_face: integer<FaceId>('references face (id) on delete cascade'),
      second_face: integer<FaceId>('references face (id) on delete cascade'),
      /** Of mode `all`. */
      run_id: integer<DuplicateRunId>(),
      company_id: integer<CompanyId>(),
      /** Euclidean, 0 to 2. */
      distance: real(),
      /** 1: both photos are the same bytes. */
      identical: integer(),
    },
    ['primary key (first_face, second_face, run_id)', 'check (first_face < second_face)'],
    'without rowid',
  ),
};

/** Indexes and triggers. */
export const duplicatesIndexes: readonly string[] = [
  `create index duplicate_run_recent on duplicate_run (company_id, id)`,
  `create index duplicate_run_base on duplicate_run (base_id) where base_id is not null`,
  `create unique index duplicate_run_unfinished on duplicate_run (company_id) where state in ('running', 'paused')`,
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
