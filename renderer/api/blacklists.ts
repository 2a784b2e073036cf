import {
  blacklistApi,
  type BlacklistChange,
  type BlacklistEdit,
} from '../../core/contracts/dashboard/blacklists.ts';
import { transferApi, type InstallationTrust } from '../../core/contracts/blacklistTransfer.ts';
import { flowApi, type FlowRow, type KeptFlowSettings } from '../../core/contracts/flows.ts';
import { type FaceListing, type FaceListingEdit, ofTexts } from '../../core/contracts/faceListing.ts';
import { pagesQuery, readQuery, ask, requestFile } from './client.ts';

const FACES_PER_PAGE = 200;

export const blacklistsQuery = readQuery(['blacklists', 'list'], blacklistApi.list);

export const facesQuery = (id: number, status: number | undefined) =>
  pagesQuery(['blacklists', 'faces', id, status], blacklistApi.faces, (cursor) => ({
    params: { id },
    query: { status, limit: FACES_PER_PAGE, cursor },
  }));

export const createBlacklist = (edit: BlacklistEdit) => ask(blacklistApi.create, { body: edit });
export const changeBlacklist = (id: number, change: BlacklistChange) =>
  ask(blacklistApi.change, { params: { id }, body: change });
export const deleteBlacklist = (id: number) => ask(blacklistApi.delete, { params: { id } });
export const changeListing = (
  id: number,
  faces: readonly number[],
  { name, ...change }: FaceListingEdit & { name?: string },
) => ask(blacklistApi.changeListings, { params: { id }, body: { ids: faces, change, name } });
/** Moves faces of a list to another one. */
export const moveFaces = (from: number, faces: readonly number[], to: number) =>
  ask(blacklistApi.moveFaces, { params: { id: from }, body: { ids: faces, to } });
/** A listing as the query of a request whose body is a photo. */
export function listingQuery({ severity, expiresAt, ...texts }: FaceListing) {
  return {
    severity,
    ...ofTexts((field) => texts[field] ?? undefined),
    expiresAt: expiresAt ?? undefined,
  } satisfies Record<keyof FaceListing, unknown>;
}
export const removeFaces = (id: number, faces: readonly number[]) =>
  ask(blacklistApi.removeFaces, { params: { id }, body: { ids: faces } });

/** The exchange of blacklists between installations. */
export const TRANSFER_KEY = ['exchange'];
/** How often an import is looked at while it runs; milliseconds. */
const POLL_INTERVAL_MS = 1_000;

export const trustedInstallationsQuery = readQuery(['exchange', 'installations'], transferApi.installations);
export const ownInstallationQuery = readQuery(['exchange', 'own'], transferApi.ownInstallation);
export const importsQuery = readQuery(['exchange', 'imports'], transferApi.imports);
/** Looked at again and again while one is being imported, by whomever. */
export const pendingPackagesQuery = readQuery(['exchange', 'packages'], transferApi.packages, {
  refetchInterval: ({ state }) =>
    state.data?.items.some(({ progress }) => progress !== null) === true ? POLL_INTERVAL_MS : false,
});
export const revertPlanQuery = (id: number) =>
  readQuery(['exchange', 'undo', id], transferApi.undoPlan, { params: { id }, gcTime: 0 });

export const trustInstallation = (trust: InstallationTrust) => ask(transferApi.trust, { body: trust });
export const revokeInstallation = (id: number) => ask(transferApi.distrust, { params: { id } });
export const exportBlacklist = (list: number, wanted: { installation: number; photos: boolean }) =>
  requestFile(transferApi.export, { params: { id: list }, body: wanted });
export const receivePackage = (file: Blob, into: number | undefined) =>
  ask(transferApi.receive, {
    query: { into },
    body: file.slice(0, file.size, 'application/octet-stream'),
  });
export const importPackage = (packageId: string, into: number | undefined) =>
  ask(transferApi.import, { params: { id: packageId }, body: { into } });
export const discardPackage = (packageId: string) => ask(transferApi.discard, { params: { id: packageId } });
export const revertImport = (id: number) => ask(transferApi.undo, { params: { id } });

export const flowsQuery = readQuery(['flows'], flowApi.list);
/** The persons of each list that flows can compare with. */
export const flowsSearchedQuery = readQuery(['flows', 'searched'], flowApi.searched);

/** Begins a flow with a draft: no verification can use it until it is published. */
export const createFlow = (name: string, settings: Partial<KeptFlowSettings>) =>
  ask(flowApi.create, { body: { name, settings, draft: true } });
export const renameFlow = (id: number, name: string) =>
  ask(flowApi.rename, { params: { id }, body: { name } });
/** The flow as it is on the screen. The service refuses a change where another operator has changed it since. */
type Seen = Pick<FlowRow, 'id' | 'revision'>;
/** Keeps the settings as a draft: nothing is screened by them yet. Null discards the draft. */
export const saveTool = ({ id, revision }: Seen, settings: KeptFlowSettings | null) =>
  ask(flowApi.setDraft, { params: { id }, body: { settings, revision } });
/** Makes the draft the version that new validations use. */
export const saveFlow = ({ id, revision }: Seen) => ask(flowApi.save, { params: { id }, body: { revision } });
