/** The companies of an installation and its settings. */
import type { CompanyId, TrustFlowId } from '../../contracts/ids.ts';
import type { CompanySettings, SiteSettings } from '../../contracts/settings.ts';
import type { Act } from '../actor.ts';

export interface Company {
  id: CompanyId;
  name: string;
  /** Absolute folder of the company's encrypted images; null: storage is not configured. */
  storageFolder: string | null;
  settings: CompanySettings;
  createdAt: Date;
}

export interface Companies {
  create(
    company: {
      name: string;
      storageFolder: string | null;
      settings: CompanySettings;
    },
    act: Act,
  ): Promise<Company>;
  find(id: CompanyId): Promise<Company | undefined>;
  findByName(name: string): Promise<Company | undefined>;
  list(): Promise<Company[]>;
  update(
    id: CompanyId,
    change: { storageFolder?: string | null; settings?: CompanySettings },
    act: Act,
  ): Promise<void>;
  /** Whether any image is kept in the company's storage folder: then the folder cannot simply be another one. */
  holdsImages(id: CompanyId): Promise<boolean>;
  /** The internal Trust Flow of mass enrolment; one per company, made with it. */
  systemTrustFlow(id: CompanyId): Promise<TrustFlowId>;
}

export interface Site {
  settings(): Promise<SiteSettings>;
  update(change: Partial<SiteSettings>, act: Act): Promise<SiteSettings>;
}
