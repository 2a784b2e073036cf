import { keyColumns, nameIndex } from './nameIndex.ts';
import { table, key, integer, text, real, blob } from '../table.ts';
import type {
  GroupState,
  DuplicateRunMode,
  DuplicateRunState,
} from '../../../../contracts/dashboard/duplicates.ts';
import type {
  CompanyId,
  DuplicateGroupId,
  DuplicateRunId,
  FaceId,
  PersonDecisionId,
  ImageId,
  PersonId,
  PipelineId,
  ExaminationId,
  CaseFolderId,
  SignatureSpecimenId,
} from '../../../../contracts/ids.ts';
import type { CaseEntryKind } from '../../../../contracts/dashboard/caseFolders.ts';
import type { Actor } from '../../../../domain/ports/auditContext.ts';
import type { DecisionKind } from '../../../../domain/ports/persons.ts';

// Runs that look for near pairs of faces, the faces that they have compared, and the pairs.

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

// Decisions about who is shown, the persons that follow from them, and the groups that are proposed.

/** Faces of a decision that are still enrolled. @param decision SQL that names its id */
const living = (decision: string): string =>
  `select count(*) from person_decision_face as named join face on face.id = named.face_id
   where named.decision_id = ${decision}`;
/** @param person SQL that names its id */
const isBare = (person: string): string =>
  `not exists (select 1 from person_face where person_id = ${person})
   and not exists (select 1 from person_former_face where person_id = ${person})`;
/**
 * The groups of the faces that are near a face or in a group with it must be worked out once more. One statement may delete
 * several of them: those that it has deleted already are left out. @param face SQL of its id
 */
const regroupAround = (face: string) => `insert into face_to_group (face_id, company_id)
       select id, company_id from face where id in (
         select face_id from duplicate_group_face where face_id <> ${face}
           and group_id in (select group_id from duplicate_group_face where face_id = ${face})
         union select second_face from near_pair where first_face = ${face}
         union select first_face from near_pair where second_face = ${face});`;
const regroupItself = (face: string) => `insert into face_to_group (face_id, company_id)
       select face_id, company_id from duplicate_group_face
       where face_id = ${face} and exists (select 1 from face where id = ${face});`;
/** Another enrolled face of the person of a face that is about to be deleted. */
const ANOTHER_FACE = `select min(other.face_id)
  from person_face as own
  join person_face as other on other.person_id = own.person_id
  join face on face.id = other.face_id
  where own.face_id = old.id and other.face_id <> old.id`;

