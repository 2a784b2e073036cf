/** The parts of the store that blacklists, Trust Flows and verifications use. */
import type { TrustValidationStatus } from '../../contracts/codes.ts';
import type { FaceListing } from '../../contracts/faceListing.ts';
import type { Template } from '../../contracts/faces.ts';
import type { FlowSettings } from '../../contracts/flows.ts';
import type {
  BlacklistId,
  FaceId,
  ImageId,
  PersonId,
  TrustFlowId,
  TrustValidationId,
  CompanyId,
} from '../../contracts/ids.ts';
import type { PersonMatch } from '../../contracts/validations.ts';
import type { MatchBand } from '../scores/scores.ts';

/**
 * The faces and images that a committed transaction removed: the gallery drops the faces at once, then the files are
 * erased.
 */
export interface Removed {
  faces: FaceId[];
  /** Unreadable already, because their keys are gone. */
  images: ImageId[];
}

export interface FlowVersion {
  id: number;
  number: number;
  settings: FlowSettings;
  /** Names of the chosen blacklists when the version was saved, by id. */
  blacklistNames: Record<string, string>;
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

/** One match as it is written, once: a photo of a person who matched. */
export interface MatchRecord {
  /** Beside it, `distance`, `score` and `band` are those of the person. */
  person: PersonMatch & { id: PersonId | null };
  /** Of this photo alone. */
  photoDistance: number;
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

/** Faces of a company that a commit put into the gallery or took out of it. */
export interface MatchableChange {
  company: CompanyId;
  faces: FaceId[];
}
