import { queryOptions } from '@tanstack/react-query';
import { limitState, type LimitChange } from '../../core/contracts/limits/limitShapes.ts';
import { requestJson } from './client.ts';

export const limitsQuery = queryOptions({
  queryKey: ['settings'],
  queryFn: ({ signal }) => requestJson('GET', '/settings', limitState, { signal }),
});
export const changeLimits = (change: LimitChange) =>
  requestJson('PATCH', '/settings', limitState, { body: { change } });
