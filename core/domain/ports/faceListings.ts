/** Severity, reason and expiry of the faces in blacklists. */
import type { CompanyId, FaceId } from '../../contracts/ids.ts';

/** Faces of a company that a commit put into the gallery or took out of it. */
export interface MatchableChange {
  company: CompanyId;
  faces: FaceId[];
}
