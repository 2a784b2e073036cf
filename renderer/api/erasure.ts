import { queryOptions } from '@tanstack/react-query';
import {
  erasureAnswer,
  erasureList,
  receiptVerdict,
  type ErasureRequest,
  erasurePlan,
  signedReceipt,
  type ErasureSelection,
  type SignedReceipt,
} from '../../core/contracts/erasure.ts';
import { retentionPreview, type RetentionRules } from '../../core/contracts/retention.ts';
import { requestJson, requestFile } from './client.ts';

/** Where the aligned face of an enrolled photo is. */
export const faceThumbnailUrl = (face: number) => `/api/dashboard/faces/${face}/thumbnail`;

export const planErasure = (choice: ErasureSelection) =>
  requestJson('POST', '/erasures/plan', erasurePlan, { body: { choice } });
export const erasePerson = (request: ErasureRequest) =>
  requestJson('POST', '/erasures', erasureAnswer, { body: request });

export const erasuresQuery = queryOptions({
  queryKey: ['erasures', 'list'],
  queryFn: ({ signal }) => requestJson('GET', '/erasures', erasureList, { signal }),
});
export const receiptQuery = (id: string) =>
  queryOptions({
    queryKey: ['erasures', 'receipt', id],
    queryFn: ({ signal }) => requestJson('GET', `/erasures/${id}`, signedReceipt, { signal }),
  });
export const verifyReceipt = (receipt: SignedReceipt) =>
  requestJson('POST', '/erasures/verify', receiptVerdict, { body: receipt });
export const receiptReport = (id: string, language: string) =>
  requestFile(`/erasures/${id}/report`, { language });

export const retentionQuery = queryOptions({
  queryKey: ['retention'],
  queryFn: ({ signal }) => requestJson('GET', '/retention', retentionPreview, { signal }),
});
export const previewRetention = (rules: RetentionRules) =>
  requestJson('POST', '/retention/preview', retentionPreview, { body: { rules } });
export const setRetention = (rules: RetentionRules, code: string) =>
  requestJson('PUT', '/retention', retentionPreview, { body: { rules, code } });
