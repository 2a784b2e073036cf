/** Severity, reason and expiry of the faces in blacklists. */
import type { FaceListing, FaceListingEdit } from '../../contracts/faceListing.ts';
import type { BlacklistId, CompanyId, FaceId } from '../../contracts/ids.ts';
import type { AuditContext } from './auditContext.ts';

/** Faces of a company that a commit put into the gallery or took out of it. */
export interface MatchableChange {
  company: CompanyId;
  faces: FaceId[];
}

export interface FaceListings {
  /**
   * One transaction with an audit entry for each face that changed. A face matches from then on exactly while its time is
   * not over.
   * @param edit absent fields keep their value
   * @returns faces of the list that exist, and how each is listed now; others are left out
   */
  change(
    company: CompanyId,
    list: BlacklistId,
    faces: readonly FaceId[],
    edit: FaceListingEdit,
    act: AuditContext,
  ): Promise<{ faceId: FaceId; listing: FaceListing }[]>;
  /**
   * Moves faces to another blacklist of the company, one transaction with an audit entry for each. Severity, reason and
   * expiry stay; a face matches in the other list if its time is not over.
   * @returns the faces that were in `from`; `unknown`: there is no list `to`; `inactive`: it takes no faces
   */
  move(
    company: CompanyId,
    lists: { from: BlacklistId; to: BlacklistId },
    faces: readonly FaceId[],
    act: AuditContext,
  ): Promise<FaceId[] | 'unknown' | 'inactive'>;
  /** Those of the faces whose time in their blacklist is over. */
  expiredOf(company: CompanyId, faces: readonly FaceId[], now: Date): Promise<FaceId[]>;
  /**
   * Brings the stored faces of all companies in step with the clock, one transaction: faces whose time is over are no
   * longer matchable, and faces whose time is not over yet are matchable again, after a clock was corrected.
   * @param limit faces of one call; more remain for the next
   */
  follow(now: Date, limit: number): Promise<{ ended: MatchableChange[]; resumed: MatchableChange[] }>;
}
