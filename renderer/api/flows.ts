import { queryOptions } from '@tanstack/react-query';
import { flowList, flowRow, type KeptFlowSettings } from '../../core/contracts/dashboard/flows.ts';
import { requestJson } from './client.ts';

export const flowsQuery = queryOptions({
  queryKey: ['flows'],
  queryFn: ({ signal }) => requestJson('GET', '/flows', flowList, { signal }),
});

export const createFlow = (name: string) => requestJson('POST', '/flows', flowRow, { body: { name } });
export const renameFlow = (id: number, name: string) =>
  requestJson('PATCH', `/flows/${id}`, flowRow, { body: { name } });
/** Keeps the settings as a draft: nothing is screened by them yet. */
export const saveTool = (id: number, settings: KeptFlowSettings) =>
  requestJson('PUT', `/flows/${id}/tool`, flowRow, { body: settings });
export const dropDraft = (id: number) => requestJson('DELETE', `/flows/${id}/tool`, flowRow);
/** Makes the draft the version that new validations use. */
export const saveFlow = (id: number) => requestJson('POST', `/flows/${id}/save`, flowRow);
