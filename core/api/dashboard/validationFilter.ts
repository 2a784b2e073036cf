import type { TrustValidationStatus } from '../../contracts/codes.ts';
import type { ValidationQuery } from '../../contracts/dashboard/validations.ts';
import type { ValidationFilter } from '../../domain/ports/dashboard.ts';
import { periodOf } from '../http/query.ts';

/** The filter of a query of the list, as the queries of the dashboard take it. */
export function filterOf({
  status,
  source,
  flow,
  hit,
  band,
  text,
  ...period
}: ValidationQuery): ValidationFilter {
  return {
    status: status as TrustValidationStatus | undefined,
    source,
    flow,
    hit,
    band,
    text,
    ...periodOf(period),
  };
}
