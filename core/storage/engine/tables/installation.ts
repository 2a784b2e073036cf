/** The installation itself: its settings, its key pairs, and the listener for other machines. */
import type { Generated } from 'kysely';
import type { BackupRunState, BackupSchedule, BackupTrigger } from '../../../contracts/dashboard/backups.ts';
import type { InstallationKeyPurpose } from '../../../domain/ports/backup.ts';

interface InstallationSettingsTable {
  id: number;
  /** Random; the marker files of storage folders contain it. */
  installation_id: string;
  /** 32 random bytes; see RequestDigests. */
  request_secret: Uint8Array;
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

interface BackupRunTable {
  id: Generated<number>;
  trigger: BackupTrigger;
  /** Folder and name of the file; null: the backup was sent to its caller. */
  place: string | null;
  file: string | null;
  started_at: number;
  ended_at: number | null;
  state: BackupRunState;
  bytes: Generated<number>;
  lost_images: Generated<number>;
  /** JSON: Problem. */
  problem: string | null;
}

interface BackupScheduleTable {
  id: number;
  place: string;
  every: BackupSchedule['every'];
  weekday: number;
  /** Minute of the day. */
  minute: number;
  keep: number;
  /** When the schedule was set. */
  since: number;
}

interface NetworkListenerTable {
  /** The name of the service that listens: each machine has its own address and certificate. */
  service: string;
  /** JSON array of host names. */
  names: string;
  address: string;
  port: number;
  /** PEM. */
  certificate: string;
  /** PEM in UTF-8; bytes, so that PostgreSQL receives it sealed. */
  private_key: Uint8Array;
}

export interface InstallationTables {
  installation_settings: InstallationSettingsTable;
  installation_key: InstallationKeyTable;
  network_listener: NetworkListenerTable;
  backup_run: BackupRunTable;
  backup_schedule: BackupScheduleTable;
}
