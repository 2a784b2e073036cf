import type { Compilable, CompiledQuery, Kysely } from 'kysely';
import type { CompanyId } from '../../contracts/ids.ts';
import { isPostgres } from './dialect.ts';
import { LONGEST_WAIT } from './postgres/address.ts';
import type { Schema } from './schema.ts';
import type { ChangeFeed } from './changes.ts';
import { UnavailableError, type RequestTurns } from '../../domain/ports/machine.ts';

/** The ways to change rows. Only a {@link Transaction} has them. */
type Change =
  | 'insertInto'
  | 'replaceInto'
  | 'updateTable'
  | 'deleteFrom'
  | 'mergeInto'
  | 'transaction'
  | 'startTransaction';

/** The store, to read from. It is changed by {@link writing} alone. */
export type Database = Omit<Kysely<Schema>, Change>;

declare const SCOPED: unique symbol;

type Writable = Omit<Kysely<Schema>, 'transaction' | 'startTransaction'>;

/** A running transaction. Only {@link writing} makes one, so each of them has a {@link Scope}. */
export interface Transaction extends Writable {
  readonly [SCOPED]: true;
}

/**
 * The rows that a transaction reads before it decides what to write. Transactions of the same scope run one after the other:
 *
 * - a company: rows of that company
 * - `identity`: operators, their sessions and their attempts to sign in, of all companies
 * - `keys`: no row, but the file of the erasable keys
 * - `installation`: any row; alone among all transactions but the unlocked ones
 * - `unlocked`: the transaction decides nothing by rows that it read, or its statements lock what they read
 *
 * SQLite runs all transactions one after the other, whatever their scope.
 */
export type Scope = CompanyId | 'identity' | 'keys' | 'installation' | 'unlocked';

/** Locks that serialise the transactions of one scope where several services write. */
export interface ScopeLocks {
  /** Runs the work when the transactions of this scope that this service began before have ended. */
  inTurn<T>(scope: Scope, work: () => Promise<T>): Promise<T>;
  /**
   * Sends the first statement of a transaction. What other services committed before its answer, the next statement sees, which is sent
   * without waiting for that answer and fails where the lock is refused.
   * @throws {UnavailableError} at once: nothing may be sent
   */
  lock(transaction: Transaction, scope: Scope): Promise<void>;
  /** Tries to make this service the one that does the work for all. @returns whether it is */
  lead(): Promise<boolean>;
}

/** Tells whether another service changed rows that this one keeps in memory. */
export interface SharedState extends RequestTurns {
  /**
   * Resolves when what was committed before the call has been read; within the turn of a request, before its first call of the
   * last second. One query at a time serves all callers.
   */
  refresh(): Promise<void>;
  /** Calls the follower in each refresh that finds a change. */
  follow(follower: () => void | Promise<void>): void;
}

interface Opened {
  kysely: Kysely<Schema>;
  changes: ChangeFeed;
  /** Of PostgreSQL alone. */
  locks?: ScopeLocks;
  state?: SharedState;
}

/** The parts of an opened database, by the object that its opener returned. */
const OPENED = new WeakMap<object, Opened>();

/** Makes a database known that another file of this folder opened. */
export function registerOpened(db: Database, opened: Opened): void {
  OPENED.set(db, opened);
}

function openedAs(db: Database): Opened {
  const opened = OPENED.get(db);
  if (opened === undefined) throw new Error('This database was not opened here.');
  return opened;
}

/** Reports what this connection commits; every writer of the store uses it. */
export function changesOf(db: Database): ChangeFeed {
  return openedAs(db).changes;
}

/** The state that other services can change; undefined where this process is the only writer. */
export function sharedStateOf(db: Database): SharedState | undefined {
  return openedAs(db).state;
}

/**
 * Begins to read what other services committed, while a caller is looked up: the request that follows then waits for both at once. What
 * fails is tried again by the first use.
 */
export function refreshAlong(db: Database): void {
  sharedStateOf(db)
    ?.refresh()
    .catch(() => undefined);
}

