/** The parts of the store that blacklists, Trust Flows and verifications use. */
import type { BlacklistStatus, ItemStatus, TrustValidationStatus } from '../../contracts/codes.ts';
import type { FailureCode } from '../../contracts/errors/failures.ts';
import type { BlacklistEdit, BlacklistFields } from '../../contracts/blacklists.ts';
import type { FaceListing } from '../../contracts/faceListing.ts';
import type { ImageFacts, ExtractedFace, Template } from '../../contracts/faces.ts';
import type { FlowSettings } from '../../contracts/flows.ts';
import type {
  BlacklistId,
  CompanyId,
  FaceId,
  ImageId,
  PipelineId,
  TrustFlowId,
  TrustValidationId,
  UploadId,
  UploadItemId,
} from '../../contracts/ids.ts';
import type {
  HistoryEntry,
  ScreeningFacts,
  ValidationDetail,
  ValidationQuery,
  ValidationSummary,
} from '../../contracts/validations.ts';
import type { AuditContext } from './auditContext.ts';
import type { WrittenImage } from './images.ts';
import type { Result } from './result.ts';
import type { MatchBand } from '../scores/scores.ts';

export interface Blacklist {
  id: BlacklistId;
  name: string;
  description: string | null;
  status: BlacklistStatus;
  /** Faces that match: the very rows that the gallery holds. */
  enrolledFaces: number;
  createdAt: Date;
  updatedAt: Date;
}

/**
 * The faces and images that a committed transaction removed: the gallery drops the faces at once, then the files are
 * erased.
 */
export interface Removed {
  faces: FaceId[];
  /** Unreadable already, because their keys are gone. */
  images: ImageId[];
}

/** A photo of a blacklist as its operator sees it. */
export interface BlacklistPhoto {
  id: UploadItemId;
  uploadId: UploadId;
  name: string;
  status: ItemStatus;
  faceId: FaceId | null;
  failureCode: FailureCode | null;
  addedAt: Date;
  processedAt: Date | null;
  /** null: it is no face yet. */
  listing: FaceListing | null;
}

export interface Blacklists {
  /**
   * `name-taken`: another blacklist of the company has the name, in whichever case and spelling of the same letters.
   * @param key the name as it is compared: see `nameKey`
   */
  create(
    company: CompanyId,
    fields: BlacklistFields,
    key: string,
    act: AuditContext,
  ): Promise<Result<{ blacklist: Blacklist }, 'name-taken'>>;
  /** @param fields absent ones keep their value @param key of a new name */
  update(
    company: CompanyId,
    id: BlacklistId,
    fields: BlacklistEdit,
    key: string | undefined,
    act: AuditContext,
  ): Promise<Result<{ blacklist: Blacklist }, 'name-taken' | 'unknown'>>;
  setStatus(
    company: CompanyId,
    id: BlacklistId,
    status: BlacklistStatus,
    act: AuditContext,
  ): Promise<Blacklist | undefined>;
  find(company: CompanyId, id: BlacklistId): Promise<Blacklist | undefined>;
  /** @param key the name as it is compared */
  named(company: CompanyId, key: string): Promise<Blacklist | undefined>;
  /** Oldest first. */
  list(
    company: CompanyId,
    options: { status?: BlacklistStatus | undefined; offset: number; limit?: number },
  ): Promise<{ rows: Blacklist[]; total: number }>;
  /** Every list of the company without its counts, oldest first. */
  all(company: CompanyId): Promise<Pick<Blacklist, 'id' | 'name' | 'status'>[]>;
  /**
   * One transaction: the list, its faces, templates and the keys of its images are gone, its waiting photos end as
   * CANCELLED. @returns undefined when there is no such list
   */
  delete(company: CompanyId, id: BlacklistId, act: AuditContext): Promise<Removed | undefined>;
  /** The same for one face. @returns undefined when there is no such face in this list */
  deleteFace(
    company: CompanyId,
    id: BlacklistId,
    face: FaceId,
    act: AuditContext,
  ): Promise<Removed | undefined>;
  /** Waiting, enrolled and failed, newest first; `before` is the last one of the page before. Deleted faces are gone. */
  photos(
    company: CompanyId,
    id: BlacklistId,
    page: { status?: ItemStatus | undefined; before?: UploadItemId | undefined; limit: number },
  ): Promise<BlacklistPhoto[]>;
}

export interface FlowVersion {
  id: number;
  number: number;
  settings: FlowSettings;
  /** Names of the chosen blacklists when the version was saved, by id. */
  blacklistNames: Record<string, string>;
}