export const persons = {
  // Append-only: a decision is undone by an entry of its own. One that awaits a second operator takes effect with the decision that
  // confirms it. Erasure alone deletes, by the triggers below.
  person_decision: table(
    {
      id: key<PersonDecisionId>(),
      company_id: integer<CompanyId>('references company (id) on delete cascade'),
      kind: text<DecisionKind | 'change' | 'undo'>(
        "check (kind in ('same', 'named', 'different', 'unsure', 'choose', 'merge', 'split', 'move', 'dissolve', 'change', 'undo'))",
      ),
      undoes: integer.orNull<PersonDecisionId>('references person_decision (id) on delete cascade'),
      /** 1: it takes effect when a second operator confirms it. */
      awaits_second: integer.byDefault(0),
      /** The decision of the first operator, which this one confirms. */
      confirms: integer.orNull<PersonDecisionId>('references person_decision (id) on delete set null'),
      decided_by: text<Actor>(),
      decided_at: integer(),
      reason: blob.orNull(),
      /** The person that the faces belonged to after it, and the other one of a merge, a split or a move. */
      person_id: integer.orNull<PersonId>(),
      other_person_id: integer.orNull<PersonId>(),
      /** Euclidean, of the least similar pair; and the pipeline of its templates. Null: not measured. */
      distance: real.orNull(),
      pipeline_id: text.orNull<PipelineId>(),
      /** Keyed digests of the Idempotency-Key and the content of the request of a program; null: it has no key. */
      request_key: text.orNull(),
      request_content: text.orNull(),
    },
    ["check ((kind = 'undo') = (undoes is not null))"],
  ),
  // The id of an erased face stays as long as it links faces that are still enrolled.
  person_decision_face: table(
    {
      decision_id: integer<PersonDecisionId>('references person_decision (id) on delete cascade'),
      face_id: integer<FaceId>(),
      side: integer(),
      company_id: integer<CompanyId>(),
    },
    ['primary key (decision_id, face_id)'],
    'without rowid',
  ),
  // Without a face: a person that was merged into another one, kept for the undo of the merge.
  person: table({
    id: key<PersonId>(),
    company_id: integer<CompanyId>('references company (id) on delete cascade'),
    /** The decision that the person came of. */
    born: integer<PersonDecisionId>(),
    name: text(),
    note: blob.orNull(),
    external_id: text.orNull(),
    cover_face: integer.orNull<FaceId>('references face (id) on delete set null'),
    version: integer.byDefault(1),
    created_at: integer(),
    changed_at: integer(),
    ...keyColumns,
  }),
  person_face: table({
    face_id: integer<FaceId>('primary key references face (id) on delete cascade'),
    person_id: integer<PersonId>('references person (id) on delete cascade'),
    company_id: integer<CompanyId>(),
  }),
  // The faces of a person when it was merged: one of them brings it back if the merge is undone.
  person_former_face: table(
    {
      person_id: integer<PersonId>('references person (id) on delete cascade'),
      face_id: integer<FaceId>('references face (id) on delete cascade'),
      company_id: integer<CompanyId>(),
    },
    ['primary key (person_id, face_id)'],
    'without rowid',
  ),
  // A known signature of the person that the face belongs to. It belongs to a face, so that it follows the face through merges,
  // splits and their undo.
  signature_specimen: table({
    id: key<SignatureSpecimenId>(),
    company_id: integer<CompanyId>('references company (id)'),
    face_id: integer<FaceId>('references face (id) on delete cascade'),
    image_id: text<ImageId>('references image (id)'),
    added_by: text<Actor>(),
    added_at: integer(),
  }),
  // Two faces or two signatures that operators compare feature by feature. It goes with either face, so that an erased person
  // leaves none, or with the comparison of the signatures.
  examination: table({
    id: key<ExaminationId>(),
    company_id: integer<CompanyId>('references company (id) on delete cascade'),
    first_face: integer.orNull<FaceId>('references face (id) on delete cascade'),
    second_face: integer.orNull<FaceId>('references face (id) on delete cascade'),
    comparison_id: integer.orNull('references comparison (id) on delete cascade'),
    /** Of two signatures: pictures that this examination alone has. */
    first_image: text.orNull<ImageId>('references image (id) on delete cascade'),
    second_image: text.orNull<ImageId>('references image (id) on delete cascade'),
    began_at: integer(),
    /** JSON: ExaminationContent. */
    content: blob(),
  }),
  // Records, notes and files of one investigation. The folder is the chain of its entries.
  case_folder: table({
    id: key<CaseFolderId>(),
    company_id: integer<CompanyId>('references company (id) on delete cascade'),
    opened_at: integer(),
  }),
  // Entries are only added. The hash and the signature cover the columns up to `digest`; the others are erased with a person.
  case_entry: table(
    {
      id: key(),
      company_id: integer<CompanyId>(),
      folder_id: integer<CaseFolderId>('references case_folder (id) on delete cascade'),
      position: integer(),
      kind: text<CaseEntryKind>(),
      at: integer(),
      actor: text<Actor>(),
      /** The position of the entry that was removed or read. */
      target: integer.orNull(),
      /** SHA-256 of what was put in, lowercase hex. */
      digest: text.orNull(),
      hash: text(),
      signature: text(),
      /** A note or a file has the face or the examination that it is erased with. */
      face_id: integer.orNull<FaceId>('references face (id) on delete set null'),
      examination_id: integer.orNull<ExaminationId>('references examination (id) on delete set null'),
      /** JSON: CaseContent. */
      content: blob.orNull(),
      file: blob.orNull(),
    },
    ['unique (folder_id, position)'],
  ),
  duplicate_group: table({
    id: key<DuplicateGroupId>(),
    company_id: integer<CompanyId>('references company (id) on delete cascade'),
    oldest_face: integer<FaceId>(),
    state: text<GroupState>(
      "check (state in ('proposed', 'partlyDecided', 'awaitingConfirmation', 'accepted', 'rejected', 'deferred', 'superseded'))",
    ),
    version: integer.byDefault(1),
    /** Distance at which its last two parts were joined, and of its least similar pair; Euclidean. */
    link: real(),
    widest: real(),
    size: integer(),
    identical: integer(),
    created_at: integer(),
    changed_at: integer(),
  }),
  duplicate_group_face: table(
    {
      group_id: integer<DuplicateGroupId>('references duplicate_group (id) on delete cascade'),
      face_id: integer<FaceId>('references face (id) on delete cascade'),
      company_id: integer<CompanyId>(),
    },
    ['primary key (group_id, face_id)'],
    'without rowid',
  ),
  // Faces whose groups, or the lack of one, must be worked out once more: each change of their decisions or their groups.
  face_to_group: table({
    id: key(),
    face_id: integer<FaceId>('references face (id) on delete cascade'),
    company_id: integer<CompanyId>(),
  }),
  // The run whose near pairs the groups were made of, and the last change that they follow.
  duplicate_grouping: table({
    company_id: integer<CompanyId>('primary key references company (id) on delete cascade'),
    run_id: integer.orNull<DuplicateRunId>(),
    last_change: integer.byDefault(0),
  }),
};

