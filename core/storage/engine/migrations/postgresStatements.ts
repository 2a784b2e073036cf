/**
 * The tables of the first version in PostgreSQL, made from the statements that make them in SQLite: there is one definition
 * of each table. What the rules below do not know fails at the first start, and a test compares both schemas.
 */

/**
 * The table in which the services of one PostgreSQL database count requests. It is not logged, so that counting a request waits for no disk; a crash of the server empties it.
 * `ends_at`: the end of the window, milliseconds by the clock of the server.
 */
const requestCountTable = `create unlogged table request_count (
  key text collate "C" primary key,
  ends_at bigint not null,
  count bigint not null
)`;

/**
 * The file of the erasable keys: which one belongs to this database, and its first bytes as it was last written. Sealed by the
 * store key; see `keyFile.ts`. SQLite has no such file.
 */
const keyFileTable = `create table key_file (
  id bigint primary key check (id = 1),
  content bytea not null
)`;

/** The table of the services that share one PostgreSQL database. SQLite has one service and no such table. */
const nodes: readonly string[] = [
  `create table node (
     name text collate "C" primary key,
     role text collate "C" not null,
     version text collate "C" not null,
     address text collate "C",
     started_at bigint not null,
     seen_at bigint not null,
     draining bigint not null,
     leads bigint not null,
     answered bigint not null,
     stopped bigint not null default 0
   )`,
];

// * The table by which the galleries of several services follow one PostgreSQL database. Each row names a face that a transaction
// made matchable, unmatchable or changed, with the id of the transaction: what a service has not seen yet is what its last
// snapshot of the database does not show. SQLite has one service and no such table.

/** @param row `old` or `new` @param face its column of the face, or null */
const note = (row: string, face: string | null): string =>
  `insert into gallery_change (company_id, face_id) values (${row}.company_id, ${face === null ? 'null' : `${row}.${face}`});`;

/** The columns of a face that decide whether and where it matches. */
const MATCHING = ['id', 'company_id', 'kind', 'blacklist_id', 'matchable'];
const listOf = (row: string): string => MATCHING.map((column) => `${row}.${column}`).join(', ');

/** A function of a trigger that notes the row before a change, the row after it, or both. */
const noting = (name: string, face: string | null): string =>
  `create function ${name}() returns trigger language plpgsql as $$ begin
     if tg_op <> 'INSERT' then ${note('old', face)} end if;
     if tg_op <> 'DELETE' then ${note('new', face)} end if;
     return null;
   end $$`;

const galleryChanges: readonly string[] = [
  // A row without a face: another pipeline serves the company.
  `create table gallery_change (
     xid xid8 not null default pg_current_xact_id(),
     company_id bigint not null,
     face_id bigint
   )`,
  'create index gallery_change_transaction on gallery_change (xid)',
  // Snapshots of earlier hours: changes are deleted that an old enough one shows.
  'create table gallery_mark (snapshot text collate "C" not null, at double precision not null)',
  noting('gallery_change_template', 'face_id'),
  `create trigger gallery_change_template after insert or update or delete on template
   for each row execute function gallery_change_template()`,
  noting('gallery_change_face', 'id'),
  `create trigger gallery_change_face after update on face for each row
   when ((${listOf('old')}) is distinct from (${listOf('new')})) execute function gallery_change_face()`,
  noting('gallery_change_pipeline', null),
  `create trigger gallery_change_pipeline after insert or update or delete on active_pipeline
   for each row execute function gallery_change_pipeline()`,
];

/** The full-text indexes of SQLite and their triggers; indexes of {@link TRIGRAMS} take their place. */
const NAME_INDEX = /^(create (virtual table|trigger)|insert into) (?:trust_validation|person)_name/;
/**
 * The pieces of three letters of a key. The extension pg_trgm knows only the letters of the database's LC_CTYPE, which for
 * 'C' are A to Z. The cost makes the planner compare a key by other conditions first.
 */
const TRIGRAMS = `create function search_trigrams(key text) returns text[]
  language sql immutable strict parallel safe cost 1000
  as $$ select array(select substr(key, at, 3) from generate_series(1, length(key) - 2) at) $$`;
