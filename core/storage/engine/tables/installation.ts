/** The installation itself: its settings, its key pairs, and the listener for other machines. */
import type { InstallationKeyPurpose } from '../../../domain/ports/backup.ts';

interface InstallationSettingsTable {
  id: number;
  /** Random; the marker files of storage folders contain it. */
  installation_id: string;
  /** JSON: InstallationSettings. */
  settings: string;
}

interface InstallationKeyTable {
  purpose: InstallationKeyPurpose;
  /** 32 raw bytes. */
  public_key: Uint8Array;
  /** PKCS #8, DER; null for the backup key, whose private half is printed on paper. */
  private_key: Uint8Array | null;
  created_at: number;
}

interface NetworkListenerTable {
  id: number;
  /** JSON array of host names. */
  names: string;
  address: string;
  port: number;
  /** PEM. */
  certificate: string;
  private_key: string;
}

export interface InstallationTables {
  installation_settings: InstallationSettingsTable;
  installation_key: InstallationKeyTable;
  network_listener: NetworkListenerTable;
}