/** What a screening uses of a flow. */
export interface TrustFlow {
  id: TrustFlowId;
  name: string;
  /** The internal flow of bulk enrolment: not editable, not usable for verifications. */
  system: boolean;
  /** The version that new validations use; null only for the system flow. */
  version: FlowVersion | null;
  createdAt: Date;
  /** When a version was saved last. */
  updatedAt: Date;
}

/** A validation that has not been finalised, or has: what finalising must know. */
export interface ValidationState {
  id: TrustValidationId;
  trustFlowId: TrustFlowId;
  status: TrustValidationStatus;
  version: FlowVersion | null;
  /**
   * Every accepted selfie, oldest first: the last one is the photo of the validation. `template` is null when another
   * pipeline made it: the selfie cannot be compared until it is described again.
   */
  selfies: readonly { faceId: FaceId; template: Template | null }[];
  name: string;
  metadata: unknown;
  createdAt: Date;
  finalizedAt: Date | null;
}

/** One match as it is written, once. */
export interface MatchRecord {
  kind: 'duplicate' | 'blacklist';
  blacklist: { id: BlacklistId; name: string } | null;
  faceId: FaceId;
  /** The selfie that was compared. */
  probeFaceId: FaceId;
  matchedValidationId: TrustValidationId | null;
  fullName: string;
  distance: number;
  score: number;
  band: MatchBand;
  enrolledAt: Date;
  /** Of the face of the blacklist at the time of the match; null: a duplicate. */
  listing: FaceListing | null;
}

export interface Validations {
  /** @throws {UnavailableError} a validation of the company has the same `requestId`: another service made it meanwhile */
  create(
    company: CompanyId,
    validation: {
      trustFlowId: TrustFlowId;
      versionId: number;
      /** absent: the name states the number of the verification */
      name?: string | undefined;
      metadata: unknown;
      requestId?: string | undefined;
    },
    act: AuditContext,
  ): Promise<TrustValidationId>;
  /** @returns the validation that a request of an operator created */
  createdBy(company: CompanyId, requestId: string): Promise<TrustValidationId | undefined>;
  /** @param pipeline of the template that is wanted */
  state(
    company: CompanyId,
    id: TrustValidationId,
    pipeline: PipelineId,
  ): Promise<ValidationState | undefined>;
  /**
   * Keeps the selfie of an open validation. Earlier ones stay, do not match, and are screened at finalisation.
   * @returns the face, and the earlier one whose place it took; undefined when the validation is not open any more
   */
  setSelfie(
    company: CompanyId,
    id: TrustValidationId,
    selfie: {
      image: WrittenImage;
      facts: ImageFacts;
      face: ExtractedFace;
      /** The photo shows the person more than once. */
      onePerson: boolean;
      name: string;
      /** Others are compared with it from now on, and not only once the validation is Verified. */
      matchable: boolean;
    },
    act: AuditContext,
  ): Promise<{ faceId: FaceId; superseded: FaceId[] } | undefined>;
  /** Writes into the history of an open validation that a selfie could not be used. */
  refuseSelfie(
    company: CompanyId,
    id: TrustValidationId,
    failureCode: FailureCode,
    act: AuditContext,
  ): Promise<void>;
  /**
   * One transaction: status, entries, facts, history, and whether the selfie is matchable.
   * @returns `closed`: it was finalised before; `outdated`: the outcome no longer follows from what is stored. Nothing is
   *   written in either case.
   */
  finalise(
    company: CompanyId,
    id: TrustValidationId,
    outcome: {
      status: TrustValidationStatus;
      matches: readonly MatchRecord[];
      facts: ScreeningFacts | null;
      /** The selfies that were screened: all of the validation, oldest first. */
      selfies: readonly FaceId[];
      /**
       * Whether the screening would have the same matches now; absent: no other service can have changed that. It runs in
       * the transaction, before which no other of the company can commit, and must not use the store.
       */
      stands?: () => Promise<boolean>;
    },
    act: AuditContext,
  ): Promise<'finalised' | 'closed' | 'outdated'>;
  /**
   * A person's decision, if the status is still the one they saw; the selfie is matchable exactly while it is Verified.
   * `changed`: the validation has another status than the reviewer saw.
   */
  decide(
    company: CompanyId,
    id: TrustValidationId,
    decision: {
      seen: TrustValidationStatus;
      status: TrustValidationStatus;
      action: HistoryEntry['action'];
      note: string;
    },
    act: AuditContext,
  ): Promise<'decided' | 'changed' | 'unknown'>;
  detail(company: CompanyId, id: TrustValidationId): Promise<ValidationDetail | undefined>;
  /** Newest first; stays right while rows are added, because the cursor is an id. */
  list(company: CompanyId, query: ValidationQuery & { offset?: number }): Promise<ValidationSummary[]>;
}
