import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import {
  pipelineState,
  refusedFacePage,
  type PipelineStep,
} from '../../core/contracts/dashboard/pipelines.ts';
import { ask, queryString } from './client.ts';

export const pipelinesQuery = queryOptions({
  queryKey: ['pipelines', 'state'],
  queryFn: ({ signal }) => ask('GET', '/pipelines', pipelineState, { signal }),
});
export const refusedFacesQuery = infiniteQueryOptions({
  queryKey: ['pipelines', 'refused'],
  queryFn: ({ pageParam, signal }) =>
    ask('GET', `/pipelines/refused${queryString({ cursor: pageParam })}`, refusedFacePage, { signal }),
  initialPageParam: undefined as string | undefined,
  getNextPageParam: (page) => page.nextCursor ?? undefined,
});

/** Describes everybody by the pipeline of this name, in the background. */
export const choosePipeline = (name: string) =>
  ask('POST', '/pipelines/use', pipelineState, { body: { name } });
export const changePipeline = (step: PipelineStep) =>
  ask('POST', '/pipelines/change', pipelineState, { body: { step } });
