import { SYSTEM_FLOW_NAME } from '../../contracts/codes.ts';
import type { Selectable } from 'kysely';
import { CodedError, InvalidInput, problem } from '../../contracts/errors/problem.ts';
import type { CompanyId, ImageId, TrustFlowId } from '../../contracts/ids.ts';
import {
  companySettings,
  installationSettings,
  type CompanySettings,
  type InstallationSettings,
} from '../../contracts/settings.ts';
import type { AuditContext, Company } from '../../domain/ports/auditContext.ts';
import type { AuditLog } from '../audit/auditLog.ts';
import { patchSettings, type SettingsPatch } from '../../domain/settings/change.ts';
import { companyRow, installationRow } from '../engine/checkedRows.ts';
import { cellsOf } from '../engine/cells.ts';
import { beginTotal, encode, recoded } from '../engine/codedRows.ts';
import { sharedStateOf, writing, type Database, type Transaction } from '../engine/database.ts';
import { CachedLookup } from '../engine/cachedLookup.ts';
import type { Schema } from '../engine/schema.ts';
import { countSpecimens, eraseAllSpecimens } from '../persons/specimens.ts';
import type { StorageFolders } from '../images/storageFolders.ts';
import { z } from 'zod';
import type { NetworkListener } from '../../domain/ports/network.ts';
import {
  countOf,
  AuditedRowsWith,
  AuditedRows,
  rowsWith,
  addRows,
  deleteRows,
  changeRows,
} from '../engine/rows.ts';

const storedNames = z.array(z.string());

/** The listener of this service. Services that share a database have one each. */
export class NetworkListeners extends AuditedRowsWith<{ service: string }> {
  async find(): Promise<NetworkListener | undefined> {
    const row = await rowsWith(this.db, 'network_listener', { service: this.parts.service })
      .selectAll()
      .executeTakeFirst();
    if (row === undefined) return undefined;
    const { address, port, certificate } = row;
    const key = cellsOf(this.db).open('network_listener', 'private_key', row);
    const privateKey = Buffer.from(key).toString();
    return { names: storedNames.parse(JSON.parse(row.names)), address, port, certificate, privateKey };
  }

  async keep(listener: NetworkListener, act: AuditContext): Promise<void> {
    const { names, address, port, certificate, privateKey } = listener;
    const place = { service: this.parts.service };
    const row = {
      names: JSON.stringify(names),
      address,
      port,
      certificate,
      private_key: cellsOf(this.db).seal('network_listener', 'private_key', place, Buffer.from(privateKey)),
    };
    await writing(this.db, 'installation', async (trx) => {
      await trx
        .insertInto('network_listener')
        .values({ ...place, ...row })
        .onConflict((conflict) => conflict.column('service').doUpdateSet(row))
        .execute();
      this.audit.append(trx, act, {
        company: null,
        action: 'network.enabled',
        object: null,
        details: { names: names.length, port },
      });
    });
  }

  /** @returns false: there was none */
  async drop(act: AuditContext): Promise<boolean> {
    return writing(this.db, 'installation', async (trx) => {
      const { numDeletedRows } = await deleteRows(trx, 'network_listener', {
        service: this.parts.service,
      }).executeTakeFirst();
      if (numDeletedRows === 0n) return false;
      this.audit.append(trx, act, { company: null, action: 'network.disabled', object: null });
      return true;
    });
  }
}

export class Companies extends AuditedRows {
  readonly #folders: StorageFolders;
  /** Every image of an upload asks for its company several times. */
  readonly #known: CachedLookup<CompanyId, Company>;
  readonly #listeners = new Set<(company: CompanyId, settings: CompanySettings) => void>();

  constructor(db: Database, audit: AuditLog, folders: StorageFolders) {
    super(db, audit);
    this.#folders = folders;
    const state = sharedStateOf(db);
    this.#known = new CachedLookup((id) => this.#read(id), state);
    state?.follow(async () => {
      for (const { id, settings } of await this.list()) this.#report(id, settings);
    });
  }

