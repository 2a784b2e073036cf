import { foldingIndex, keyColumns } from './nameIndex.ts';
import { table, key, integer, text, blob } from '../table.ts';
import type { ItemStatus, UploadKind } from '../../../../contracts/codes.ts';
import type { ImageFormat } from '../../../../contracts/faces.ts';
import type { FailureCode } from '../../../../contracts/errors/failures.ts';
import type { RunSource, SeveralFaces } from '../../../../contracts/dashboard/enrolmentRuns.ts';
import type { Actor } from '../../../../domain/ports/auditContext.ts';
import type {
  BlacklistId,
  CompanyId,
  FaceId,
  ImageId,
  RunId,
  TrustFlowId,
  TrustValidationId,
  UploadId,
  UploadItemId,
} from '../../../../contracts/ids.ts';

/**
 * Enrolment runs, their uploads, the items of these and the image files. Partial indexes hold only the items that wait, so that the queue costs the
 * same with ten million processed items behind it.
 */
export const uploads = {
  // The photos of one folder, which are sent in many uploads. An upload of no declared run is a run of its own.
  enrolment_run: table(
    {
      company_id: integer<CompanyId>('references company (id)'),
      id: text<RunId>(),
      /** Of the folder; null: the sender declared none. */
      name: text.orNull(),
      source: text<RunSource>("check (source in ('dashboard', 'program', 'import', 'demo'))"),
      kind: text<UploadKind>("check (kind in ('duplicate', 'blacklist'))"),
      blacklist_id: integer.orNull<BlacklistId>(),
      /** As many as the sender plans to send; null: not declared. */
      photos: integer.orNull(),
      several_faces: text<SeveralFaces>("check (several_faces in ('refuse', 'main', 'each'))"),
      started_by: text<Actor>(),
      started_at: integer(),
    },
    ['primary key (company_id, id)'],
  ),
  upload: table(
    {
      id: text<UploadId>('primary key'),
      company_id: integer<CompanyId>('references company (id)'),
      kind: text<UploadKind>("check (kind in ('duplicate', 'blacklist'))"),
      trust_flow_id: integer.orNull<TrustFlowId>('references trust_flow (id)'),
      blacklist_id: integer.orNull<BlacklistId>(),
      image_count: integer(),
      created_at: integer(),
      completed_at: integer.orNull(),
      /** SHA-256 of the key that the client sent, hex: the client may have built it from a name. */
      idempotency_key: text.orNull(),
      fingerprint: text.orNull(),
      /** JSON: FaceListing for the faces of a blacklist; null once all its photos are enrolled. */
      listing: blob.orNull(),
      run_id: text<RunId>(),
      /** Of a corrected photo: the number of the chosen face, from 1 by rows from the top, and how many were found. */
      fix_face: integer.orNull(),
      fix_faces: integer.orNull(),
      fixed_by: text.orNull<Actor>(),
    },
    ['foreign key (company_id, run_id) references enrolment_run (company_id, id)'],
  ),
  image: table({
    id: text<ImageId>('primary key'),
    company_id: integer<CompanyId>('references company (id)'),
    /** AES-256 key of this file only. */
    key: blob(),
    bytes: integer(),
    /** Of the file, 32 bytes. */
    sha256: blob(),
    format: text<ImageFormat>(),
    /** JSON of PictureOriginal; null: the file was received as it is stored. */
    original: blob.orNull(),
    /** Pixels of the upright image; null until the image was decoded. */
    width: integer.orNull(),
    height: integer.orNull(),
    created_at: integer(),
  }),
  upload_item: table(
    {
      id: key<UploadItemId>(),
      company_id: integer<CompanyId>('references company (id)'),
      upload_id: text<UploadId>('references upload (id)'),
      position: integer(),
      file_name: text(),
      image_id: text.orNull<ImageId>('references image (id)'),
      status: integer<ItemStatus>(),
      /** How often processing was started. */
      attempts: integer.byDefault(0),
      /** The process that works on it, and the time of the database until which no other takes it, milliseconds. */
      leased_by: text.orNull(),
      leased_until: integer.orNull(),
      failure_code: text.orNull<FailureCode>(),
      trust_validation_id: integer.orNull<TrustValidationId>('references trust_validation (id)'),
      face_id: integer.orNull<FaceId>(),
      processed_at: integer.orNull(),
      /** JSON of {@link FoundFaces}; null: no face was found, or the photo was not analysed. */
      found: text.orNull(),
      /** The failed item that this photo was sent for, corrected or once more. */
      fixes: integer.orNull<UploadItemId>(),
      /** Of a failed photo that an operator marked as not fixable: who, when and the note, sealed. */
      unfixable_by: text.orNull<Actor>(),
      unfixable_at: integer.orNull(),
      unfixable_note: blob.orNull(),
      /** The person that the sender says the photo shows, and who says so; all null once the photo is enrolled. */
      person_name: text.orNull(),
      person_external_id: text.orNull(),
      named_by: text.orNull<Actor>(),
      ...keyColumns,
    },
    ['unique (upload_id, position)'],
  ),
};

/** Indexes and triggers. */
export const uploadsIndexes: readonly string[] = [
  `create index enrolment_run_recent on enrolment_run (company_id, started_at, id)`,
  `create index upload_run on upload (company_id, run_id)`,
  `create index upload_blacklist on upload (company_id, blacklist_id) where blacklist_id is not null`,
  `create unique index upload_idempotency on upload (company_id, idempotency_key) where idempotency_key is not null`,
  `create index upload_recent on upload (company_id, created_at)`,
  // The oldest upload that is not complete.
  `create index upload_open on upload (created_at) where completed_at is null`,
  // Contains the sizes too, so that a sum reads no row.
  `create index image_company_bytes on image (company_id, bytes)`,
  foldingIndex('upload_item'),
  `create index upload_item_fixes on upload_item (fixes) where fixes is not null`,
  `create index upload_item_failed on upload_item (company_id, id) where status = 3`,
  `create index upload_item_failures on upload_item (upload_id) where status = 3`,
  `create index upload_item_waiting on upload_item (company_id, attempts, id) where status = 1`,
  `create index upload_item_image on upload_item (image_id) where image_id is not null`,
  `create index upload_item_validation on upload_item (trust_validation_id) where trust_validation_id is not null`,
  `create index upload_item_face on upload_item (face_id) where face_id is not null`,
];
