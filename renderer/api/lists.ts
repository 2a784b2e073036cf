import {
  batchResult,
  MAX_BATCH,
  type BatchDecision,
  type ValidationExport,
} from '../../core/contracts/dashboard/lists.ts';
import {
  validationPage,
  type ValidationQuery,
  type ValidationRow,
} from '../../core/contracts/dashboard/validations.ts';
import { queryString, requestFile, requestJson } from './client.ts';

/** The first rows of a filter, as many as one action may concern, and how many there are. */
export async function firstOfFilter(
  filter: ValidationQuery,
): Promise<{ rows: readonly ValidationRow[]; total: number }> {
  const { items, total } = await requestJson(
    'GET',
    `/validations${queryString({ ...filter, limit: MAX_BATCH })}`,
    validationPage,
  );
  return { rows: items, total };
}

export const decideAll = (request: BatchDecision) =>
  requestJson('POST', '/validations/decisions', batchResult, { body: request });

export const exportValidations = (request: ValidationExport) => requestFile('/validations/export', request);

export const exportBlacklistFaces = (blacklist: number) =>
  requestFile(`/blacklists/${blacklist}/faces/export`, {});
