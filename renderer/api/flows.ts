import { queryOptions } from '@tanstack/react-query';
import { requestJson } from './client.ts';
import { flowList, flowRow, type FlowRow, type KeptFlowSettings } from '../../core/contracts/flows.ts';

export const flowsQuery = queryOptions({
  queryKey: ['flows'],
  queryFn: ({ signal }) => requestJson('GET', '/flows', flowList, { signal }),
});

/** Begins a flow with a draft: no verification can use it until it is published. */
export const createFlow = (name: string, settings: Partial<KeptFlowSettings>) =>
  requestJson('POST', '/flows', flowRow, { body: { name, settings, draft: true } });
export const renameFlow = (id: number, name: string) =>
  requestJson('PATCH', `/flows/${id}`, flowRow, { body: { name } });
/** The flow as it is on the screen. The service refuses a change where another operator has changed it since. */
type Seen = Pick<FlowRow, 'id' | 'revision'>;
/** Keeps the settings as a draft: nothing is screened by them yet. Null discards the draft. */
export const saveTool = ({ id, revision }: Seen, settings: KeptFlowSettings | null) =>
  requestJson('PUT', `/flows/${id}/tool`, flowRow, { body: { settings, revision } });
/** Makes the draft the version that new validations use. */
export const saveFlow = ({ id, revision }: Seen) =>
  requestJson('POST', `/flows/${id}/save`, flowRow, { body: { revision } });
