import { randomBytes, generateKeyPairSync } from 'node:crypto';
import { sql, type Kysely } from 'kysely';
import { cellsOf } from '../../cells.ts';
import { table, key, code as codeColumn, integer, text, blob } from '../table.ts';
import type {
  BackupRunState,
  BackupSchedule,
  BackupTrigger,
} from '../../../../contracts/dashboard/backups.ts';
import type { InstallationKeyPurpose } from '../../../../domain/ports/backup.ts';
import type { CompanyId } from '../../../../contracts/ids.ts';

/**
 * The audit log: its entries, the head of their hash chain, and the key that signs the head. Triggers keep the program
 * from changing an entry. The chain, the signature and the anchors outside the database reveal changes that were made
 * without the program.
 */
export const audit = {
  audit_entry: table({
    sequence: integer('primary key'),
    at: integer(),
    company_id: integer.orNull<CompanyId>(),
    actor: text(),
    action: text(),
    object: text.orNull(),
    outcome: text(),
    /** JSON, to the byte as it was hashed. */
    details: text(),
    hash: blob(),
  }),
  audit_head: table({
    id: integer('primary key check (id = 1)'),
    sequence: integer(),
    hash: blob(),
    signature: blob(),
  }),
  audit_key: table({
    id: integer('primary key check (id = 1)'),
    /** PKCS #8, DER. */
    private_key: blob(),
    /** SPKI, DER. */
    public_key: blob(),
  }),
};

/** Indexes and triggers. */
export const auditIndexes: readonly string[] = [
  `create index audit_entry_company on audit_entry (company_id, sequence)`,
  `create index audit_entry_at on audit_entry (at)`,
  `create index audit_entry_case on audit_entry (company_id, object, sequence) where action = 'caseFolder.entry'`,
  `create trigger audit_entry_no_delete before delete on audit_entry
   begin select raise(abort, 'an audit entry is never deleted'); end`,
  `create trigger audit_entry_no_update before update on audit_entry
   begin select raise(abort, 'an audit entry is never changed'); end`,
  `create trigger audit_key_no_delete before delete on audit_key
   begin select raise(abort, 'the audit key is never deleted'); end`,
  `create trigger audit_key_no_update before update on audit_key
   begin select raise(abort, 'the audit key is never changed'); end`,
];

/** Generates the Ed25519 key pair that signs the head of the audit log. */
export async function createAuditKey(db: Kysely<unknown>): Promise<void> {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519', {
    privateKeyEncoding: { type: 'pkcs8', format: 'der' },
    publicKeyEncoding: { type: 'spki', format: 'der' },
  });
  const [cells, place] = [cellsOf(db), { id: 1 }];
  await sql`insert into audit_key (id, private_key, public_key) values (1,
    ${cells.seal('audit_key', 'private_key', place, privateKey)},
    ${cells.seal('audit_key', 'public_key', place, publicKey)})`.execute(db);
}

// Erasures with their receipts, and the clock check of automatic retention.

export const erasure = {
  // Contains ids, hashes and counts only. `images` lists the files that an unfinished erasure still has to remove.
  erasure: table({
    /** A UUID. */
    id: text('primary key'),
    company_id: integer<CompanyId>('references company (id)'),
    at: integer(),
    /** JSON: ErasureReceipt, to the byte as it was signed. */
    receipt: text(),
    /** Null while the erasure is not finished. */
    signature: blob.orNull(),
    /** JSON: ids of image files that are still to be removed; null when the erasure is finished. */
    images: text.orNull(),
    /** The leaves of the keys that are to be destroyed, one after the other; null: none, as in SQLite. See `erasableKeys.ts`. */
    keys: blob.orNull(),
  }),
  // The last time at which the system clock was plausible, by company.
  retention_check: table({
    company_id: integer<CompanyId>('primary key references company (id)'),
    at: integer(),
    /** The id of this start of the machine; empty where the system has none. */
    boot: text(),
    /** How long the machine had run at that time, milliseconds. */
    uptime: integer(),
    /** The number of records that were due when a person confirmed the rules; 0 after the run that followed. */
    confirmed: integer(),
  }),
};

/** Indexes and triggers. */
export const erasureIndexes: readonly string[] = [`create index erasure_company on erasure (company_id, at)`];

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
    code: codeColumn(),
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
    /** PEM in UTF-8. */
    private_key: blob(),
  }),
};

/** Gives the installation an id of 16 random bytes, the secret of the digests of requests, and the default settings. */
export async function createSettings(db: Kysely<unknown>): Promise<void> {
  const cells = cellsOf(db);
  const row = { id: 1, installation_id: randomBytes(16).toString('hex'), settings: '{}' };
  const secret = cells.seal('installation_settings', 'request_secret', row, randomBytes(32));
  const code = cells.code('installation_settings', row);
  await sql`insert into installation_settings (id, installation_id, request_secret, settings, code)
    values (1, ${row.installation_id}, ${secret}, '{}', ${code})`.execute(db);
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
    code: codeColumn(),
  }),
  // One row of each company, on PostgreSQL alone: see `codedRows.ts`.
  row_total: table({
    company_id: integer<CompanyId>('primary key references company (id) on delete cascade'),
    /** JSON in UTF-8: how many coded rows each table has, and the sum of their codes. */
    content: blob(),
  }),
  // At most one row of a company. Without a row the service connects to no broker.
  mosip_connection: table({
    company_id: integer<CompanyId>('primary key references company (id) on delete cascade'),
    /** JSON in UTF-8: MosipConnection, with its secrets. */
    settings: blob(),
  }),
  // The answers that MOSIP was given, so that a request that is delivered again gets the same one.
  mosip_answer: table(
    {
      company_id: integer<CompanyId>('references company (id) on delete cascade'),
      /** SHA-256 of the request, lowercase hex. */
      digest: text(),
      /** JSON in UTF-8: the answer as text; null: a deletion that has begun, and may have happened. */
      answer: blob(),
      /** 1: the answer names persons, so an erasure deletes it. */
      names_persons: integer(),
      at: integer(),
    },
    ['primary key (company_id, digest)'],
  ),
};
