/** Queries that only the dashboard needs: read-only, one company at a time. */
import type { ValidationSource, ValidationSort } from '../../contracts/dashboard/validations.ts';
import type { FaceListing, Severity, ListingText } from '../../contracts/faceListing.ts';
import type { Box, ImageFormat, Point } from '../../contracts/faces.ts';
import type { IncompleteCode } from '../../contracts/incomplete.ts';
import type { FailureCode } from '../../contracts/errors/failures.ts';
import type { ItemStatus, TrustValidationStatus, UploadKind } from '../../contracts/codes.ts';
import type {
  BlacklistId,
  FaceId,
  ImageId,
  PipelineId,
  PersonDecisionId,
  PersonId,
  TrustFlowId,
  TrustValidationId,
  UploadId,
  UploadItemId,
} from '../../contracts/ids.ts';
import type { MatchBand } from '../scores/scores.ts';

/** A face with its stored image, as the compare view needs it. */
export interface FaceImageView {
  faceId: FaceId;
  name: string;
  imageId: ImageId;
  format: ImageFormat;
  sha256: string;
  width: number;
  height: number;
  box: Box;
  eyes: readonly [Point, Point];
  /** 0 to 100. */
  quality: number;
  pipelineId: PipelineId | null;
  enrolledAt: Date;
  /** Of a face of a blacklist; null: of another face. */
  listing: FaceListing | null;
  /** The person that the face belongs to; null: none. */
  person: { id: PersonId; name: string } | null;
}

export interface ValidationFilter {
  status?: TrustValidationStatus | undefined;
  source?: ValidationSource | undefined;
  flow?: TrustFlowId | undefined;
  hit?: 'duplicate' | 'blacklist' | 'none' | undefined;
  /** Of the match of the highest score. */
  band?: MatchBand | undefined;
  /** Part of the name, or the number. */
  text?: string | undefined;
  from?: Date | undefined;
  /** Not included. */
  until?: Date | undefined;
  /** These alone, as far as the other filters leave them. */
  ids?: readonly TrustValidationId[] | undefined;
}

/** Where a page ended: the value that it is sorted by, and the row. */
export interface ValidationPosition {
  value: string | number;
  id: TrustValidationId;
}

export interface ValidationPage {
  sort: ValidationSort;
  descending: boolean;
  /** The last row of the page before, in the same order. */
  after?: ValidationPosition | undefined;
  limit: number;
}

/** The match of the highest score; its face may have been erased since. */
export interface BestMatch {
  score: number;
  band: MatchBand;
  name: string;
  /** Null: a duplicate. */
  blacklistName: string | null;
  /** Of the blacklist face when it matched; null: a duplicate. */
  severity: Severity | null;
  trustValidationId: TrustValidationId | null;
  faceId: FaceId | null;
}

export interface ValidationRowView {
  id: TrustValidationId;
  status: TrustValidationStatus;
  source: ValidationSource;
  trustFlowId: TrustFlowId;
  trustFlowName: string;
  name: string;
  faceId: FaceId | null;
  duplicateDetected: boolean;
  blacklistDetected: boolean;
  /** Null: the status is not Incomplete. */
  incompleteReason: IncompleteCode | null;
  bestMatch: BestMatch | null;
  createdAt: Date;
  finalizedAt: Date | null;
}

/** One written match; its face may have been erased since. */
export interface MatchView extends Record<ListingText, string | null> {
  kind: UploadKind;
  blacklistId: BlacklistId | null;
  blacklistName: string | null;
  faceId: FaceId;
  /** The selfie that was compared. */
  probeFaceId: FaceId;
  trustValidationId: TrustValidationId | null;
  name: string;
  distance: number;
  score: number;
  band: MatchBand;
  /** Of the face of the blacklist when it matched; null: a duplicate. */
  severity: Severity | null;
}

export interface UploadView {
  id: UploadId;
  kind: UploadKind;
  blacklistName: string | null;
  numberOfImages: number;
  succeeded: number;
  failed: number;
  createdAt: Date;
  completedAt: Date | null;
}

export interface UploadImageView {
  index: number;
  itemId: UploadItemId;
  fileName: string;
  status: ItemStatus;
  trustValidationId: TrustValidationId | null;
  faceId: FaceId | null;
  failureCode: FailureCode | null;
}

export const SEARCH_HIT_KINDS = ['validations', 'persons', 'faces', 'uploads', 'comparisons'] as const;
export type SearchHitKind = (typeof SEARCH_HIT_KINDS)[number];

/** Suggestions for a text: a few of each kind, the likeliest first. */
export interface SearchHits {
  validations: {
    id: TrustValidationId;
    name: string;
    status: TrustValidationStatus;
    source: ValidationSource;
    faceId: FaceId | null;
  }[];
  persons: { id: PersonId; name: string; photos: number; faceId: FaceId | null }[];
  faces: { id: FaceId; name: string; severity: Severity; blacklistId: BlacklistId; blacklistName: string }[];
  uploads: { id: UploadId; numberOfImages: number; blacklistName: string | null; createdAt: Date }[];
  comparisons: { id: number; templateId: string; verificationId: string; comparedAt: Date }[];
  /** Of a kind of which few were found only the newest rows were read: there may be more. */
  partial: boolean;
}

/** The numbers of the first page; each is the length of a list that can be opened. */
export interface OverviewCounts {
  review: number;
  runningUploads: number;
  waitingImages: number;
  failedUploads: number;
  failedImages: number;
  draftFlows: number;
  uploads: number;
  validations: number;
  verified: number;
  rejected: number;
  duplicates: number;
  blacklisted: number;
}

/** A validation in which a face was found again; its best match may have been erased since. */
export interface HitView {
  id: TrustValidationId;
  status: TrustValidationStatus;
  name: string;
  faceId: FaceId | null;
  createdAt: Date;
  match: {
    name: string;
    faceId: FaceId | null;
    blacklistName: string | null;
    /** Of the blacklist face when it matched; null: a duplicate. */
    severity: Severity | null;
    score: number;
    band: MatchBand;
  } | null;
}

/** The first steps of a new company, and whether each is done. */
export interface FirstSteps {
  enrolled: boolean;
  blacklisted: boolean;
  flowPublished: boolean;
  verified: boolean;
}

export interface DayCounts {
  validations: number;
  duplicates: number;
  blacklisted: number;
}

/** The present names of records, and the blacklist that each face is in. Erased records are left out. */
export interface RecordIds {
  faces: readonly FaceId[];
  validations: readonly TrustValidationId[];
  persons: readonly PersonId[];
  /** Decisions about faces. */
  decisions: readonly PersonDecisionId[];
}

export interface RecordNames {
  faces: { id: FaceId; name: string; blacklistId: BlacklistId | null }[];
  validations: { id: TrustValidationId; name: string }[];
  persons: { id: PersonId; name: string }[];
  /** Once for each person that a decision is about. */
  decisions: { id: PersonDecisionId; name: string }[];
}
