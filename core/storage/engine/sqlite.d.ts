/** The part of the driver that is used here; its package ships types that its `exports` do not point to. */
declare module 'better-sqlite3-multiple-ciphers' {
  export interface Statement {
    readonly reader: boolean;
    all(parameters: readonly unknown[]): unknown[];
    run(parameters: readonly unknown[]): { changes: number | bigint; lastInsertRowid: number | bigint };
    iterate(parameters: readonly unknown[]): IterableIterator<unknown>;
  }
  export class SqliteError extends Error {
    readonly code: string;
  }
  export default class Sqlite {
    static readonly SqliteError: typeof SqliteError;
    constructor(file: string, options?: { readonly?: boolean; fileMustExist?: boolean });
    /** Whether a transaction is open on this connection. */
    readonly inTransaction: boolean;
    pragma(source: string): unknown;
    exec(source: string): this;
    /** Makes a function of JavaScript callable from SQL. */
    function(name: string, implementation: (...values: never[]) => unknown): this;
    prepare(source: string): Statement;
    close(): void;
  }
}
