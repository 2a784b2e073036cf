/** Signature specimens: known signatures of a person, stored for later comparisons. */
import type { ImageFormat } from '../../contracts/faces.ts';
import type { CompanyId, ImageId, PersonId, SignatureSpecimenId } from '../../contracts/ids.ts';
import type { Actor, AuditContext } from './auditContext.ts';
import type { WrittenImage } from './images.ts';

export interface SignatureSpecimen {
  id: SignatureSpecimenId;
  image: ImageId;
  /** Lowercase hex of the plain file. */
  sha256: string;
  format: ImageFormat;
  bytes: number;
  addedBy: Actor;
  addedAt: Date;
}

/** `off`: the company stores none. `full`: the person has the most already. `same`: the person has this very file. */
export type SpecimenRefusal = 'off' | 'full' | 'same' | 'notFound';

/**
 * A specimen belongs to a face of the person. It follows this face through merges, splits and their undo. When the face is
 * erased, another face of the person takes its place, in the same transaction; with the last face it is erased.
 */
export interface SignatureSpecimens {
  /** Refers to an image that was written, in one transaction with its audit entry. The caller discards a refused image. */
  add(
    company: CompanyId,
    person: PersonId,
    image: WrittenImage,
    act: AuditContext,
  ): Promise<{ kind: 'done'; specimen: SignatureSpecimen } | { kind: SpecimenRefusal }>;
  /** Those of a person, the oldest first; none where the company has no such person. */
  of(company: CompanyId, person: PersonId): Promise<SignatureSpecimen[]>;
  /** @returns the image, whose file the caller discards; undefined: the person has no such specimen */
  erase(
    company: CompanyId,
    person: PersonId,
    id: SignatureSpecimenId,
    act: AuditContext,
  ): Promise<ImageId | undefined>;
  /** All of the company, of persons or of faces that belong to no person at present. */
  count(company: CompanyId): Promise<number>;
}
