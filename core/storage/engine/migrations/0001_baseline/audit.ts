import { generateKeyPairSync } from 'node:crypto';
import { sql, type Kysely } from 'kysely';
import { table, integer, text, blob } from '../table.ts';
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
  await sql`insert into audit_key (id, private_key, public_key) values (1, ${privateKey}, ${publicKey})`.execute(
    db,
  );
}
