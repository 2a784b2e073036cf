import { queryOptions } from '@tanstack/react-query';
import { flowList, flowRow, type KeptFlowSettings } from '../../core/contracts/dashboard/flows.ts';
import { ask } from './client.ts';

export const flowsQuery = queryOptions({
  queryKey: ['flows'],
  queryFn: ({ signal }) => ask('GET', '/flows', flowList, { signal }),
});

export const createFlow = (name: string) => ask('POST', '/flows', flowRow, { body: { name } });
export const renameFlow = (id: number, name: string) =>
  ask('PATCH', `/flows/${id}`, flowRow, { body: { name } });
/** Keeps the settings as a draft: nothing is screened by them yet. */
export const saveTool = (id: number, settings: KeptFlowSettings) =>
  ask('PUT', `/flows/${id}/tool`, flowRow, { body: settings });
export const dropDraft = (id: number) => ask('DELETE', `/flows/${id}/tool`, flowRow);
/** Makes the draft the version that new validations use. */
export const saveFlow = (id: number) => ask('POST', `/flows/${id}/save`, flowRow);
