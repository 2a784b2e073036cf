/**
 * The words of SQL that SQLite and PostgreSQL spell differently. A query that uses these functions is written once and
 * runs on both: the compiler of each database prints its own spelling.
 */
import {
  BinaryOperationNode,
  FunctionNode,
  OperatorNode,
  PostgresAdapter,
  PostgresQueryCompiler,
  PrimitiveValueListNode,
  SqliteQueryCompiler,
  expressionBuilder,
  sql,
  type Expression,
  type QueryExecutorProvider,
  type RawBuilder,
} from 'kysely';

/** Name of the function that stands for a choice in the tree of a query. Neither database has it. */
const CHOICE = 'vouch_choice';

/** SQL that differs between the databases. */
export function choose<T>(spelling: { sqlite: Expression<T>; postgres: Expression<T> }): RawBuilder<T> {
  const choice = expressionBuilder().fn<T>(CHOICE, [spelling.sqlite, spelling.postgres]);
  return sql<T>`${choice}`;
}

/** Prints queries for SQLite. */
export class SqliteCompiler extends SqliteQueryCompiler {
  protected override visitFunction(node: FunctionNode): void {
    if (node.func === CHOICE) this.visitNode(node.arguments[0]!);
    else super.visitFunction(node);
  }
}

/** Prints queries for PostgreSQL. */
export class PostgresCompiler extends PostgresQueryCompiler {
  protected override visitFunction(node: FunctionNode): void {
    if (node.func === CHOICE) this.visitNode(node.arguments[1]!);
    else super.visitFunction(node);
  }

  /** `in ()` is a syntax error in PostgreSQL. SQLite takes it for a list that contains nothing. */
  protected override visitBinaryOperation(node: BinaryOperationNode): void {
    const operator = OperatorNode.is(node.operator) ? node.operator.operator : undefined;
    const isEmpty = PrimitiveValueListNode.is(node.rightOperand) && node.rightOperand.values.length === 0;
    if (isEmpty && operator === 'in') this.append('false');
    else if (isEmpty && operator === 'not in') this.append('true');
    else super.visitBinaryOperation(node);
  }
}

/** Whether a column contains the text. Upper and lower case of the letters A to Z are equal. */
export function contains(column: Expression<unknown>, text: string): RawBuilder<boolean> {
  const pattern = `%${text.replaceAll(/[\\%_]/g, '\\$&')}%`;
  return choose({
    sqlite: sql<boolean>`${column} like ${pattern} escape '\\'`,
    postgres: sql<boolean>`${column} ilike ${pattern}`,
  });
}

/** Whether a column contains the text, in exactly these letters. */
export function containsExactly(column: Expression<unknown>, text: string): RawBuilder<boolean> {
  return choose({
    sqlite: sql<boolean>`instr(${column}, ${text}) > 0`,
    postgres: sql<boolean>`strpos(${column}, ${text}) > 0`,
  });
}

/** Numbers as a subquery of one column: a list of any length takes one parameter. */
export const listed = <T extends number>(values: readonly T[]): RawBuilder<T> => columnOf(values, 'bigint');

/** The same for texts: PostgreSQL compares a column of them with nothing else, not even with an empty list of numbers. */
export const listedTexts = <T extends string>(values: readonly T[]): RawBuilder<T> =>
  columnOf(values, 'text');

function columnOf<T>(values: readonly T[], type: 'bigint' | 'text'): RawBuilder<T> {
  const json = JSON.stringify(values);
  return choose<T>({
    sqlite: sql`(select value from json_each(${json}))`,
    postgres: sql`(select value::${sql.raw(type)} from json_array_elements_text(${json}::json))`,
  });
}

/**
 * Rows of numbers as a table, in one parameter. The limit makes SQLite read the parameter once: without it, the planner may join
 * `json_each` innermost and parse the whole parameter again for each row of the other tables.
 * @param columns names of the columns, with the type that PostgreSQL needs to compare them by an index
 */
export function tableOf(
  columns: Readonly<Record<string, 'bigint' | 'double precision'>>,
  rows: readonly (readonly (number | null)[])[],
): RawBuilder<unknown> {
  const json = JSON.stringify(rows);
  const names = Object.entries(columns);
  const each = (spell: (at: number, type: string) => string) =>
    sql.raw(names.map(([name, type], at) => `${spell(at, type)} as ${name}`).join(', '));
  return choose({
    sqlite: sql`(select ${each((at) => `value ->> ${at}`)} from json_each(${json}) limit -1)`,
    postgres: sql`(select ${each((at, type) => `(value ->> ${at})::${type}`)} from json_array_elements(${json}::json))`,
  });
}

/** The id that the next row of a table will have. */
export async function nextId(db: QueryExecutorProvider, table: 'company' | 'face'): Promise<number> {
  const { rows } = await choose({
    sqlite: sql`select coalesce((select seq from sqlite_sequence where name = ${table}), 0) + 1 as next`,
    postgres: sql`select last_value + case when is_called then 1 else 0 end as next from ${sql.table(`${table}_id_seq`)}`,
  })
    .$castTo<{ next: number }>()
    .execute(db);
  return rows[0]!.next;
}

type Numbered =
  | 'face'
  | 'trust_validation'
  | 'screening_match'
  | 'comparison'
  | 'examination'
  | 'validation_history'
  | 'case_folder'
  | 'case_entry'
  | 'person'
  | 'person_decision';

/** Ids for rows that the transaction inserts; no other row gets them. @returns as many as asked for, rising */
export async function newIds(db: QueryExecutorProvider, table: Numbered, count: number): Promise<number[]> {
  const { rows } = await unusedIds(table, count).execute(db);
  return rows.map(({ id }) => id).toSorted((a, b) => a - b);
}

/** The query of {@link newIds}, where no other row of the table is inserted before those with these ids. */
export function unusedIds(table: Numbered, count: number): RawBuilder<{ id: number }> {
  return choose({
    sqlite: sql`with recursive new (id) as (
        select coalesce((select seq from sqlite_sequence where name = ${table}), 0) + 1
        union all select id + 1 from new limit ${count})
      select id from new`,
    postgres: sql`select nextval(${`${table}_id_seq`}) as id from generate_series(1, ${count}::bigint)`,
  }).$castTo<{ id: number }>();
}

/** The names of the triggers that refuse a change of the audit log. */
export async function refusingTriggers(db: QueryExecutorProvider): Promise<string[]> {
  const { rows } = await choose({
    sqlite: sql`select name from sqlite_master where type = 'trigger' and sql like '%raise(abort%'`,
    postgres: sql`select t.tgname as name from pg_trigger t join pg_proc p on p.oid = t.tgfoid
      where p.prosrc like '%raise exception%' and t.tgenabled in ('O', 'A')
        and t.tgrelid in (to_regclass('audit_entry'), to_regclass('audit_key'))`,
  })
    .$castTo<{ name: string }>()
    .execute(db);
  return rows.map(({ name }) => name);
}

/** Whether a database is PostgreSQL. */
export function isPostgres(db: QueryExecutorProvider): boolean {
  return db.getExecutor().adapter instanceof PostgresAdapter;
}

/** Whether a table of this name exists. */
export async function hasTable(db: QueryExecutorProvider, table: string): Promise<boolean> {
  const { rows } = await choose({
    sqlite: sql`select name from sqlite_master where type = 'table' and name = ${table}`,
    postgres: sql`select relname as name from pg_class where oid = to_regclass(${table})`,
  }).execute(db);
  return rows.length > 0;
}
