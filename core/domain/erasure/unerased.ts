/** The due records that the last run of retention rules could not erase, as its audit entry names them. */
import { z } from 'zod';
import { recordsIn, type ErasureChoice } from '../../contracts/erasure.ts';
import type { CompanyId } from '../../contracts/ids.ts';
import type { PhotoReference } from '../ports/auditEntry.ts';
import type { AuditLog } from '../../storage/audit/auditLog.ts';

/** Ids of one kind that are named; the log of the service names all. */
const MAX_NAMED = 20;
const ids = z.array(z.number()).default([]);
const recorded = z.object({
  unerased: z.number().default(0),
  validations: ids,
  faces: ids,
  comparisons: ids,
  photos: z.array(z.string()).default([]),
});

export interface Unerased {
  count: number;
  /** Such as `validation:7` or `photo:UPLOAD:INDEX`; not all of many. */
  named: string[];
}

/** The details of the audit entry of a run. */
export function unerasedDetails(records: ErasureChoice) {
  return {
    unerased: recordsIn(records),
    validations: records.validations.slice(0, MAX_NAMED),
    faces: records.faces.slice(0, MAX_NAMED),
    comparisons: records.comparisons.slice(0, MAX_NAMED),
    photos: records.photos
      .slice(0, MAX_NAMED)
      .map(({ uploadId, index }): PhotoReference => `${uploadId}:${index}`),
  };
}

/** The records that the last run of a company left. */
export async function lastUnerased(audit: Pick<AuditLog, 'list'>, company: CompanyId): Promise<Unerased> {
  const [last] = await audit.list(company, { filter: { action: 'retention.applied' }, limit: 1 });
  const { unerased, validations, faces, comparisons, photos } = recorded.parse(
    JSON.parse(last?.details ?? '{}'),
  );
  const named = [
    ...validations.map((id) => `validation:${id}`),
    ...faces.map((id) => `face:${id}`),
    ...comparisons.map((id) => `comparison:${id}`),
    ...photos.map((id) => `photo:${id}`),
  ];
  return { count: unerased, named };
}
