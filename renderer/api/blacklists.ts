import { z } from 'zod';
import {
  blacklistFacePage,
  blacklistList,
  blacklistRow,
  facesMoved,
  listingChanged,
  type BlacklistChange,
  type BlacklistEdit,
} from '../../core/contracts/dashboard/blacklists.ts';
import { type FaceListing, type FaceListingEdit, ofTexts } from '../../core/contracts/faceListing.ts';
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
import { flowList, flowRow, type FlowRow, type KeptFlowSettings } from '../../core/contracts/flows.ts';
import { pagesQuery, queryString, readQuery, requestJson, requestFile } from './client.ts';

const FACES_PER_PAGE = 200;

export const blacklistsQuery = readQuery(['blacklists', 'list'], '/blacklists', blacklistList);

export const facesQuery = (id: number, status: number | undefined) =>
  pagesQuery(
    ['blacklists', 'faces', id, status],
    blacklistFacePage,
    (cursor) => `/blacklists/${id}/faces${queryString({ status, limit: FACES_PER_PAGE, cursor })}`,
  );

export const createBlacklist = (edit: BlacklistEdit) =>
  requestJson('POST', '/blacklists', blacklistRow, { body: edit });
export const changeBlacklist = (id: number, change: BlacklistChange) =>
  requestJson('PATCH', `/blacklists/${id}`, blacklistRow, { body: change });
export const deleteBlacklist = (id: number) => requestJson('DELETE', `/blacklists/${id}`, z.unknown());
export const changeListing = (
  id: number,
  faces: readonly number[],
  { name, ...change }: FaceListingEdit & { name?: string },
) => requestJson('PATCH', `/blacklists/${id}/faces`, listingChanged, { body: { ids: faces, change, name } });
/** Moves faces of a list to another one. */
export const moveFaces = (from: number, faces: readonly number[], to: number) =>
  requestJson('POST', `/blacklists/${from}/faces/move`, facesMoved, { body: { ids: faces, to } });
/** A listing as the query of a request whose body is a photo. */
export function listingQuery({ severity, expiresAt, ...texts }: FaceListing) {
  return {
    severity,
    ...ofTexts((field) => texts[field] ?? undefined),
    expiresAt: expiresAt ?? undefined,
  } satisfies Record<keyof FaceListing, unknown>;
}
export const removeFaces = (id: number, faces: readonly number[]) =>
  requestJson('POST', `/blacklists/${id}/faces/remove`, z.unknown(), { body: { ids: faces } });

/** The exchange of blacklists between installations. */
export const TRANSFER_KEY = ['exchange'];
/** How often an import is looked at while it runs; milliseconds. */
const POLL_INTERVAL_MS = 1_000;

export const trustedInstallationsQuery = readQuery(
  ['exchange', 'installations'],
  '/installations',
  trustedInstallationList,
);
export const ownInstallationQuery = readQuery(['exchange', 'own'], '/installations/own', installationView);
export const importsQuery = readQuery(['exchange', 'imports'], '/blacklists/imports', importList);
/** Looked at again and again while one is being imported, by whomever. */
export const pendingPackagesQuery = readQuery(
  ['exchange', 'packages'],
  '/blacklists/packages',
  waitingPackageList,
  {
    refetchInterval: ({ state }) =>
      state.data?.items.some(({ progress }) => progress !== null) === true ? POLL_INTERVAL_MS : false,
  },
);
export const revertPlanQuery = (id: number) =>
  readQuery(['exchange', 'undo', id], `/blacklists/imports/${id}/undo`, undoResult, {
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

export const flowsQuery = readQuery(['flows'], '/flows', flowList);

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
