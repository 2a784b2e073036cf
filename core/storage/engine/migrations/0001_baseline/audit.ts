import { generateKeyPairSync } from 'node:crypto';
import { sql, type Kysely } from 'kysely';

/**
 * The audit log: its entries, the head of their hash chain, and the key that signs the head. Triggers keep the program
 * from changing an entry. The chain, the signature and the anchors outside the database reveal changes that were made
 * without the program.
 */
export const audit: readonly string[] = [
  `create table audit_entry (
     sequence integer primary key,
     at integer not null,
     company_id integer,
     actor text not null,
     action text not null,
     object text,
     outcome text not null,
     details text not null,
     hash blob not null
   ) strict`,
  `create index audit_entry_company on audit_entry (company_id, sequence)`,
  `create index audit_entry_at on audit_entry (at)`,
  `create trigger audit_entry_no_delete before delete on audit_entry
   begin select raise(abort, 'an audit entry is never deleted'); end`,
  `create trigger audit_entry_no_update before update on audit_entry
   begin select raise(abort, 'an audit entry is never changed'); end`,

  `create table audit_head (
     id integer primary key check (id = 1),
     sequence integer not null,
     hash blob not null,
     signature blob not null
   ) strict`,

  `create table audit_key (
     id integer primary key check (id = 1),
     private_key blob not null,
     public_key blob not null
   ) strict`,
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
  await sql`insert into audit_key (id, private_key, public_key) values (1, ${privateKey}, ${publicKey})`.execute(
    db,
  );
}
