import { queryOptions } from '@tanstack/react-query';
import { erasureAnswer, type ErasureRequest } from '../../core/contracts/dashboard/erasure.ts';
import { erasurePlan, type ErasureChoice } from '../../core/contracts/erasure.ts';
import { retentionPreview, type RetentionRules } from '../../core/contracts/retention.ts';
import { ask } from './client.ts';

export const planErasure = (choice: ErasureChoice) =>
  ask('POST', '/erasures/plan', erasurePlan, { body: { choice } });
export const erasePerson = (request: ErasureRequest) =>
  ask('POST', '/erasures', erasureAnswer, { body: request });

export const retentionQuery = queryOptions({
  queryKey: ['retention'],
  queryFn: ({ signal }) => ask('GET', '/retention', retentionPreview, { signal }),
});
export const previewRetention = (rules: RetentionRules) =>
  ask('POST', '/retention/preview', retentionPreview, { body: { rules } });
export const setRetention = (rules: RetentionRules, code: string) =>
  ask('PUT', '/retention', retentionPreview, { body: { rules, code } });
