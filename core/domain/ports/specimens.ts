/** Signature specimens: known signatures of a person, stored for later comparisons. */
import type { ImageFormat } from '../../contracts/faces.ts';
import type { ImageId, SignatureSpecimenId } from '../../contracts/ids.ts';
import type { Actor } from './auditContext.ts';

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
