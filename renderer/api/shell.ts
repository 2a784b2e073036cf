import { translateServerMessage } from '../i18n/errors.ts';
import { SHELL_BRIDGE, type FolderGrant, type ShellBridge } from '../../core/contracts/shell.ts';
import { offeredFolder, folderReceipt } from '../../core/contracts/dashboard/folders.ts';
import { requestJson, ApiError } from './client.ts';
import { runQueryOf, type EnrolTarget, type RunFacts } from './work.ts';

/** The desktop shell around this page; undefined in a browser. */
export function shell(): ShellBridge<File> | undefined {
  return Reflect.get(window, SHELL_BRIDGE) as ShellBridge<File> | undefined;
}

/** A photo in a folder that the desktop shell granted to the service. The service reads it in its place. */
export interface FolderPhoto {
  grantId: string;
  /** In the folder's list. */
  place: number;
  size: number;
  skip: ReturnType<typeof offeredFolder.parse>['files'][number]['skip'];
}

/** Lists the photos of a granted folder. @throws {ApiError} the service refused the folder */
export async function readOfferedFolder(offer: FolderGrant): Promise<{ path: string; file: FolderPhoto }[]> {
  if ('refused' in offer)
    throw new ApiError(422, translateServerMessage(offer.refused), { code: offer.refused.code });
  const { grantId } = offer;
  const { name, files } = await requestJson('GET', `/folders/${grantId}`, offeredFolder);
  return files.map(({ path, bytes, skip }, place) => ({
    path: `${name}/${path}`,
    file: { grantId, place, size: bytes, skip },
  }));
}

/** Sends one batch by naming it: not a byte of it goes through the page. All of one folder. @returns the upload's id */
export async function sendFolderBatch(
  target: EnrolTarget,
  photos: readonly FolderPhoto[],
  idempotencyKey: string,
  signal: AbortSignal,
  run: RunFacts,
): Promise<string> {
  const body = {
    files: photos.map(({ place }) => place),
    persons: run.persons ?? undefined,
    ...(target.kind === 'blacklist' && { blacklist: target.id, listing: target.listing }),
  };
  const path = `/folders/${photos[0]?.grantId ?? ''}/uploads${runQueryOf(run)}`;
  return (await requestJson('POST', path, folderReceipt, { body, signal, idempotencyKey })).uploadId;
}
