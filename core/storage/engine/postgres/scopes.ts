/** The advisory locks of PostgreSQL by which several services share a database. */
import { CompiledQuery, sql, type QueryExecutorProvider } from 'kysely';
import { KeyedMutex } from '../../../domain/work/turns.ts';
import { UnavailableError } from '../../../domain/ports/machine.ts';
import { ask, type Scope, type ScopeLocks, type Transaction } from '../database.ts';
import { LONGEST_WAIT } from './address.ts';

/** Each service holds this lock shared; a command that needs the database alone holds it exclusively. Any number, in all versions. */
export const SERVICE_LOCK = 8_673_512_904;
/** The first key of each lock. */
const KEY = { installation: 1, company: 2, identity: 3, audit: 4, leader: 5, keys: 6 };

/** The lock of the one service that does the work for all. */
const LEADER_LOCK = [KEY.leader, 0] as const;

/** The column by which {@link lockStatement} names its transaction. */
export const TRANSACTION_ID = 'transaction_id';

/** SQLSTATE of {@link lockStatement} while a command has the database alone: a division by zero. */
const HELD_ALONE = '22012';

/**
 * The first statement of a transaction. It waits for the locks of the scope. Under READ COMMITTED the next statement sees all that was
 * committed before the lock was got.
 * @param isShared it fails while a command has the database alone, and with it all statements that were sent after it
 */
function lockStatement(scope: Scope, isShared: boolean): string {
  const installation = 'pg_advisory_xact_lock_shared';
  const locks = {
    unlocked: [],
    keys: [`pg_advisory_xact_lock(${KEY.keys}, 0)`],
    installation: [`pg_advisory_xact_lock(${KEY.installation}, 0)`],
    identity: [`${installation}(${KEY.installation}, 0)`, `pg_advisory_xact_lock(${KEY.identity}, 0)`],
  };
  const own =
    typeof scope === 'number'
      ? [`${installation}(${KEY.installation}, 0)`, `pg_advisory_xact_lock(${KEY.company}, ${scope})`]
      : locks[scope];
  return `select ${[
    ...(isShared ? [`1 / pg_try_advisory_xact_lock_shared(${SERVICE_LOCK})::int as is_open`] : []),
    `pg_current_xact_id()::text as ${TRANSACTION_ID}`,
    ...own,
  ].join(', ')}`;
}

/** Keeps other transactions from writing the first entry of the audit log until this one ends. */
export async function lockFirstEntry(transaction: QueryExecutorProvider): Promise<void> {
  await sql.raw(`select pg_advisory_xact_lock(${KEY.audit}, 0)`).execute(transaction);
}

/** The connection that holds the locks of this process. */
interface Presence {
  /** Whether this process holds the database alone. */
  readonly isAlone: boolean | undefined;
  /** Takes a lock that at most one service has. @returns whether this service has it */
  tryLock(key: readonly [number, number]): Promise<boolean>;
}

/** Keeps the transactions of a scope apart, in this service and among all services of the database. */
export class ServerLocks implements ScopeLocks {
  readonly #turns = new KeyedMutex<Scope>();
  readonly #label: string;
  readonly #presence: Presence;

  constructor(label: string, presence: Presence) {
    this.#label = label;
    this.#presence = presence;
  }

  lead(): Promise<boolean> {
    return this.#presence.tryLock(LEADER_LOCK);
  }

  /**
   * Only the first of a scope waits for its lock with a connection, so that the others leave connections free.
   * @throws {UnavailableError} the transactions that this service began before take longer than {@link LONGEST_WAIT}
   */
  async inTurn<T>(scope: Scope, work: () => Promise<T>): Promise<T> {
    if (scope === 'unlocked') return work();
    const { promise: givenUp, reject } = Promise.withResolvers<never>();
    const error = new UnavailableError(
      `Other changes in the database ${this.#label} take too long. Try again later.`,
    );
    let isLate = false;
    const timer = setTimeout(() => {
      isLate = true;
      reject(error);
    }, LONGEST_WAIT);
    const turn = this.#turns.run(scope, async () => {
      clearTimeout(timer);
      if (isLate) throw error;
      return work();
    });
    return Promise.race([turn, givenUp]);
  }

  lock(transaction: Transaction, scope: Scope): Promise<void> {
    this.#requireHold();
    const isShared = this.#presence.isAlone === undefined;
    return this.#answered(ask(transaction, CompiledQuery.raw(lockStatement(scope, isShared))));
  }

  async #answered(locked: () => Promise<unknown>): Promise<void> {
    try {
      await locked();
    } catch (cause) {
      if (!(cause instanceof Error && 'code' in cause && cause.code === HELD_ALONE)) throw cause;
      throw new UnavailableError(
        `A command of Vouch uses the database ${this.#label} alone. Try again when it has ended.`,
        { cause },
      );
    }
    this.#requireHold();
  }

  #requireHold(): void {
    if (this.#presence.isAlone === false)
      throw new UnavailableError(
        `The connection that held the database ${this.#label} alone is lost. Run the command again.`,
      );
  }
}
