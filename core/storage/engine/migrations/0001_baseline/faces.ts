import { foldingIndex, keyColumns } from './nameIndex.ts';

/** Faces, their templates and thumbnails, and the snapshots of the gallery. */

/** Snapshots of the gallery that contain a face. @param face SQL that names its id */
const covering = (face: string): string => `after_face < ${face} and up_to_face >= ${face}`;
/** @param row `old` or `new`, a row of `template` */
const dropSnapshotsOfTemplate = (row: string): string =>
  `delete from gallery_snapshot
   where company_id = ${row}.company_id and pipeline_id = ${row}.pipeline_id and ${covering(`${row}.face_id`)};`;
/** @param row `old` or `new`, a row of `face` */
const dropSnapshotsOfFace = (row: string): string =>
  `delete from gallery_snapshot where company_id = ${row}.company_id and ${covering(`${row}.id`)};`;

export const faces: readonly string[] = [
  // A selfie is a face from the moment of its upload. It is matchable while its Trust Validation is Verified.
  // A superseded selfie was replaced by a later one; its matches are still screened when the validation is finalised.
  `create table face (
     id integer primary key autoincrement,
     company_id integer not null references company (id),
     kind text not null check (kind in ('duplicate', 'blacklist')),
     blacklist_id integer,
     trust_validation_id integer references trust_validation (id),
     name text not null,
     image_id text not null references image (id),
     geometry text not null,
     quality_score real not null,
     quality_measures text not null,
     enrolled_at integer not null,
     matchable integer not null default 1,
     superseded integer not null default 0,
     severity text check (severity in ('information', 'caution', 'stop')),
     reason text,
     expires_at integer,
     ${keyColumns}
   ) strict`,
  foldingIndex('face'),
  // The faces of blacklists that stop matching at some time.
  `create index face_expiry on face (matchable, expires_at) where expires_at is not null`,
  `create index face_watchlist on face (company_id, kind, blacklist_id, id)`,
  `create index face_image on face (image_id)`,
  `create index face_validation on face (trust_validation_id) where trust_validation_id is not null`,
  // The faces of a company in the order of their ids. Without it SQLite sorts all remaining faces for every page.
  `create index face_company on face (company_id, id)`,

  `create table template (
     face_id integer not null references face (id) on delete cascade,
     company_id integer not null,
     pipeline_id text not null,
     vector blob not null,
     primary key (face_id, pipeline_id)
   ) strict`,

  `create table face_thumbnail (
     face_id integer primary key references face (id) on delete cascade,
     company_id integer not null,
     jpeg blob not null
   ) strict`,

  // Triggers keep the snapshots correct: a change of a matchable face deletes the snapshot of its range in the same
  // transaction. Enrolment deletes none, because new faces get ids above every snapshot. An erased face takes its
  // snapshot with it, and secure_delete overwrites the bytes. `node` is empty in SQLite. In PostgreSQL it is the service that has
  // the snapshot in a file, and `content` is the key of that file.
  `create table gallery_snapshot (
     company_id integer not null references company (id) on delete cascade,
     pipeline_id text not null,
     node text not null,
     after_face integer not null,
     up_to_face integer not null,
     content blob not null,
     primary key (company_id, pipeline_id, node, up_to_face)
   ) strict`,
  `create index gallery_snapshot_range on gallery_snapshot (company_id, up_to_face, after_face, pipeline_id)`,
  `create trigger gallery_snapshot_template_insert after insert on template
   begin ${dropSnapshotsOfTemplate('new')} end`,
  `create trigger gallery_snapshot_template_delete after delete on template
   begin ${dropSnapshotsOfTemplate('old')} end`,
  `create trigger gallery_snapshot_template_update after update on template
   begin ${dropSnapshotsOfTemplate('old')} ${dropSnapshotsOfTemplate('new')} end`,
  `create trigger gallery_snapshot_face_update
   after update of id, company_id, kind, blacklist_id, matchable on face
   begin ${dropSnapshotsOfFace('old')} ${dropSnapshotsOfFace('new')} end`,
];
