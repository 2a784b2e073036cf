import { blacklistFields } from '../../contracts/blacklists.ts';
import { BLACKLIST_STATUS, type BlacklistStatus } from '../../contracts/codes.ts';
import type { BlacklistId, CompanyId, FaceId } from '../../contracts/ids.ts';
import { fieldErrors } from '../fieldErrors.ts';
import { nameKey } from '../nameKey.ts';
import type { Clock, GalleryPort, ImageFiles, Logger } from '../ports.ts';
import { forget } from './forget.ts';
import type { Blacklist, Blacklists } from './ports.ts';

/** Field errors in the envelope's form, or what there is now. */
export type BlacklistOutcome =
  | { kind: 'done'; blacklist: Blacklist }
  | { kind: 'invalid'; errors: Record<string, string[]> }
  | { kind: 'unknown' };

const NAME_TAKEN = 'The name has already been taken.';

interface DeskPorts {
  blacklists: Blacklists;
  gallery: GalleryPort;
  images: ImageFiles;
  clock: Clock;
  log: Logger;
}

/** What an operator may do with a company's blacklists. */
export class BlacklistDesk {
  readonly #ports: DeskPorts;

  constructor(ports: DeskPorts) {
    this.#ports = ports;
  }

  async create(company: CompanyId, fields: unknown): Promise<BlacklistOutcome> {
    const { blacklists, clock } = this.#ports;
    return withFields(fields, (valid, key) => blacklists.create(company, valid, key, clock.now()));
  }

  async edit(company: CompanyId, id: BlacklistId, fields: unknown): Promise<BlacklistOutcome> {
    const { blacklists, clock } = this.#ports;
    return withFields(fields, (valid, key) => blacklists.update(company, id, valid, key, clock.now()));
  }

  /** Inactive: takes no new photos, is not screened against, cannot be chosen; its faces stay. */
  async setActive(company: CompanyId, id: BlacklistId, active: boolean): Promise<Blacklist | undefined> {
    const status: BlacklistStatus = active ? BLACKLIST_STATUS.Active : BLACKLIST_STATUS.Inactive;
    return this.#ports.blacklists.setStatus(company, id, status, this.#ports.clock.now());
  }

  /** Gone with its faces and images; entries of past screenings stay as they were. @returns false: no such list */
  async delete(company: CompanyId, id: BlacklistId): Promise<boolean> {
    const removed = await this.#ports.blacklists.delete(company, id, this.#ports.clock.now());
    if (removed !== undefined) await forget(this.#ports, company, removed);
    return removed !== undefined;
  }

  async deleteFace(company: CompanyId, id: BlacklistId, face: FaceId): Promise<boolean> {
    const removed = await this.#ports.blacklists.deleteFace(company, id, face);
    if (removed !== undefined) await forget(this.#ports, company, removed);
    return removed !== undefined;
  }
}

async function withFields(
  fields: unknown,
  write: (
    fields: ReturnType<typeof blacklistFields.parse>,
    key: string,
  ) => Promise<Blacklist | 'name taken' | undefined>,
): Promise<BlacklistOutcome> {
  const parsed = blacklistFields.safeParse(fields);
  if (!parsed.success) return { kind: 'invalid', errors: fieldErrors(parsed.error) };
  const written = await write(parsed.data, nameKey(parsed.data.name));
  if (written === undefined) return { kind: 'unknown' };
  if (written === 'name taken') return { kind: 'invalid', errors: { name: [NAME_TAKEN] } };
  return { kind: 'done', blacklist: written };
}