/** Indexes and triggers. */
export const personsIndexes: readonly string[] = [
  `create unique index person_decision_undo on person_decision (undoes) where undoes is not null`,
  `create index person_decision_confirms on person_decision (confirms) where confirms is not null`,
  `create index person_decision_person on person_decision (company_id, person_id)`,
  `create index person_decision_other on person_decision (company_id, other_person_id)`,
  `create index person_decision_request on person_decision (company_id, request_key)
     where request_key is not null`,
  `create index person_decision_face_face on person_decision_face (face_id)`,
  ...nameIndex('person'),
  `create unique index person_external_id on person (company_id, external_id) where external_id is not null`,
  `create index person_recent on person (company_id, id)`,
  `create index person_born on person (born)`,
  `create index person_cover on person (cover_face) where cover_face is not null`,
  `create index person_face_person on person_face (person_id)`,
  `create index person_former_face_face on person_former_face (face_id)`,
  `create index signature_specimen_face on signature_specimen (face_id)`,
  `create unique index signature_specimen_image on signature_specimen (image_id)`,
  `create index signature_specimen_company on signature_specimen (company_id, id)`,
  `create index examination_company on examination (company_id, id)`,
  `create index examination_first on examination (first_face)`,
  `create index examination_second on examination (second_face)`,
  `create index examination_comparison on examination (comparison_id) where comparison_id is not null`,
  `create index examination_first_image on examination (first_image) where first_image is not null`,
  `create index examination_second_image on examination (second_image) where second_image is not null`,
  `create index case_folder_company on case_folder (company_id, id)`,
  `create index case_entry_face on case_entry (face_id) where face_id is not null`,
  `create index case_entry_examination on case_entry (examination_id) where examination_id is not null`,
  // The content of a case folder is erased with the face or the examination; the chain of hashes stays.
  `create trigger case_entry_face_erased before delete on face
   begin update case_entry set content = null, file = null, face_id = null where face_id = old.id; end`,
  `create trigger case_entry_examination_erased before delete on examination
   begin update case_entry set content = null, file = null, examination_id = null
     where examination_id = old.id; end`,
  `create index duplicate_group_order on duplicate_group (company_id, state, link)`,
  `create index duplicate_group_oldest on duplicate_group (company_id, oldest_face)`,
  `create index duplicate_group_face_face on duplicate_group_face (face_id)`,
  `create index face_to_group_company on face_to_group (company_id, face_id)`,
  `create index face_to_group_face on face_to_group (face_id)`,
  `create trigger duplicate_group_face_leaves before delete on face
   begin ${regroupAround('old.id')} end`,
  `create trigger duplicate_group_face_changes before update of company_id, kind, blacklist_id, matchable on face
   when old.company_id is not new.company_id or old.kind is not new.kind
     or old.blacklist_id is not new.blacklist_id or old.matchable is not new.matchable
   begin ${regroupAround('old.id')} ${regroupItself('old.id')} end`,
  // The distances of a group go with the templates that they were measured on.
  `create trigger duplicate_group_template_leaves before delete on template
   begin ${regroupAround('old.face_id')} ${regroupItself('old.face_id')} end`,
  `create trigger duplicate_group_template_changes before update on template
   begin ${regroupAround('old.face_id')} ${regroupItself('old.face_id')} end`,
  // A group is erased with its last face.
  `create trigger duplicate_group_last_face after delete on duplicate_group_face
   when not exists (select 1 from duplicate_group_face where group_id = old.group_id)
   begin delete from duplicate_group where id = old.group_id; end`,
  // A person is erased with its last face; one that was merged with the last face that could come back.
  `create trigger person_last_face after delete on person_face when ${isBare('old.person_id')}
   begin delete from person where id = old.person_id; end`,
  `create trigger person_last_former_face after delete on person_former_face when ${isBare('old.person_id')}
   begin delete from person where id = old.person_id; end`,
  // A reason is text of an operator, who may have named the person.
  `create trigger person_decision_face_erased after delete on face
   begin
     update person_decision set reason = null where reason is not null
       and id in (select decision_id from person_decision_face where face_id = old.id);
     delete from person_decision where id in (select decision_id from person_decision_face where face_id = old.id)
       and case when kind in ('different', 'unsure') then (${living('person_decision.id')}) < 2
         else (${living('person_decision.id')}) = 0
           and not exists (select 1 from person where id = person_decision.person_id) end;
   end`,
  `create trigger person_decision_person_erased after delete on person
   begin
     delete from person_decision where company_id = old.company_id and person_id = old.id and kind <> 'undo'
       and (${living('person_decision.id')}) = 0;
   end`,
  // When a face is deleted, its specimens pass to another face of the person. With the last one they are deleted.
  `create trigger signature_specimen_face_leaves before delete on face
   begin update signature_specimen set face_id = (${ANOTHER_FACE})
     where face_id = old.id and (${ANOTHER_FACE}) is not null; end`,
  `create trigger signature_specimen_erased after delete on signature_specimen
   begin delete from image where id = old.image_id; end`,
];
