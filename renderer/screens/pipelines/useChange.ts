import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { PipelineState } from '../../../core/contracts/dashboard/pipelines.ts';
import { pipelinesQuery } from '../../api/pipelines.ts';

/** Runs a change of the pipelines and shows its answer. */
export function useChange<T>(
  ask: (input: T) => Promise<PipelineState>,
  done?: (state: PipelineState) => void,
) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ask,
    onSuccess: (state) => {
      client.setQueryData(pipelinesQuery.queryKey, state);
      done?.(state);
    },
    onSettled: () => client.invalidateQueries({ queryKey: ['pipelines'] }),
  });
}
