import { sql, type Kysely } from 'kysely';

/**
 * An index of the three-letter pieces of validation names, so that a name is found by any part of it without reading
 * all names (ADR 0036). The names stay where they are (`content`), positions are not kept (`detail`), and a name
 * that goes takes its pieces with it at once instead of leaving a note that they are void (`secure-delete`).
 *
 * Six seconds per million names; part of one transaction, so that a start that dies begins anew.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  const removed = `insert into trust_validation_name (trust_validation_name, rowid, name) values ('delete', old.id, old.name)`;
  const added = `insert into trust_validation_name (rowid, name) values (new.id, new.name)`;
  const statements = [
    `create virtual table trust_validation_name using fts5 (
       name, content='trust_validation', content_rowid='id', tokenize='trigram', detail=none, columnsize=0
     )`,
    `insert into trust_validation_name (trust_validation_name, rank) values ('secure-delete', 1)`,
    `insert into trust_validation_name (trust_validation_name) values ('rebuild')`,
    `create trigger trust_validation_named after insert on trust_validation begin ${added}; end`,
    `create trigger trust_validation_unnamed after delete on trust_validation begin ${removed}; end`,
    `create trigger trust_validation_renamed after update of name on trust_validation when old.name <> new.name
       begin ${removed}; ${added}; end`,
  ];
  for (const statement of statements) await sql.raw(statement).execute(db);
}
