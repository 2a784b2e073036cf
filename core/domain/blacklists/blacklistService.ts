import { CodedError } from '../../contracts/errors/problem.ts';
import { ITEM_STATUS } from '../../contracts/codes.ts';
import type { BlacklistId, CompanyId, FaceId, UploadId } from '../../contracts/ids.ts';
import type { AuditContext, Actor } from '../ports/auditContext.ts';
import type { GalleryPort } from '../ports/gallery.ts';
import type { ImageFiles } from '../ports/images.ts';
import type { Logger } from '../ports/machine.ts';
import type { Removed } from '../ports/screening.ts';
import type { AuditEntryFilter } from '../ports/auditEntry.ts';
import { hasPassed } from '../values/time.ts';
import type { Faces } from '../../storage/faces/faces.ts';
import { afterCommit, FOLLOWS } from '../work/afterCommit.ts';
import { discardImages } from '../work/writtenImages.ts';
import type { Parts } from '../serviceParts.ts';

type RemovalPorts = Pick<Parts, 'blacklists' | 'gallery' | 'images' | 'log'>;

/** Gone with its faces and images; entries of past screenings stay as they were. @returns false: no such list */
export async function deleteBlacklist(
  ports: RemovalPorts,
  company: CompanyId,
  id: BlacklistId,
  act: AuditContext,
): Promise<boolean> {
  const removed = await ports.blacklists.delete(company, id, act);
  if (removed !== undefined) await forget(ports, company, removed);
  return removed !== undefined;
}

/** @returns false: the list has no such face */
export async function deleteListedFace(
  ports: RemovalPorts,
  company: CompanyId,
  { id, face }: { id: BlacklistId; face: FaceId },
  act: AuditContext,
): Promise<boolean> {
  const removed = await ports.blacklists.deleteFace(company, id, face, act);
  if (removed !== undefined) await forget(ports, company, removed);
  return removed !== undefined;
}

/** How long an operator who added a face from a search may undo this without an admin, milliseconds. */
const TAKE_BACK_TIME = 60 * 60 * 1000;

interface AdditionPorts extends RemovalPorts, Pick<Parts, 'audit' | 'uploads' | 'clock'> {
  faces: Pick<Faces, 'summaries'>;
}

/**
 * Erases the face that an operator added from a search. Only the audit log has the operator and the time of the addition.
 * One that was refused, or is gone already, is as it was wished.
 * @throws {CodedError} NOT_FOUND: they did not, or too long ago; STILL_WAITING: the photo has no answer yet
 */
export async function takeBackAddition(
  ports: AdditionPorts,
  company: CompanyId,
  id: UploadId,
  by: Actor,
): Promise<void> {
  const { audit, uploads, faces, clock } = ports;
  const filter: AuditEntryFilter = { action: 'upload.accepted', actor: by, objects: [`upload:${id}`] };
  const [entry] = await audit.list(company, { filter, limit: 1 });
  const isLate = entry === undefined || hasPassed(entry.at, TAKE_BACK_TIME, clock.now());
  if (isLate || (JSON.parse(entry.details) as { from?: unknown }).from !== 'search')
    throw new CodedError('NOT_FOUND');
  const upload = await uploads.find(company, 'blacklist', id);
  if (upload?.target.kind !== 'blacklist') throw new CodedError('NOT_FOUND');
  if (upload.items.some(({ status }) => status === ITEM_STATUS.Pending))
    throw new CodedError('STILL_WAITING');
  // The face may have been moved to another list since.
  const added = upload.items.flatMap(({ faceId }) => faceId ?? []);
  for (const { faceId, watchlist } of await faces.summaries(company, added))
    if (watchlist.kind === 'blacklist') {
      const listed = { id: watchlist.blacklistId, face: faceId };
      await deleteListedFace(ports, company, listed, { by, at: clock.now() });
    }
}

/**
 * Follows a committed removal: first its faces match no more, then the files go. A file that cannot be removed now
 * (its disk is away) cannot be read either, because its key is gone; the next start sweeps it away.
 */
export async function forget(
  ports: { gallery: GalleryPort; images: ImageFiles; log: Logger },
  company: CompanyId,
  { faces, images }: Removed,
): Promise<void> {
  await afterCommit(ports.log, { company, faces }, FOLLOWS.erased, () =>
    ports.gallery.remove(company, faces),
  );
  await discardImages(ports, company, images);
}
