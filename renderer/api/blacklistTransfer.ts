import { queryOptions } from '@tanstack/react-query';
import { z } from 'zod';
import {
  importList,
  importResult,
  receivedPackage,
  installationView,
  trustedInstallationList,
  trustedInstallationView,
  undoResult,
  waitingPackageList,
  type InstallationTrust,
} from '../../core/contracts/blacklistTransfer.ts';
import { requestJson, requestFile, queryString } from './client.ts';

/** The exchange of blacklists between installations. */
export const TRANSFER_KEY = ['exchange'];
/** How often an import is looked at while it runs; milliseconds. */
const POLL_INTERVAL_MS = 1_000;

export const trustedInstallationsQuery = queryOptions({
  queryKey: ['exchange', 'installations'],
  queryFn: ({ signal }) => requestJson('GET', '/installations', trustedInstallationList, { signal }),
});
export const ownInstallationQuery = queryOptions({
  queryKey: ['exchange', 'own'],
  queryFn: ({ signal }) => requestJson('GET', '/installations/own', installationView, { signal }),
});
export const importsQuery = queryOptions({
  queryKey: ['exchange', 'imports'],
  queryFn: ({ signal }) => requestJson('GET', '/blacklists/imports', importList, { signal }),
});
/** Looked at again and again while one is being imported, by whomever. */
export const pendingPackagesQuery = queryOptions({
  queryKey: ['exchange', 'packages'],
  queryFn: ({ signal }) => requestJson('GET', '/blacklists/packages', waitingPackageList, { signal }),
  refetchInterval: ({ state }) =>
    state.data?.items.some(({ progress }) => progress !== null) === true ? POLL_INTERVAL_MS : false,
});
export const revertPlanQuery = (id: number) =>
  queryOptions({
    queryKey: ['exchange', 'undo', id],
    queryFn: ({ signal }) => requestJson('GET', `/blacklists/imports/${id}/undo`, undoResult, { signal }),
    // An operator decides by this plan, so it is never taken from the cache.
    gcTime: 0,
  });

export const trustInstallation = (trust: InstallationTrust) =>
  requestJson('POST', '/installations', trustedInstallationView, { body: trust });
export const revokeInstallation = (id: number) => requestJson('DELETE', `/installations/${id}`, z.null());
export const exportBlacklist = (list: number, wanted: { installation: number; photos: boolean }) =>
  requestFile(`/blacklists/${list}/export`, wanted);
export const receivePackage = (file: Blob, into: number | undefined) =>
  requestJson('POST', `/blacklists/packages${queryString({ into })}`, receivedPackage, {
    body: file.slice(0, file.size, 'application/octet-stream'),
  });
export const importPackage = (packageId: string, into: number | undefined) =>
  requestJson('POST', `/blacklists/packages/${packageId}/import`, importResult, { body: { into } });
export const discardPackage = (packageId: string) =>
  requestJson('DELETE', `/blacklists/packages/${packageId}`, z.null());
export const revertImport = (id: number) => requestJson('POST', `/blacklists/imports/${id}/undo`, undoResult);