  /** @throws {CodedError} a company has this name */
  async create(company: NewCompany, act: AuditContext): Promise<Company> {
    return writing(this.db, 'installation', async (trx) => {
      const { name } = company;
      if (await isNamed(trx, name)) throw new CodedError(problem('COMPANY_EXISTS', { company: name }));
      return insertCompany(trx, { audit: this.audit, folders: this.#folders }, company, act);
    });
  }

  find(id: CompanyId): Promise<Company | undefined> {
    return this.#known.get(id);
  }

  async #read(id: CompanyId): Promise<Company | undefined> {
    const row = await companyRow(this.db, id);
    return row && this.#toCompany(row);
  }

  async findByName(name: string): Promise<Company | undefined> {
    const row = await rowsWith(this.db, 'company', { name }).selectAll().executeTakeFirst();
    return row && this.#toCompany(row);
  }

  /** All of them, those included whose rows were changed without the key. */
  count(): Promise<number> {
    return countOf(this.db.selectFrom('company'));
  }

  /** Without those whose rows were changed without the key; the self-diagnosis names them. */
  async list(): Promise<Company[]> {
    const cells = cellsOf(this.db);
    const rows = await this.db.selectFrom('company').selectAll().orderBy('id').execute();
    return rows.filter((row) => cells.isWritten('company', row)).map((row) => this.#toCompany(row));
  }

  /**
   * Changes single settings: reads, checks, writes and records old and new values in one transaction, so that changes
   * of other settings at the same time stand. The only way to change a company's settings.
   * @param also.eraseSpecimens how many signature specimens the caller knows will be erased where the patch turns them off
   * @param also.name a new name of the company, which no other company may have
   * @returns the images of the specimens that were erased because the company stores none any more; the caller discards the files
   * @throws {InvalidInput} a setting or the name @throws {CodedError} another number of specimens would be erased
   */
  async changeSettings(
    id: CompanyId,
    patch: SettingsPatch<CompanySettings>,
    act: AuditContext,
    { eraseSpecimens = 0, name }: { eraseSpecimens?: number; name?: string | undefined } = {},
  ): Promise<readonly ImageId[]> {
    const change = await writing(this.db, id, async (trx) => {
      const row = await companyRow(trx, id);
      if (row === undefined) throw new Error(`There is no company ${id}.`);
      const before = companySettings.parse(JSON.parse(row.settings));
      const patched = patchSettings(companySettings, before, patch);
      const renamed = name !== undefined && name !== row.name;
      if (renamed && (await isNamed(trx, name))) throw new InvalidInput({ name: [problem('NAME_TAKEN')] });
      const { changed, before: old, after } = patched.facts;
      let erasedImages: ImageId[] = [];
      if (before.signatureSpecimens && !patched.settings.signatureSpecimens) {
        const specimens = await countSpecimens(trx, id);
        if (specimens !== eraseSpecimens)
          throw new CodedError(problem('SPECIMENS_ERASURE_UNCONFIRMED', { specimens }));
        erasedImages = await eraseAllSpecimens(trx, this.audit, id, act);
      }
      await changeRows(trx, 'company', { id })
        .set(
          recoded(trx, 'company', row, {
            settings: JSON.stringify(patched.settings),
            ...(renamed && { name }),
          }),
        )
        .execute();
      this.audit.append(trx, act, {
        company: id,
        action: 'company.changed',
        object: `company:${id}`,
        // A name is text that a person typed, so the log holds only that it changed.
        details: renamed
          ? { changed: ['name', ...changed], before: ['text', ...old], after: ['text', ...after] }
          : { ...patched.facts },
      });
      return { settings: patched.settings, erasedImages };
    });
    this.#known.invalidate();
    this.#report(id, change.settings);
    return change.erasedImages;
  }

  #report(id: CompanyId, settings: CompanySettings): void {
    for (const listener of this.#listeners) listener(id, settings);
  }

  /**
   * Calls the listener after each committed change of a company's settings, before the change returns. A change of another
   * service is reported before the next `find` and before the next read of the settings of the installation.
   */
  followSettings(listener: (company: CompanyId, settings: CompanySettings) => void): void {
    this.#listeners.add(listener);
  }

  /**
   * Images of the company are kept in this folder from now on; `MovableImages.moveTo` looks after those it has.
   * @throws when the folder cannot be the company's
   */
  async moveStorage(id: CompanyId, storageFolder: string, act: AuditContext): Promise<void> {
    await writing(this.db, 'installation', async (trx) => {
      const before = await companyRow(trx, id);
      if (before === undefined) throw new Error(`There is no company ${id}.`);
      const stored = await this.#folders.claim(trx, id, storageFolder);
      await changeRows(trx, 'company', { id })
        .set(recoded(trx, 'company', before, { storage_folder: stored }))
        .execute();
      this.audit.append(trx, act, {
        company: id,
        action: 'company.changed',
        object: `company:${id}`,
        details: { changed: ['storageFolder'] },
      });
    });
    this.#known.invalidate();
    this.#folders.forget();
  }

  #toCompany(row: Selectable<Schema['company']>): Company {
    cellsOf(this.db).checked('company', row);
    return toCompany({ ...row, storage_folder: this.#folders.resolve(row.storage_folder) });
  }

  /** The internal Trust Flow of bulk enrolment; one per company, made with it. */
  async systemTrustFlow(id: CompanyId): Promise<TrustFlowId> {
    const row = await rowsWith(this.db, 'trust_flow', { company_id: id, system: 1 })
      .select('id')
      .executeTakeFirstOrThrow();
    return row.id;
  }
}

async function isNamed(trx: Transaction, name: string): Promise<boolean> {
  const named = await rowsWith(trx, 'company', { name }).select('id').executeTakeFirst();
  return named !== undefined;
}

interface NewCompany {
  name: string;
  /** Absent: the default place in the home. Null: storage is not configured. */
  storageFolder?: string | null | undefined;
  settings: CompanySettings;
}

/** A company with its storage folder and its system Trust Flow, inside the caller's transaction. */
export async function insertCompany(
  trx: Transaction,
  { audit, folders }: { audit: AuditLog; folders: StorageFolders },
  company: NewCompany,
  act: AuditContext,
): Promise<Company> {
  const createdAt = act.at.getTime();
  const { id, ...row } = await trx
    .insertInto('company')
    .values({
      name: company.name,
      storage_folder: null,
      settings: JSON.stringify(company.settings),
      created_at: createdAt,
    })
    .returningAll()
    .executeTakeFirstOrThrow();
  const stored = company.storageFolder === null ? null : await folders.claim(trx, id, company.storageFolder);
  await changeRows(trx, 'company', { id }).set({ storage_folder: stored }).execute();
  await beginTotal(trx, id);
  await encode(trx, 'company', { id });
  await addRows(trx, 'trust_flow', {
    company_id: id,
    name: SYSTEM_FLOW_NAME,
    system: 1,
    created_at: createdAt,
  });
  audit.append(trx, act, { company: id, action: 'company.created', object: `company:${id}` });
  return toCompany({ ...row, id, storage_folder: folders.resolve(stored) });
}

/** @param row its folder resolved */
function toCompany(row: Selectable<Schema['company']>): Company {
  return {
    id: row.id,
    name: row.name,
    storageFolder: row.storage_folder,
    settings: companySettings.parse(JSON.parse(row.settings)),
    createdAt: new Date(row.created_at),
  };
}

/** Settings of the whole installation: one row, made on first use. */
export class Installation extends AuditedRows {
  readonly #known: CachedLookup<'settings', InstallationSettings>;

  constructor(db: Database, audit: AuditLog) {
    super(db, audit);
    this.#known = new CachedLookup(async () => settingsIn(await installationRow(db)), sharedStateOf(db));
  }

  async settings(): Promise<InstallationSettings> {
    return (await this.#known.get('settings')) ?? installationSettings.parse({});
  }

  /** Like {@link Companies.changeSettings}, for the whole installation. @throws {InvalidInput} a setting */
  async update(patch: SettingsPatch<InstallationSettings>, act: AuditContext): Promise<void> {
    await writing(this.db, 'installation', async (trx) => {
      const row = await installationRow(trx);
      const patched = patchSettings(installationSettings, settingsIn(row), patch);
      await trx
        .updateTable('installation_settings')
        .set(recoded(trx, 'installation_settings', row, { settings: JSON.stringify(patched.settings) }))
        .execute();
      this.audit.append(trx, act, {
        company: null,
        action: 'installation.changed',
        object: null,
        details: { ...patched.facts },
      });
    });
    this.#known.invalidate();
  }
}

function settingsIn({ settings }: { settings: string }): InstallationSettings {
  return installationSettings.parse(JSON.parse(settings));
}
