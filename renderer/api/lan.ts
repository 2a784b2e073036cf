import { queryOptions } from '@tanstack/react-query';
import { lanState, type LanRequest } from '../../core/contracts/network.ts';
import { ask } from './client.ts';

export const lanQuery = queryOptions({
  queryKey: ['lan'],
  queryFn: ({ signal }) => ask('GET', '/system/lan', lanState, { signal }),
});
/** Another certificate for the same names; whoever trusts the present one must be given it. */
export const renewLan = () => ask('POST', '/system/lan/renew', lanState);
/** @param wanted null: no other machine is let in */
export const setLan = (wanted: LanRequest | null) =>
  wanted === null
    ? ask('DELETE', '/system/lan', lanState)
    : ask('PUT', '/system/lan', lanState, { body: wanted });
