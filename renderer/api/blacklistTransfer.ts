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
import { requestJson, requestFile, queryString } from './client.ts';

/** Everything of the exchange between sites. */
export const TRANSFER_KEY = ['exchange'];
/** How often an import is looked at while it runs; milliseconds. */
const LOOK_AGAIN = 1_000;

export const trustedInstallationsQuery = queryOptions({
  queryKey: ['exchange', 'sites'],
  queryFn: ({ signal }) => requestJson('GET', '/sites', trustedInstallationList, { signal }),
});
export const ownInstallationQuery = queryOptions({
  queryKey: ['exchange', 'own'],
  queryFn: ({ signal }) => requestJson('GET', '/sites/own', siteView, { signal }),
});
export const importsQuery = queryOptions({
  queryKey: ['exchange', 'imports'],
  queryFn: ({ signal }) => requestJson('GET', '/blacklists/imports', importList, { signal }),
});
/** Looked at again and again while one is being imported, by whomever. */
export const pendingPackagesQuery = queryOptions({
  queryKey: ['exchange', 'bundles'],
  queryFn: ({ signal }) => requestJson('GET', '/blacklists/bundles', waitingBundleList, { signal }),
  refetchInterval: ({ state }) =>
    state.data?.items.some(({ progress }) => progress !== null) === true ? LOOK_AGAIN : false,
});
export const revertPlanQuery = (id: number) =>
  queryOptions({
    queryKey: ['exchange', 'undo', id],
    queryFn: ({ signal }) => requestJson('GET', `/blacklists/imports/${id}/undo`, undoResult, { signal }),
    // An operator decides by this plan, so it is never taken from the cache.
    gcTime: 0,
  });

export const trustInstallation = (trust: InstallationTrust) =>
  requestJson('POST', '/sites', trustedInstallationView, { body: trust });
export const revokeInstallation = (id: number) => requestJson('DELETE', `/sites/${id}`, z.null());
export const exportBlacklist = (list: number, wanted: { site: number; photos: boolean }) =>
  requestFile(`/blacklists/${list}/export`, wanted);
export const receivePackage = (file: Blob, into: number | undefined) =>
  requestJson('POST', `/blacklists/bundles${queryString({ into })}`, receivedBundle, {
    body: file.slice(0, file.size, 'application/octet-stream'),
  });
export const importPackage = (bundle: string, into: number | undefined) =>
  requestJson('POST', `/blacklists/bundles/${bundle}/import`, importResult, { body: { into } });
export const discardPackage = (bundle: string) =>
  requestJson('DELETE', `/blacklists/bundles/${bundle}`, z.null());
export const revertImport = (id: number) => requestJson('POST', `/blacklists/imports/${id}/undo`, undoResult);
