import { keyColumns, nameIndex } from './nameIndex.ts';
import { table, key, code, integer, text, real, blob } from '../table.ts';
import type { BlacklistStatus, TrustValidationStatus, UploadKind } from '../../../../contracts/codes.ts';
import type { Severity } from '../../../../contracts/faceListing.ts';
import type { FailureCode } from '../../../../contracts/errors/failures.ts';
import type { IncompleteCode } from '../../../../contracts/incomplete.ts';
import type {
  PersonId,
  BlacklistId,
  CompanyId,
  FaceId,
  TrustFlowId,
  TrustValidationId,
} from '../../../../contracts/ids.ts';
import type { HistoryEntry } from '../../../../contracts/validations.ts';
import type { MatchBand } from '../../../../domain/scores/scores.ts';
import type { Verdict } from '../../../../contracts/signatures.ts';
import type { ComparisonSubject } from '../../../../domain/ports/comparisons.ts';
import type { Actor } from '../../../../domain/ports/auditContext.ts';

// Blacklists that were shared by other installations: the installations that a company trusts, the imports, the origin of
// every imported face, and the imports that reference it. A face's names are deleted with the face.

export const blacklistTransfer = {
  trusted_installation: table({
    id: key(),
    company_id: integer<CompanyId>('references company (id)'),
    name: text(),
    /** The name in the form that is compared. */
    name_key: text(),
    /** 32 raw bytes each. */
    signing_key: blob(),
    receiving_key: blob(),
    trusted_at: integer(),
    code: code(),
  }),
  blacklist_import: table({
    id: key(),
    company_id: integer<CompanyId>('references company (id)'),
    /** SHA-256 of the sender's signing key, hex. */
    sender: text(),
    sender_name: text(),
    origin_blacklist: integer(),
    /** The sender's name of the blacklist. */
    origin_blacklist_name: text(),
    package_id: text(),
    exported_at: integer(),
    imported_at: integer(),
    blacklist_id: integer<BlacklistId>(),
    /** 1: the import created its blacklist. */
    created_blacklist: integer(),
    added: integer(),
    renamed: integer(),
    reverted_at: integer.orNull(),
  }),
  /** Where an imported face comes from. */
  imported_face_origin: table({
    face_id: integer<FaceId>('primary key references face (id) on delete cascade'),
    company_id: integer<CompanyId>(),
    origin_installation: text(),
    origin_face: text(),
  }),
  /** An import references a face. The face is deleted with the last import that references it and was not reverted. */
  import_membership: table(
    {
      import_id: integer('references blacklist_import (id)'),
      face_id: integer<FaceId>('references face (id) on delete cascade'),
      company_id: integer<CompanyId>(),
      /** Null: the import did not rename it. */
      name_before: text.orNull(),
      name_after: text.orNull(),
    },
    ['primary key (import_id, face_id)'],
    'without rowid',
  ),
};

/** Indexes and triggers. */
export const blacklistTransferIndexes: readonly string[] = [
  `create unique index trusted_installation_key on trusted_installation (company_id, signing_key)`,
  `create unique index trusted_installation_name on trusted_installation (company_id, name_key)`,
  `create index blacklist_import_origin on blacklist_import (company_id, sender, origin_blacklist, exported_at)`,
  `create unique index imported_face_origin_face
   on imported_face_origin (company_id, origin_installation, origin_face)`,
  `create index import_membership_face on import_membership (face_id)`,
];

/**
 * Trust Flows, Trust Validations, blacklists, and the results of screening. A match stores a copy of the names and scores
 * that it shows and references no other record, because it must not change when the records it was found in are deleted.
 */
