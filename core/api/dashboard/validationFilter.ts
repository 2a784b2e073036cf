import type { TrustValidationStatus } from '../../contracts/codes.ts';
import type { ValidationQuery } from '../../contracts/dashboard/validations.ts';
import type { ValidationFilter } from '../../domain/ports/dashboard.ts';

/** The filter of a query of the list, as the queries of the dashboard take it. */
export function filterOf({ status, flow, hit, band, text, from, until }: ValidationQuery): ValidationFilter {
  return {
    ...(status !== undefined && { status: status as TrustValidationStatus }),
    ...(flow !== undefined && { flow }),
    ...(hit !== undefined && { hit }),
    ...(band !== undefined && { band }),
    ...(text !== undefined && { text }),
    ...(from !== undefined && { from: new Date(from) }),
    ...(until !== undefined && { until: new Date(until) }),
  };
}
