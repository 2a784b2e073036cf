/** The declaration of a table, from which its `create table` and the types of its queries follow. */
import type { Generated } from 'kysely';

declare const VALUE: unique symbol;

declare const SEALED: unique symbol;

/** Bytes as a column has them: see `cells.ts`, which alone writes and reads them. */
export interface Sealed {
  readonly [SEALED]: true;
}

/** A column whose values queries read as `T`; `Generated`: an insert may leave it out. */
interface Column<T> {
  /** Its type and constraints in SQLite. */
  readonly sql: string;
  readonly [VALUE]?: T;
}

type Columns = Readonly<Record<string, Column<unknown>>>;

export interface Table<C extends Columns = Columns> {
  readonly columns: C;
  readonly constraints: readonly string[];
  readonly options: string;
}

/** The rows of tables, by name, in the types of the queries. */
export type Rows<T extends Readonly<Record<string, Table>>> = {
  [N in keyof T]: {
    [K in keyof T[N]['columns']]: T[N]['columns'][K] extends Column<infer V> ? V : never;
  };
};

/**
 * @param constraints of several columns
 * @param options `without rowid`: the rows are stored in the order of the primary key
 */
export function table<C extends Columns>(
  columns: C,
  constraints: readonly string[] = [],
  options?: 'without rowid',
): Table<C> {
  return { columns, constraints, options: options === undefined ? 'strict' : `strict, ${options}` };
}

/** @returns the statement for SQLite, one line a column */
export function createTable(name: string, { columns, constraints, options }: Table): string {
  const lines = [...Object.entries(columns).map(([column, { sql }]) => `${column} ${sql}`), ...constraints];
  return `create table ${name} (\n     ${lines.join(',\n     ')}\n   ) ${options}`;
}

/** The id of a record, which the database gives; AUTOINCREMENT: it gives none twice. */
export const key = <T extends number = number>(): Column<Generated<T>> => ({
  sql: 'integer primary key autoincrement',
});

/** A type of columns. `more`: constraints of the column. A primary key needs no `not null`. */
function columnsOf<Base>(type: string) {
  const joined = (...parts: string[]) => parts.filter((part) => part !== '').join(' ');
  const filled = <T extends Base = Base>(more = ''): Column<T> => ({
    sql: joined(type, more.startsWith('primary key') ? '' : 'not null', more),
  });
  return Object.assign(filled, {
    orNull: <T extends Base = Base>(more = ''): Column<T | null> => ({ sql: joined(type, more) }),
    byDefault: <T extends Base & (string | number) = Base & (string | number)>(
      value: NoInfer<T>,
      more = '',
    ): Column<Generated<T>> => ({
      sql: joined(type, 'not null default', typeof value === 'string' ? `'${value}'` : String(value), more),
    }),
  });
}

export const integer = columnsOf<number>('integer');
export const real = columnsOf<number>('real');
export const text = columnsOf<string>('text');
export const blob = columnsOf<Sealed>('blob');
/** The code of a row that decides about rights: see `cells.ts`. Null in SQLite. */
export const code = (): Column<Generated<Sealed | null>> => ({ sql: 'blob' });
