import { queryOptions } from '@tanstack/react-query';
import { networkAccessState, type NetworkAccessRequest } from '../../core/contracts/network.ts';
import { requestJson } from './client.ts';

export const networkAccessQuery = queryOptions({
  queryKey: ['network'],
  queryFn: ({ signal }) => requestJson('GET', '/system/network', networkAccessState, { signal }),
});
/** Creates another certificate for the same names. Clients that trust the present one need the new one. */
export const renewCertificate = () => requestJson('POST', '/system/network/renew', networkAccessState);
/** @param wanted null: no other machine is let in */
export const setNetworkAccess = (wanted: NetworkAccessRequest | null) =>
  wanted === null
    ? requestJson('DELETE', '/system/network', networkAccessState)
    : requestJson('PUT', '/system/network', networkAccessState, { body: wanted });
