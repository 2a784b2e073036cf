/** Keys and listeners of the machine. */
import type { InstallationKeyPurpose } from '../../../domain/ports/backup.ts';

interface SiteKeyTable {
  purpose: InstallationKeyPurpose;
  /** 32 raw bytes. */
  public_key: Uint8Array;
  /** PKCS #8, DER; null where the other half is kept elsewhere. */
  private_key: Uint8Array | null;
  created_at: number;
}

interface LanListenerTable {
  id: number;
  /** JSON array. */
  names: string;
  address: string;
  port: number;
  /** PEM. */
  certificate: string;
  private_key: string;
}

export interface MachineTables {
  site_key: SiteKeyTable;
  lan_listener: LanListenerTable;
}
