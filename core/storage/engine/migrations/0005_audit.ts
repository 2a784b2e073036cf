import { generateKeyPairSync } from 'node:crypto';
import { sql, type Kysely } from 'kysely';

/**
 * The audit log: entries that are only ever added, the head of their chain, and the key that signs the head. Triggers
 * keep the program itself from changing an entry; the chain, the signature and the anchors outside the database tell
 * of whoever gets past the program.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  const statements = [
    `create table audit_entry (
       sequence integer primary key,
       at integer not null,
       company_id integer,
       actor text not null,
       action text not null,
       object text,
       outcome text not null,
       facts text not null,
       hash blob not null
     ) strict`,
    `create index audit_entry_company on audit_entry (company_id, sequence)`,
    `create index audit_entry_at on audit_entry (at)`,
    `create trigger audit_entry_stays before delete on audit_entry
       begin select raise(abort, 'an audit entry is never deleted'); end`,
    `create trigger audit_entry_unchanged before update on audit_entry
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
    `create trigger audit_key_stays before delete on audit_key
       begin select raise(abort, 'the audit key is never deleted'); end`,
    `create trigger audit_key_unchanged before update on audit_key
       begin select raise(abort, 'the audit key is never changed'); end`,
  ];
  for (const statement of statements) await sql.raw(statement).execute(db);
  const { privateKey, publicKey } = generateKeyPairSync('ed25519', {
    privateKeyEncoding: { type: 'pkcs8', format: 'der' },
    publicKeyEncoding: { type: 'spki', format: 'der' },
  });
  await sql`insert into audit_key (id, private_key, public_key) values (1, ${privateKey}, ${publicKey})`.execute(
    db,
  );
}
