/** The companies of an installation and its settings. */
import type { CompanyId, ImageId } from '../../contracts/ids.ts';
import type { CompanySettings } from '../../contracts/settings.ts';
import type { SettingsChange } from '../settings/change.ts';

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
