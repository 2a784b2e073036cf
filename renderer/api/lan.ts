import { queryOptions } from '@tanstack/react-query';
import { networkAccessState, type NetworkAccessRequest } from '../../core/contracts/network.ts';
import { ask } from './client.ts';

export const networkAccessQuery = queryOptions({
  queryKey: ['lan'],
  queryFn: ({ signal }) => ask('GET', '/system/lan', networkAccessState, { signal }),
});
/** Another certificate for the same names; whoever trusts the present one must be given it. */
export const renewLan = () => ask('POST', '/system/lan/renew', networkAccessState);
/** @param wanted null: no other machine is let in */
export const setLan = (wanted: NetworkAccessRequest | null) =>
  wanted === null
    ? ask('DELETE', '/system/lan', networkAccessState)
    : ask('PUT', '/system/lan', networkAccessState, { body: wanted });