/** Tries to make this service the one that does the work for all. @returns whether it is; the only service always is */
export async function lead(db: Database): Promise<boolean> {
  return (await openedAs(db).locks?.lead()) ?? true;
}

/** Steps that a transaction takes last, in the order in which they were added. */
const LAST_STEPS = new WeakMap<Transaction, (() => Promise<void>)[]>();

/** Adds a step that the transaction takes after its work and before its COMMIT. */
export function beforeCommit(transaction: Transaction, step: () => Promise<void>): void {
  const steps = LAST_STEPS.get(transaction);
  if (steps === undefined) LAST_STEPS.set(transaction, [step]);
  else steps.push(step);
}

/** Steps of a transaction after its COMMIT. */
const COMMITTED = new WeakMap<Transaction, (() => void)[]>();

/** Adds a step that is taken once the transaction is known to be committed. */
export function onceCommitted(transaction: Transaction, step: () => void): void {
  const steps = COMMITTED.get(transaction);
  if (steps === undefined) COMMITTED.set(transaction, [step]);
  else steps.push(step);
}

/**
 * Changes the store in one transaction: if the work throws, all of it is rolled back. The lock of the scope is sent with the first
 * statement of the work: the work relies on it from the answer to that statement on.
 * @param scope what the work reads before it decides; see {@link Scope}
 * @throws {UnavailableError} the database cannot be used, or another transaction of this scope takes too long
 */
export async function writing<T>(
  db: Database,
  scope: Scope,
  work: (transaction: Transaction) => T | Promise<T>,
): Promise<T> {
  const { kysely, locks } = openedAs(db);
  const run = async () => {
    const ended = await kysely.transaction().execute(async (opened) => {
      const plain: Writable = opened;
      const transaction = plain as Transaction;
      // Work whose first statement failed reports that statement; the refusal of the lock is why.
      const [lock, worked] = await Promise.allSettled([
        locks?.lock(transaction, scope),
        (async () => work(transaction))(),
      ]);
      if (lock.status === 'rejected') throw lock.reason;
      if (worked.status === 'rejected') throw worked.reason;
      const result = worked.value;
      for (const step of LAST_STEPS.get(transaction) ?? []) await step();
      return { result, transaction };
    });
    for (const step of COMMITTED.get(ended.transaction) ?? []) step();
    return ended.result;
  };
  return locks === undefined ? run() : locks.inTurn(scope, run);
}

interface Addition {
  work: (transaction: Transaction) => unknown;
  resolve: (result: unknown) => void;
  reject: (cause: unknown) => void;
}

/** The additions that wait while a transaction adds those before them. */
const ADDITIONS = new WeakMap<Database, Addition[]>();

/**
 * Adds rows that depend on no row which another transaction changes, such as entries of the audit log. What several callers add while
 * another transaction adds something shares the next transaction, whose one COMMIT is durable for all of them. Where it fails
 * because of its rows, each of the works runs again in its own transaction, so that it fails alone.
 * @throws {UnavailableError} the database cannot be used, or the transaction before takes longer than {@link LONGEST_WAIT}
 */
export function adding<T>(db: Database, work: (transaction: Transaction) => T | Promise<T>): Promise<T> {
  const { promise, resolve, reject } = Promise.withResolvers<unknown>();
  const result = promise as Promise<T>;
  const addition = { work, resolve, reject };
  const waiting = ADDITIONS.get(db);
  if (waiting === undefined) {
    void addInTurn(db, [addition]);
    return result;
  }
  waiting.push(addition);
  const timer = setTimeout(() => {
    const index = waiting.indexOf(addition);
    if (index < 0) return;
    waiting.splice(index, 1);
    reject(new UnavailableError('Other changes in the database take too long. Try again later.'));
  }, LONGEST_WAIT);
  return result.finally(() => {
    clearTimeout(timer);
  });
}

