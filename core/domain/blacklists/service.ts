import { problem, type FieldProblems } from '../../contracts/errors/problem.ts';
import { blacklistEdit, blacklistFields } from '../../contracts/blacklists.ts';
import { BLACKLIST_STATUS, type BlacklistStatus } from '../../contracts/codes.ts';
import type { BlacklistId, CompanyId, FaceId } from '../../contracts/ids.ts';
import type { AuditContext, Actor } from '../ports/auditContext.ts';
import { fieldErrors } from '../../contracts/errors/fieldErrors.ts';
import type { GalleryPort } from '../ports/gallery.ts';
import type { ImageFiles } from '../ports/images.ts';
import type { Clock, Logger } from '../ports/machine.ts';
import { forget } from './forget.ts';
import type { Blacklist } from '../ports/screening.ts';
import type { Blacklists } from '../../storage/screening/blacklists.ts';
import { nameKey } from '../../contracts/displayName.ts';

/** Field errors in the envelope's form, or what there is now. */
export type BlacklistOutcome =
  { kind: 'done'; blacklist: Blacklist } | { kind: 'invalid'; errors: FieldProblems } | { kind: 'unknown' };

interface BlacklistServicePorts {
  blacklists: Blacklists;
  gallery: GalleryPort;
  images: ImageFiles;
  clock: Clock;
  log: Logger;
}

/** The operations on a company's blacklists. */
export class BlacklistService {
  readonly #ports: BlacklistServicePorts;

  constructor(ports: BlacklistServicePorts) {
    this.#ports = ports;
  }

  async create(company: CompanyId, fields: unknown, by: Actor): Promise<BlacklistOutcome> {
    const parsed = blacklistFields.safeParse(fields);
    if (!parsed.success) return { kind: 'invalid', errors: fieldErrors(parsed.error) };
    const key = nameKey(parsed.data.name);
    return outcomeOf(await this.#ports.blacklists.create(company, parsed.data, key, this.#act(by)));
  }

  /** @param fields absent ones keep the value that they have then, also where another operator changed it meanwhile */
  async edit(company: CompanyId, id: BlacklistId, fields: unknown, by: Actor): Promise<BlacklistOutcome> {
    const parsed = blacklistEdit.safeParse(fields);
    if (!parsed.success) return { kind: 'invalid', errors: fieldErrors(parsed.error) };
    const { name } = parsed.data;
    const key = name === undefined ? undefined : nameKey(name);
    return outcomeOf(await this.#ports.blacklists.update(company, id, parsed.data, key, this.#act(by)));
  }

  /** Inactive: takes no new photos, is not screened against, cannot be chosen; its faces stay. */
  async setActive(
    company: CompanyId,
    id: BlacklistId,
    active: boolean,
    by: Actor,
  ): Promise<Blacklist | undefined> {
    const status: BlacklistStatus = active ? BLACKLIST_STATUS.Active : BLACKLIST_STATUS.Inactive;
    return this.#ports.blacklists.setStatus(company, id, status, this.#act(by));
  }

  /** Gone with its faces and images; entries of past screenings stay as they were. @returns false: no such list */
  async delete(company: CompanyId, id: BlacklistId, by: Actor): Promise<boolean> {
    const removed = await this.#ports.blacklists.delete(company, id, this.#act(by));
    if (removed !== undefined) await forget(this.#ports, company, removed);
    return removed !== undefined;
  }

  async deleteFace(company: CompanyId, id: BlacklistId, face: FaceId, by: Actor): Promise<boolean> {
    const removed = await this.#ports.blacklists.deleteFace(company, id, face, this.#act(by));
    if (removed !== undefined) await forget(this.#ports, company, removed);
    return removed !== undefined;
  }

  #act(by: Actor): AuditContext {
    return { by, at: this.#ports.clock.now() };
  }
}

function outcomeOf(written: Awaited<ReturnType<Blacklists['update']>>): BlacklistOutcome {
  return written.kind === 'name-taken'
    ? { kind: 'invalid', errors: { name: [problem('NAME_TAKEN')] } }
    : written;
}