const TRIGGER =
  /^create trigger (?<name>\w+)\s+(?<timing>before|after) (?<event>insert|delete|update)(?<columns> of [\w, ]+?)? on (?<table>\w+)\s+(?:when (?<condition>.+?)\s+)?begin (?<body>.+) end$/s;
const REFUSAL = /^\s*select raise\(abort, '(?<message>[^']+)'\);\s*$/;
const REFERENCE =
  /^(?<before>\s*(?<column>\w+) .*?) (?<clause>references \w+ \(\w+\)(?: on delete (?:cascade|set null))?)/gm;

/** @param statements of SQLite, in their order @returns statements of PostgreSQL with the same meaning, in theirs */
export function toPostgres(statements: readonly string[]): string[] {
  const own = statements.map((statement) => statement.trim()).filter((text) => !NAME_INDEX.test(text));
  const tables = own.filter((text) => text.startsWith('create table'));
  const triggers = own.filter((text) => text.startsWith('create trigger'));
  const rest = own.filter((text) => !tables.includes(text) && !triggers.includes(text));
  const created = tables.map(toTable);
  return [
    ...created.map(({ table }) => table),
    // A table may refer to one that is created after it.
    ...created.flatMap(({ references }) => references),
    ...rest,
    ...triggers.flatMap(toTrigger),
    ...['audit_entry', 'audit_key'].map(refuseTruncate),
    ...galleryChanges,
    requestCountTable,
    keyFileTable,
    ...nodes,
    TRIGRAMS,
    ...['trust_validation', 'person'].map(
      (table) => `create index ${table}_name on ${table} using gin (search_trigrams(search_key))`,
    ),
  ];
}

function toTable(statement: string): { table: string; references: string[] } {
  const name = /^create table (\w+)/.exec(statement)?.[1] ?? '';
  const references: string[] = [];
  const table = statement
    .replace(/\) strict(, without rowid)?$/, ')')
    .replaceAll(REFERENCE, (_all, before: string, column: string, clause: string) => {
      references.push(`alter table ${name} add foreign key (${column}) ${clause}`);
      return before;
    })
    .replaceAll(
      /\binteger primary key autoincrement\b/g,
      'bigint generated by default as identity primary key',
    )
    .replaceAll(/^(\s*\w+) integer\b/gm, '$1 bigint')
    .replaceAll(/^(\s*\w+) real\b/gm, '$1 double precision')
    .replaceAll(/^(\s*\w+) blob\b/gm, '$1 bytea')
    // Ranges and the order of texts are those of their bytes, whatever the language of the server.
    .replaceAll(/^(\s*\w+) text\b/gm, '$1 text collate "C"');
  return { table, references };
}

function toTrigger(statement: string): string[] {
  const parts = TRIGGER.exec(statement.replaceAll(/\s+/g, ' '))?.groups;
  if (parts === undefined) throw new Error(`A trigger has a form that is not known: ${statement}`);
  const { name, timing, event, columns = '', table, condition, body = '' } = parts;
  const refusal = REFUSAL.exec(body)?.groups?.message;
  const work = refusal === undefined ? ignoringConflicts(body) : `raise exception '${refusal}';`;
  const guarded = condition === undefined ? work : `if ${distinct(condition)} then ${work} end if;`;
  const result = event === 'delete' ? 'old' : 'new';
  return [
    `create function ${name}() returns trigger language plpgsql as $$ begin ${guarded} return ${result}; end $$`,
    `create trigger ${name} ${timing} ${event}${columns} on ${table} for each row execute function ${name}()`,
  ];
}

function ignoringConflicts(body: string): string {
  return body.replaceAll(/insert or ignore (into [^;]+);/g, 'insert $1 on conflict do nothing;');
}

/** SQLite's `is not` compares also with null. */
function distinct(condition: string): string {
  return condition.replaceAll(/ is not (old|new)\./g, ' is distinct from $1.');
}

/** `truncate` passes the triggers of rows. */
function refuseTruncate(table: string): string {
  return `create trigger ${table}_no_truncate before truncate on ${table} for each statement execute function ${table}_no_delete()`;
}
