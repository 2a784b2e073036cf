/** Signature specimens and refusals of them, as the dashboard and the terminal receive them. */
import { problem, type Problem } from '../../contracts/errors/problem.ts';
import { SIGNATURE_FAULT_PROBLEMS } from '../../contracts/signatures.ts';
import { SPECIMEN_LIMITS, type SignatureSpecimenBody } from '../../contracts/specimens.ts';
import type { SignatureSpecimen } from '../ports/specimens.ts';
import type { SpecimenAdded } from './specimens.ts';

export function specimenBody(specimen: SignatureSpecimen): SignatureSpecimenBody {
  const { id, sha256, format, bytes, addedAt, addedBy } = specimen;
  return { id, sha256, format, bytes, addedAt: addedAt.toISOString(), addedBy };
}

/** Why an image was not stored as a specimen. */
export function specimenProblem(refusal: Exclude<SpecimenAdded, { kind: 'done' }>): Problem {
  switch (refusal.kind) {
    case 'off':
      return problem('SPECIMENS_OFF');
    case 'full':
      return problem('SPECIMENS_FULL', { most: SPECIMEN_LIMITS.most });
    case 'same':
      return problem('SPECIMEN_PRESENT');
    case 'notFound':
      return problem('NOT_FOUND');
    case 'unusable':
      return problem('SPECIMEN_UNUSABLE');
    case 'refused':
      return SIGNATURE_FAULT_PROBLEMS[refusal.fault]('image', SPECIMEN_LIMITS.bytes);
  }
}
