import { queryOptions } from '@tanstack/react-query';
import { limitState, type LimitChange } from '../../core/contracts/limits/limitShapes.ts';
import { ask } from './client.ts';

export const limitsQuery = queryOptions({
  queryKey: ['settings'],
  queryFn: ({ signal }) => ask('GET', '/settings', limitState, { signal }),
});
export const changeLimits = (change: LimitChange) =>
  ask('PATCH', '/settings', limitState, { body: { change } });
