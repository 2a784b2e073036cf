import { randomBytes } from 'node:crypto';
import { sql, type Kysely } from 'kysely';

/** The installation itself: its settings, its key pairs, and the listener for other machines. */
export const installation: readonly string[] = [
  `create table installation_settings (
     id integer primary key check (id = 1),
     installation_id text not null,
     request_secret blob not null,
     settings text not null
   ) strict`,

  // One key pair per purpose. The private half of the backup key is not stored: it is printed on paper.
  `create table installation_key (
     purpose text primary key,
     public_key blob not null,
     private_key blob,
     created_at integer not null
   ) strict`,

  // The history of backups. A run without a place sent the backup to its caller.
  `create table backup_run (
     id integer primary key autoincrement,
     trigger text not null,
     place text,
     file text,
     started_at integer not null,
     ended_at integer,
     state text not null,
     bytes integer not null default 0,
     lost_images integer not null default 0,
     problem text
   ) strict`,

  // At most one row. Without a row no backup is made on a schedule.
  `create table backup_schedule (
     id integer primary key check (id = 1),
     place text not null,
     every text not null,
     weekday integer not null,
     minute integer not null,
     keep integer not null,
     since integer not null
   ) strict`,

  // At most one row of a service. Without a row the service accepts no connection from another machine.
  `create table network_listener (
     service text primary key,
     names text not null,
     address text not null,
     port integer not null,
     certificate text not null,
     private_key blob not null
   ) strict`,
];

/** Gives the installation an id of 16 random bytes, the secret of the digests of requests, and the default settings. */
export async function createSettings(db: Kysely<unknown>): Promise<void> {
  const id = randomBytes(16).toString('hex');
  await sql`insert into installation_settings (id, installation_id, request_secret, settings)
    values (1, ${id}, ${randomBytes(32)}, '{}')`.execute(db);
}
