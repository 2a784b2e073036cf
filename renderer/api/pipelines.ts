import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { pipelineState, refusedFacePage, type PipelineStep } from '../../core/contracts/pipelines.ts';
import { requestJson, queryString } from './client.ts';

export const pipelinesQuery = queryOptions({
  queryKey: ['pipelines', 'state'],
  queryFn: ({ signal }) => requestJson('GET', '/pipelines', pipelineState, { signal }),
});
export const extractionFailuresQuery = infiniteQueryOptions({
  queryKey: ['pipelines', 'refused'],
  queryFn: ({ pageParam, signal }) =>
    requestJson('GET', `/pipelines/refused${queryString({ cursor: pageParam })}`, refusedFacePage, {
      signal,
    }),
  initialPageParam: undefined as string | undefined,
  getNextPageParam: (page) => page.nextCursor ?? undefined,
});

/** Describes everybody by the pipeline of this name, in the background. */
export const choosePipeline = (name: string) =>
  requestJson('POST', '/pipelines/use', pipelineState, { body: { name } });
export const changePipeline = (step: PipelineStep) =>
  requestJson('POST', '/pipelines/change', pipelineState, { body: { step } });
