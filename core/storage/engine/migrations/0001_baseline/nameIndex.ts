import { integer, text } from '../table.ts';

/** The keys by which people find records (`core/contracts/searchKey.ts`), and the indexes of them. */

/**
 * The key, and the version of the folding that made it. A row without a key gets it at the next start, like one whose key
 * an earlier folding made.
 */
export const keyColumns = {
  search_key: text.byDefault(''),
  search_folding: integer.byDefault(0),
};

/** Finds the rows whose key an earlier folding made. */
export const foldingIndex = (table: string): string =>
  `create index ${table}_folding on ${table} (search_folding)`;

/**
 * A trigram index that finds a record by any part of its key. The index stores no keys (external content) and no positions
 * (detail=none). secure-delete removes the trigrams of a deleted key at once instead of marking them.
 */
export function nameIndex(table: 'trust_validation' | 'person'): string[] {
  const name = `${table}_name`;
  const removeKey = `insert into ${name} (${name}, rowid, search_key) values ('delete', old.id, old.search_key)`;
  const addKey = `insert into ${name} (rowid, search_key) values (new.id, new.search_key)`;
  return [
    `create virtual table ${name} using fts5 (
       search_key, content='${table}', content_rowid='id', tokenize='trigram case_sensitive 1', detail=none, columnsize=0
     )`,
    `insert into ${name} (${name}, rank) values ('secure-delete', 1)`,
    `create trigger ${name}_insert after insert on ${table} begin ${addKey}; end`,
    `create trigger ${name}_delete after delete on ${table} begin ${removeKey}; end`,
    `create trigger ${name}_update after update of search_key on ${table} when old.search_key <> new.search_key
     begin ${removeKey}; ${addKey}; end`,
    foldingIndex(table),
  ];
}