export const screening = {
  trust_flow: table({
    id: key<TrustFlowId>(),
    company_id: integer<CompanyId>('references company (id)'),
    name: text(),
    /** 1: the internal flow of bulk enrolment. */
    system: integer.byDefault(0),
    created_at: integer(),
    /** JSON: FlowSettings of the draft; null when the flow has no draft. */
    draft: text.orNull(),
    /** Counts the changes of the draft and of the version. */
    revision: integer.byDefault(1),
    updated_at: integer.orNull(),
  }),
  trust_flow_version: table(
    {
      id: key(),
      company_id: integer<CompanyId>('references company (id)'),
      trust_flow_id: integer<TrustFlowId>('references trust_flow (id)'),
      number: integer(),
      settings: text(),
      /** JSON: names of the selected blacklists by id. */
      blacklist_names: text(),
      created_at: integer(),
      code: code(),
    },
    ['unique (trust_flow_id, number)'],
  ),
  blacklist: table({
    id: key<BlacklistId>(),
    company_id: integer<CompanyId>('references company (id)'),
    name: text(),
    /** The name in the form that is compared. */
    name_key: text(),
    description: text.orNull(),
    status: integer<BlacklistStatus>(),
    created_at: integer(),
    updated_at: integer(),
    code: code(),
  }),
  trust_validation: table({
    id: key<TrustValidationId>(),
    company_id: integer<CompanyId>('references company (id)'),
    trust_flow_id: integer<TrustFlowId>('references trust_flow (id)'),
    status: integer<TrustValidationStatus>(),
    /** The name in lists. Bulk enrolment takes the file's name without its extension. */
    name: text(),
    created_at: integer(),
    finalized_at: integer.orNull(),
    source: text.byDefault<'enrolment' | 'verification'>(
      'enrolment',
      "check (source in ('enrolment', 'verification'))",
    ),
    flow_version_id: integer.orNull('references trust_flow_version (id)'),
    /** JSON, as the client sent it. */
    metadata: text.orNull(),
    /** The request of an operator that started the verification; null: a program or bulk enrolment created it. */
    request_id: text.orNull(),
    duplicate_detected: integer.byDefault(0),
    blacklist_detected: integer.byDefault(0),
    /** Why the newest selfie was refused; null once a selfie is accepted. Shown while the status is Incomplete. */
    incomplete_reason: text.orNull<IncompleteCode>(),
    /** Score of the best match; 0: no match. Sorts the list. */
    best_score: real.byDefault(0),
    ...keyColumns,
  }),
  screening: table({
    trust_validation_id: integer<TrustValidationId>('primary key references trust_validation (id)'),
    company_id: integer<CompanyId>(),
    /** JSON: ScreeningFacts. */
    facts: text(),
  }),
  screening_match: table({
    id: key(),
    company_id: integer<CompanyId>(),
    trust_validation_id: integer<TrustValidationId>('references trust_validation (id)'),
    kind: text<UploadKind>("check (kind in ('duplicate', 'blacklist'))"),
    blacklist_id: integer.orNull<BlacklistId>(),
    blacklist_name: text.orNull(),
    face_id: integer<FaceId>(),
    /** The selfie that was compared. */
    probe_face_id: integer<FaceId>(),
    matched_trust_validation_id: integer.orNull<TrustValidationId>(),
    full_name: text(),
    /** The person that the face belonged to when it matched; null: none. */
    person_id: integer.orNull<PersonId>(),
    /** Photos of the person in the list, and how many of them were near enough by themselves. */
    photos: integer(),
    agreeing: integer(),
    /** Of the person. */
    distance: real(),
    score: real(),
    band: text<MatchBand>(),
    /** Of this photo alone. */
    photo_distance: real(),
    photo_score: real(),
    enrolled_at: integer(),
    /** Of the face of the blacklist when it matched; null: a duplicate. */
    severity: text.orNull<Severity>(),
    reason: blob.orNull(),
  }),
  validation_history: table({
    id: key(),
    company_id: integer<CompanyId>(),
    trust_validation_id: integer<TrustValidationId>('references trust_validation (id)'),
    at: integer(),
    actor: text(),
    action: text<HistoryEntry['action']>(),
    from_status: integer.orNull<TrustValidationStatus>(),
    to_status: integer<TrustValidationStatus>(),
    note: blob.orNull(),
    /** Why a selfie was rejected. */
    failure_code: text.orNull<FailureCode>(),
  }),
};

/** Indexes and triggers. */
export const screeningIndexes: readonly string[] = [
  `create unique index trust_flow_system on trust_flow (company_id) where system = 1`,
  `create unique index blacklist_name on blacklist (company_id, name_key)`,
  `create index trust_validation_list on trust_validation (company_id, status, id)`,
  `create index trust_validation_recent on trust_validation (company_id, id)`,
  // The list sorts by these columns; a page begins behind the last row of the page before.
  `create index trust_validation_by_name on trust_validation (company_id, lower(name), id)`,
  `create index trust_validation_by_score on trust_validation (company_id, best_score, id)`,
  `create index trust_validation_by_end on trust_validation (company_id, coalesce(finalized_at, 0), id)`,
  // The days of the overview are counted in this index alone.
  `create index trust_validation_day
   on trust_validation (company_id, created_at, status, duplicate_detected, blacklist_detected)`,
  `create index trust_validation_hit on trust_validation (company_id, id)
   where duplicate_detected = 1 or blacklist_detected = 1`,
  `create index trust_validation_verified on trust_validation (company_id) where source = 'verification'`,
  `create unique index trust_validation_request on trust_validation (company_id, request_id)
   where request_id is not null`,
  ...nameIndex('trust_validation'),
  `create index screening_match_validation on screening_match (trust_validation_id, id)`,
  // An erasure finds the matches of other validations that name the erased one.
  `create index screening_match_matched on screening_match (company_id, matched_trust_validation_id)
   where matched_trust_validation_id is not null`,
  // The hits of a person on blacklists.
  `create index screening_match_listed on screening_match (company_id, face_id)
   where matched_trust_validation_id is null`,
  `create index validation_history_validation on validation_history (trust_validation_id, id)`,
];

/** Comparisons of two images, signatures or faces, and of a signature with several known ones. The images are not kept, only the hashes of their files. */
export const comparisons = {
  comparison: table({
    id: key(),
    company_id: integer<CompanyId>('references company (id)'),
    subject: text<ComparisonSubject>("check (subject in ('signature', 'face'))"),
    /** As the caller sent them. */
    template_id: text(),
    verification_id: text(),
    credential: text<Actor>(),
    compared_at: integer(),
    /** Null: inconclusive. */
    similarity: real.orNull(),
    verdict: text<Verdict>(),
    /** The company's thresholds at that time. */
    match_from: real(),
    possible_match_from: real(),
    model_version: text(),
    /** JSON: the digests of two images and why either was inconclusive, or the record of a known set. */
    content: blob(),
  }),
  // Error rates that were measured on the company's own signatures. The signatures are not kept.
  signature_calibration: table(
    {
      company_id: integer<CompanyId>('references company (id) on delete cascade'),
      model_version: text(),
      /** JSON: MeasuredSignatures. */
      measured: text(),
      applied_at: integer(),
    },
    ['primary key (company_id, model_version)'],
    'without rowid',
  ),
};

/** Indexes and triggers. */
export const comparisonsIndexes: readonly string[] = [
  `create index comparison_recent on comparison (company_id, subject, id)`,
  `create index comparison_credential on comparison (company_id, subject, credential, id)`,
  `create index comparison_template on comparison (company_id, template_id, id)`,
  `create index comparison_verification on comparison (company_id, verification_id, id)`,
  `create index comparison_day on comparison (company_id, compared_at)`,
];
