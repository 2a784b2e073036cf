/** The companies of an installation and its settings. */
import type { CompanyId, ImageId, TrustFlowId } from '../../contracts/ids.ts';
import type { CompanySettings, InstallationSettings } from '../../contracts/settings.ts';
import type { AuditContext } from './auditContext.ts';
import type { SettingsChange, SettingsPatch } from '../settings/change.ts';

export interface Company {
  id: CompanyId;
  name: string;
  /** Absolute folder of the company's encrypted images; null: storage is not configured. */
  storageFolder: string | null;
  settings: CompanySettings;
  createdAt: Date;
}

/**
 * `erasedImages`: those of the specimens that were erased because the company stores none any more. The caller discards the
 * files. `unconfirmed`: so many specimens would be erased; nothing was changed.
 */
export type CompanyChange =
  | { kind: 'unconfirmed'; specimens: number }
  | Exclude<SettingsChange<CompanySettings>, { kind: 'changed' }>
  | (Extract<SettingsChange<CompanySettings>, { kind: 'changed' }> & { erasedImages: readonly ImageId[] });

export interface Companies {
  /** @throws {CodedError} a company has this name */
  create(
    company: {
      name: string;
      /** Absent: the default place in the home. Null: storage is not configured. */
      storageFolder?: string | null | undefined;
      settings: CompanySettings;
    },
    act: AuditContext,
  ): Promise<Company>;
  find(id: CompanyId): Promise<Company | undefined>;
  findByName(name: string): Promise<Company | undefined>;
  list(): Promise<Company[]>;
  /**
   * Changes single settings: reads, checks, writes and records old and new values in one transaction, so that changes
   * of other settings at the same time stand. The only way to change a company's settings.
   * @param also.eraseSpecimens how many signature specimens the caller knows will be erased where the patch turns them off
   * @param also.name a new name of the company, which no other company may have
   * @throws when there is no such company
   */
  changeSettings(
    id: CompanyId,
    patch: SettingsPatch<CompanySettings>,
    act: AuditContext,
    also?: { eraseSpecimens?: number; name?: string | undefined },
  ): Promise<CompanyChange>;
  /**
   * Calls the listener after each committed change of a company's settings, before the change returns. A change of another
   * service is reported before the next `find` and before the next read of the settings of the installation.
   */
  followSettings(listener: (company: CompanyId, settings: CompanySettings) => void): void;
  /**
   * Images of the company are kept in this folder from now on; `MovableImages.moveTo` looks after those it has.
   * @throws when the folder cannot be the company's
   */
  moveStorage(id: CompanyId, storageFolder: string, act: AuditContext): Promise<void>;
  /** The internal Trust Flow of bulk enrolment; one per company, made with it. */
  systemTrustFlow(id: CompanyId): Promise<TrustFlowId>;
}

export interface Installation {
  settings(): Promise<InstallationSettings>;
  /** Like {@link Companies.changeSettings}, for the whole installation. */
  changeSettings(
    patch: SettingsPatch<InstallationSettings>,
    act: AuditContext,
  ): Promise<SettingsChange<InstallationSettings>>;
  /** The same for values that are known to be allowed. @returns the settings after it @throws when one is not */
  update(patch: SettingsPatch<InstallationSettings>, act: AuditContext): Promise<InstallationSettings>;
}
