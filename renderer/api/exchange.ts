import { queryOptions } from '@tanstack/react-query';
import { z } from 'zod';
import {
  importList,
  importResult,
  receivedBundle,
  siteView,
  trustedInstallationList,
  trustedInstallationView,
  undoResult,
  waitingBundleList,
  type InstallationTrust,
} from '../../core/contracts/blacklistTransfer.ts';
import { ask, askFile, queryString } from './client.ts';

/** Everything of the exchange between sites. */
export const EXCHANGE_KEY = ['exchange'];
/** How often an import is looked at while it runs; milliseconds. */
const LOOK_AGAIN = 1_000;

export const trustedInstallationsQuery = queryOptions({
  queryKey: ['exchange', 'sites'],
  queryFn: ({ signal }) => ask('GET', '/sites', trustedInstallationList, { signal }),
});
export const ownInstallationQuery = queryOptions({
  queryKey: ['exchange', 'own'],
  queryFn: ({ signal }) => ask('GET', '/sites/own', siteView, { signal }),
});
export const importsQuery = queryOptions({
  queryKey: ['exchange', 'imports'],
  queryFn: ({ signal }) => ask('GET', '/blacklists/imports', importList, { signal }),
});
/** Looked at again and again while one is being imported, by whomever. */
export const waitingBundlesQuery = queryOptions({
  queryKey: ['exchange', 'bundles'],
  queryFn: ({ signal }) => ask('GET', '/blacklists/bundles', waitingBundleList, { signal }),
  refetchInterval: ({ state }) =>
    state.data?.items.some(({ progress }) => progress !== null) === true ? LOOK_AGAIN : false,
});
export const undoPlanQuery = (id: number) =>
  queryOptions({
    queryKey: ['exchange', 'undo', id],
    queryFn: ({ signal }) => ask('GET', `/blacklists/imports/${id}/undo`, undoResult, { signal }),
    // What it says is decided upon: never what was true before.
    gcTime: 0,
  });

export const trustInstallation = (trust: InstallationTrust) =>
  ask('POST', '/sites', trustedInstallationView, { body: trust });
export const revokeInstallation = (id: number) => ask('DELETE', `/sites/${id}`, z.null());
export const exportBlacklist = (list: number, wanted: { site: number; photos: boolean }) =>
  askFile(`/blacklists/${list}/export`, wanted);
export const receiveBundle = (file: Blob, into: number | undefined) =>
  ask('POST', `/blacklists/bundles${queryString({ into })}`, receivedBundle, {
    body: file.slice(0, file.size, 'application/octet-stream'),
  });
export const importBundle = (bundle: string, into: number | undefined) =>
  ask('POST', `/blacklists/bundles/${bundle}/import`, importResult, { body: { into } });
export const dropBundle = (bundle: string) => ask('DELETE', `/blacklists/bundles/${bundle}`, z.null());
export const undoImport = (id: number) => ask('POST', `/blacklists/imports/${id}/undo`, undoResult);
