import { foldingIndex, keyColumns } from './nameIndex.ts';
import { table, key, code, integer, text, real, blob } from '../table.ts';
import type { UploadKind } from '../../../../contracts/codes.ts';
import type { Severity } from '../../../../contracts/faceListing.ts';
import type {
  BlacklistId,
  CompanyId,
  FaceId,
  ImageId,
  PipelineId,
  TrustValidationId,
} from '../../../../contracts/ids.ts';
import type { FailureCode } from '../../../../contracts/errors/failures.ts';

// The recognition pipeline of each company, its change to another one, and the calibration of its distances.

export const pipelines = {
  active_pipeline: table({
    company_id: integer<CompanyId>('primary key references company (id) on delete cascade'),
    pipeline_id: text<PipelineId>(),
    /** 1: an operator or the administrator chose it for this company. 0: it follows the setting of the installation. */
    chosen_for_company: integer.byDefault(0),
    code: code(),
  }),
  pipeline_shape: table(
    {
      pipeline_id: text<PipelineId>('primary key'),
      /** Components of its templates. */
      dimensions: integer(),
    },
    [],
    'without rowid',
  ),
  template_migration: table({
    company_id: integer<CompanyId>('primary key references company (id) on delete cascade'),
    pipeline_id: text<PipelineId>(),
    state: text<'running' | 'paused'>("check (state in ('running', 'paused'))"),
    without_failed: integer.byDefault(0),
    /** As in `active_pipeline`. */
    chosen_for_company: integer(),
    started_at: integer(),
  }),
  // Faces from whose photos the next pipeline extracts no template.
  extraction_failure: table(
    {
      face_id: integer<FaceId>('references face (id) on delete cascade'),
      pipeline_id: text<PipelineId>(),
      company_id: integer<CompanyId>(),
      failure_code: text<FailureCode>(),
    },
    ['primary key (face_id, pipeline_id)'],
    'without rowid',
  ),
  // False-match rates that were measured on the company's own photos. The photos are not kept.
  company_calibration: table(
    {
      company_id: integer<CompanyId>('references company (id) on delete cascade'),
      pipeline_id: text<PipelineId>(),
      /** JSON: the points of a Calibration. */
      points: text(),
      people: integer(),
      photos: integer(),
      non_mated_pairs: integer(),
      /** JSON: MeasuredCalibration. */
      measured: text(),
      applied_at: integer(),
      code: code(),
    },
    ['primary key (company_id, pipeline_id)'],
    'without rowid',
  ),
};

/** Indexes and triggers. */
export const pipelinesIndexes: readonly string[] = [
  `create index extraction_failure_company on extraction_failure (company_id, pipeline_id, face_id)`,
];

// Faces, their templates and thumbnails, and the snapshots of the gallery.

/** Snapshots of the gallery that contain a face. @param face SQL that names its id */
const covering = (face: string): string => `after_face < ${face} and up_to_face >= ${face}`;
/** @param row `old` or `new`, a row of `template` */
const dropSnapshotsOfTemplate = (row: string): string =>
  `delete from gallery_snapshot
   where company_id = ${row}.company_id and pipeline_id = ${row}.pipeline_id and ${covering(`${row}.face_id`)};`;
/** @param row `old` or `new`, a row of `face` */
const dropSnapshotsOfFace = (row: string): string =>
  `delete from gallery_snapshot where company_id = ${row}.company_id and ${covering(`${row}.id`)};`;

export const faces = {
  // A selfie is a face from the moment of its upload. It is matchable while its Trust Validation is Verified.
  // A superseded selfie was replaced by a later one; its matches are still screened when the validation is finalised.
  face: table({
    id: key<FaceId>(),
    company_id: integer<CompanyId>('references company (id)'),
    kind: text<UploadKind>("check (kind in ('duplicate', 'blacklist'))"),
    blacklist_id: integer.orNull<BlacklistId>(),
    /** null: of a blacklist, or (`kind` is duplicate) of a photo that was stored for an examination alone. */
    trust_validation_id: integer.orNull<TrustValidationId>('references trust_validation (id)'),
    name: text(),
    image_id: text<ImageId>('references image (id)'),
    /** JSON: {box, eyes, confidence}. */
    geometry: text(),
    quality_score: real(),
    /** JSON: QualityMeasures. */
    quality_measures: text(),
    enrolled_at: integer(),
    /** 1: the gallery contains it. A selfie is matchable exactly while its Trust Validation is Verified. */
    matchable: integer.byDefault(1),
    /** 1: a selfie of a verification that a later one replaced, or a photo of an examination alone. Never matchable. */
    superseded: integer.byDefault(0),
    /** Of a face of a blacklist; null: of another face. */
    severity: text.orNull<Severity>("check (severity in ('information', 'caution', 'stop'))"),
    reason: blob.orNull(),
    /** From this time on a face of a blacklist is not matchable; null: without end. */
    expires_at: integer.orNull(),
    code: code(),
    ...keyColumns,
  }),
  template: table(
    {
      face_id: integer<FaceId>('references face (id) on delete cascade'),
      company_id: integer<CompanyId>(),
      pipeline_id: text<PipelineId>(),
      /** Little-endian float32. */
      vector: blob(),
    },
    ['primary key (face_id, pipeline_id)'],
  ),
  face_thumbnail: table({
    face_id: integer<FaceId>('primary key references face (id) on delete cascade'),
    company_id: integer<CompanyId>(),
    jpeg: blob(),
  }),
  // Triggers keep the snapshots correct: a change of a matchable face deletes the snapshot of its range in the same
  // transaction. Enrolment deletes none, because new faces get ids above every snapshot. An erased face takes its
  // snapshot with it, and secure_delete overwrites the bytes. `node` is empty in SQLite. In PostgreSQL it is the service that has
  // the snapshot in a file, and `content` is the key of that file.
  gallery_snapshot: table(
    {
      company_id: integer<CompanyId>('references company (id) on delete cascade'),
      pipeline_id: text<PipelineId>(),
      node: text(),
      after_face: integer<FaceId>(),
      up_to_face: integer<FaceId>(),
      content: blob(),
    },
    ['primary key (company_id, pipeline_id, node, up_to_face)'],
  ),
};

/** Indexes and triggers. */
export const facesIndexes: readonly string[] = [
  foldingIndex('face'),
  // The faces of blacklists that stop matching at some time.
  `create index face_expiry on face (matchable, expires_at) where expires_at is not null`,
  `create index face_watchlist on face (company_id, kind, blacklist_id, id)`,
  `create index face_image on face (image_id)`,
  `create index face_validation on face (trust_validation_id) where trust_validation_id is not null`,
  // The faces of a company in the order of their ids. Without it SQLite sorts all remaining faces for every page.
  `create index face_company on face (company_id, id)`,
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