async function addInTurn(db: Database, first: Addition[]): Promise<void> {
  const waiting = first;
  ADDITIONS.set(db, waiting);
  for (let next = waiting.splice(0); next.length > 0; next = waiting.splice(0)) await addTogether(db, next);
  ADDITIONS.delete(db);
}

async function addTogether(db: Database, additions: readonly Addition[]): Promise<void> {
  try {
    const results = await writing(db, 'unlocked', async (transaction) => {
      // SQLite gives one id to all that ask for a new one before the first is used.
      if (!isPostgres(transaction))
        return inTurn<Addition, unknown>(additions, async ({ work }) => await work(transaction));
      const ended = await Promise.allSettled(additions.map(async ({ work }) => await work(transaction)));
      return ended.map((one) => {
        if (one.status === 'rejected') throw one.reason;
        return one.value;
      });
    });
    for (const [index, { resolve }] of additions.entries()) resolve(results[index]);
  } catch (cause) {
    if (additions.length === 1 || cause instanceof UnavailableError)
      for (const { reject } of additions) reject(cause);
    else for (const addition of additions) await addTogether(db, [addition]);
  }
}

type Statement<R = unknown> = Pick<Compilable<R>, 'compile'> | CompiledQuery<R>;

/**
 * Sends a statement whose answer the transaction does not need. PostgreSQL receives it together with the next ones, which saves the
 * wait for a round trip. Where it fails, all that follows fails with its error, at the latest COMMIT.
 */
export async function send(transaction: Transaction, statement: Statement): Promise<void> {
  if (!isPostgres(transaction)) {
    await transaction.executeQuery(compiled(statement));
    return;
  }
  await transaction.getExecutor().provideConnection((connection) => {
    // The session keeps the error for the statements that follow.
    connection.executeQuery(compiled(statement)).catch(() => undefined);
    return Promise.resolve();
  });
}

/** As {@link send}, where the transaction needs the answer later, on PostgreSQL alone. @returns waits for the rows */
export function ask<R>(transaction: Transaction, statement: Statement<R>): () => Promise<R[]> {
  const { promise: answer, resolve, reject } = Promise.withResolvers<R[]>();
  // Where the transaction fails before, nobody waits for the answer.
  answer.catch(() => undefined);
  transaction
    .getExecutor()
    .provideConnection((connection) => {
      connection.executeQuery<R>(compiled(statement)).then(({ rows }) => {
        resolve(rows);
      }, reject);
      return Promise.resolve();
    })
    .catch(reject);
  return () => answer;
}

/**
 * Executes statements in their order. PostgreSQL receives all of them at once.
 * @returns the rows of each, and how many it changed
 */
export async function sendAll<R>(
  transaction: Database | Transaction,
  statements: readonly Statement<R>[],
): Promise<{ rows: R[]; changed: number }[]> {
  const queries = statements.map(compiled);
  const results = isPostgres(transaction)
    ? await transaction
        .getExecutor()
        .provideConnection((connection) =>
          Promise.all(queries.map((query) => connection.executeQuery<R>(query))),
        )
    : await inTurn(queries, (query) => transaction.executeQuery(query));
  return results.map(({ rows, numAffectedRows }) => ({ rows, changed: Number(numAffectedRows ?? 0) }));
}

type RowsOf<S> = S extends Statement<infer R> ? R[] : never;

/** The rows of several queries that do not need each other's. PostgreSQL receives all of them at once, which takes one round trip. */
export async function together<const S extends readonly Statement[]>(
  db: Database | Transaction,
  ...queries: S
): Promise<{ [I in keyof S]: RowsOf<S[I]> }> {
  const answers = await sendAll(db, queries);
  return answers.map(({ rows }) => rows) as { [I in keyof S]: RowsOf<S[I]> };
}

function compiled<R>(statement: Statement<R>): CompiledQuery<R> {
  return 'compile' in statement ? statement.compile() : statement;
}

async function inTurn<T, R>(items: readonly T[], work: (item: T) => Promise<R>): Promise<R[]> {
  const results: R[] = [];
  for (const item of items) results.push(await work(item));
  return results;
}
