import { ITEM_STATUS } from '../../contracts/codes.ts';
import type { CompanyId, UploadId } from '../../contracts/ids.ts';
import type { Actor } from '../ports/auditContext.ts';
import type { AuditEntryFilter } from '../ports/audit.ts';
import type { Clock } from '../ports/machine.ts';
import type { BlacklistService } from './service.ts';
import { hasPassed } from '../values/time.ts';
import type { Uploads } from '../../storage/enrolment/uploads.ts';
import type { AuditLog } from '../../storage/audit/auditLog.ts';
import type { Faces } from '../../storage/faces/faces.ts';

/** How long an operator who added a face from a search may undo this without an admin, milliseconds. */
const TAKE_BACK_TIME = 60 * 60 * 1000;

interface AdditionPorts {
  audit: AuditLog;
  uploads: Uploads;
  faces: Pick<Faces, 'summaries'>;
  blacklistService: BlacklistService;
  clock: Clock;
}

/**
 * Erases the face that an operator added from a search. Only the audit log has the operator and the time of the addition.
 * @returns `unknown`: they did not, or too long ago; `waiting`: the photo has no answer yet. One that was refused, or
 * is gone already, is `done`.
 */
export async function takeBackAddition(
  { audit, uploads, faces, blacklistService, clock }: AdditionPorts,
  company: CompanyId,
  id: UploadId,
  by: Actor,
): Promise<'done' | 'waiting' | 'unknown'> {
  const filter: AuditEntryFilter = { action: 'upload.accepted', actor: by, objects: [`upload:${id}`] };
  const [entry] = await audit.list(company, { filter, limit: 1 });
  if (entry === undefined || hasPassed(entry.at, TAKE_BACK_TIME, clock.now())) return 'unknown';
  const facts = JSON.parse(entry.details) as { from?: unknown };
  if (facts.from !== 'search') return 'unknown';
  const upload = await uploads.find(company, 'blacklist', id);
  if (upload?.target.kind !== 'blacklist') return 'unknown';
  if (upload.items.some(({ status }) => status === ITEM_STATUS.Pending)) return 'waiting';
  // The face may have been moved to another list since.
  const added = upload.items.flatMap(({ faceId }) => faceId ?? []);
  for (const { faceId, watchlist } of await faces.summaries(company, added))
    if (watchlist.kind === 'blacklist')
      await blacklistService.deleteFace(company, watchlist.blacklistId, faceId, by);
  return 'done';
}
