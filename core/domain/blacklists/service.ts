import { problem, type FieldProblems, fieldErrors } from '../../contracts/errors/problem.ts';
import { blacklistEdit, blacklistFields } from '../../contracts/blacklists.ts';
import { BLACKLIST_STATUS, type BlacklistStatus, ITEM_STATUS } from '../../contracts/codes.ts';
import type { BlacklistId, CompanyId, FaceId, UploadId } from '../../contracts/ids.ts';
import type { AuditContext, Actor } from '../ports/auditContext.ts';
import type { GalleryPort } from '../ports/gallery.ts';
import type { ImageFiles } from '../ports/images.ts';
import type { Logger } from '../ports/machine.ts';
import type { Blacklist, Removed } from '../ports/screening.ts';
import type { Blacklists } from '../../storage/screening/blacklists.ts';
import { nameKey } from '../../contracts/displayName.ts';
import type { AuditEntryFilter } from '../ports/auditEntry.ts';
import { hasPassed } from '../values/time.ts';
import type { Faces } from '../../storage/faces/faces.ts';
import { afterCommit, FOLLOWS } from '../work/afterCommit.ts';
import { Service, type Parts } from '../serviceParts.ts';

/** Field errors in the envelope's form, or what there is now. */
export type BlacklistOutcome =
  { kind: 'done'; blacklist: Blacklist } | { kind: 'invalid'; errors: FieldProblems } | { kind: 'unknown' };

type BlacklistServicePorts = Pick<Parts, 'blacklists' | 'gallery' | 'images' | 'clock' | 'log'>;

/** The operations on a company's blacklists. */
export class BlacklistService extends Service<BlacklistServicePorts> {
  async create(company: CompanyId, fields: unknown, by: Actor): Promise<BlacklistOutcome> {
    const parsed = blacklistFields.safeParse(fields);
    if (!parsed.success) return { kind: 'invalid', errors: fieldErrors(parsed.error) };
    const key = nameKey(parsed.data.name);
    return outcomeOf(await this.ports.blacklists.create(company, parsed.data, key, this.#act(by)));
  }

  /** @param fields absent ones keep the value that they have then, also where another operator changed it meanwhile */
  async edit(company: CompanyId, id: BlacklistId, fields: unknown, by: Actor): Promise<BlacklistOutcome> {
    const parsed = blacklistEdit.safeParse(fields);
    if (!parsed.success) return { kind: 'invalid', errors: fieldErrors(parsed.error) };
    const { name } = parsed.data;
    const key = name === undefined ? undefined : nameKey(name);
    return outcomeOf(await this.ports.blacklists.update(company, id, parsed.data, key, this.#act(by)));
  }

  /** Inactive: takes no new photos, is not screened against, cannot be chosen; its faces stay. */
  async setActive(
    company: CompanyId,
    id: BlacklistId,
    active: boolean,
    by: Actor,
  ): Promise<Blacklist | undefined> {
    const status: BlacklistStatus = active ? BLACKLIST_STATUS.Active : BLACKLIST_STATUS.Inactive;
    return this.ports.blacklists.setStatus(company, id, status, this.#act(by));
  }

  /** Gone with its faces and images; entries of past screenings stay as they were. @returns false: no such list */
  async delete(company: CompanyId, id: BlacklistId, by: Actor): Promise<boolean> {
    const removed = await this.ports.blacklists.delete(company, id, this.#act(by));
    if (removed !== undefined) await forget(this.ports, company, removed);
    return removed !== undefined;
  }

  async deleteFace(company: CompanyId, id: BlacklistId, face: FaceId, by: Actor): Promise<boolean> {
    const removed = await this.ports.blacklists.deleteFace(company, id, face, this.#act(by));
    if (removed !== undefined) await forget(this.ports, company, removed);
    return removed !== undefined;
  }

  #act(by: Actor): AuditContext {
    return { by, at: this.ports.clock.now() };
  }
}

function outcomeOf(written: Awaited<ReturnType<Blacklists['update']>>): BlacklistOutcome {
  return written.kind === 'name-taken'
    ? { kind: 'invalid', errors: { name: [problem('NAME_TAKEN')] } }
    : written;
}

/** How long an operator who added a face from a search may undo this without an admin, milliseconds. */
const TAKE_BACK_TIME = 60 * 60 * 1000;

interface AdditionPorts extends Pick<Parts, 'audit' | 'uploads' | 'clock'> {
  faces: Pick<Faces, 'summaries'>;
  blacklistService: BlacklistService;
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
  try {
    await ports.images.discard(company, images);
  } catch (error) {
    ports.log.warn(
      { err: error, company, images: images.length },
      'erased images whose files could not be removed; the next start sweeps them away',
    );
  }
}
