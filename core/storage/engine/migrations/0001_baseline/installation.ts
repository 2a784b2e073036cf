import { randomBytes } from 'node:crypto';
import { sql, type Kysely } from 'kysely';
import { table, key, integer, text, blob } from '../table.ts';
import type {
  BackupRunState,
  BackupSchedule,
  BackupTrigger,
} from '../../../../contracts/dashboard/backups.ts';
import type { InstallationKeyPurpose } from '../../../../domain/ports/backup.ts';
import type { CompanyId } from '../../../../contracts/ids.ts';

/** The installation itself: its settings, its key pairs, and the listener for other machines. */
export const installation = {
  installation_settings: table({
    id: integer('primary key check (id = 1)'),
    /** Random; the marker files of storage folders contain it. */
    installation_id: text(),
    /** 32 random bytes; see RequestDigests. */
    request_secret: blob(),
    /** JSON: InstallationSettings. */
    settings: text(),
  }),
  // One key pair per purpose. The private half of the backup key is not stored: it is printed on paper.
  installation_key: table({
    purpose: text<InstallationKeyPurpose>('primary key'),
    /** 32 raw bytes. */
    public_key: blob(),
    /** PKCS #8, DER; null for the backup key, whose private half is printed on paper. */
    private_key: blob.orNull(),
    created_at: integer(),
  }),
  // The history of backups. A run without a place sent the backup to its caller.
  backup_run: table({
    id: key(),
    trigger: text<BackupTrigger>(),
    /** Folder and name of the file; null: the backup was sent to its caller. */
    place: text.orNull(),
    file: text.orNull(),
    started_at: integer(),
    ended_at: integer.orNull(),
    state: text<BackupRunState>(),
    bytes: integer.byDefault(0),
    lost_images: integer.byDefault(0),
    /** JSON: Problem. */
    problem: text.orNull(),
  }),
  // At most one row. Without a row no backup is made on a schedule.
  backup_schedule: table({
    id: integer('primary key check (id = 1)'),
    place: text(),
    every: text<BackupSchedule['every']>(),
    weekday: integer(),
    /** Minute of the day. */
    minute: integer(),
    keep: integer(),
    /** When the schedule was set. */
    since: integer(),
  }),
  // At most one row of a service. Without a row the service accepts no connection from another machine.
  network_listener: table({
    /** The name of the service that listens: each machine has its own address and certificate. */
    service: text('primary key'),
    /** JSON array of host names. */
    names: text(),
    address: text(),
    port: integer(),
    /** PEM. */
    certificate: text(),
    /** PEM in UTF-8; bytes, so that PostgreSQL receives it sealed. */
    private_key: blob(),
  }),
};

/** Gives the installation an id of 16 random bytes, the secret of the digests of requests, and the default settings. */
export async function createSettings(db: Kysely<unknown>): Promise<void> {
  const id = randomBytes(16).toString('hex');
  await sql`insert into installation_settings (id, installation_id, request_secret, settings)
    values (1, ${id}, ${randomBytes(32)}, '{}')`.execute(db);
}

/** Companies: every other record belongs to one of them. */
export const companies = {
  company: table({
    id: key<CompanyId>(),
    name: text('unique'),
    /** Absolute, or relative to the folder `storage` of the home. */
    storage_folder: text.orNull(),
    /** JSON: CompanySettings. */
    settings: text(),
    created_at: integer(),
  }),
};
