/** Finds out what became of a transaction whose COMMIT was not answered. */
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { OutcomeUnknown } from '../../../domain/ports/machine.ts';
import type { PostgresAddress } from './address.ts';
import { configOf } from './clientConfig.ts';
import { isEnd } from './faults.ts';

/** How long the server is asked, in milliseconds. */
const QUESTION = 30_000;
const RETRY_DELAY = 200;
/** SQLSTATE of a statement in a transaction that failed before. */
const ABORTED = '25P02';

/**
 * Commits, and learns the result also where the connection ends before the answer: otherwise the rows could be there
 * while the service believes that they are not.
 * @param id of the transaction; undefined: it is asked for first
 * @throws {OutcomeUnknown} the server did not answer
 */
export async function commit(address: PostgresAddress, client: pg.ClientBase, id?: string): Promise<void> {
  const transaction = id ?? (await idOf(client));
  try {
    await client.query('commit');
  } catch (cause) {
    if (transaction === null || !isEnd(cause)) throw cause;
    if (!(await wasCommitted(address, transaction, cause))) throw cause;
  }
}

async function wasCommitted(address: PostgresAddress, transaction: string, cause: unknown): Promise<boolean> {
  const until = performance.now() + QUESTION;
  while (performance.now() < until) {
    const status = await statusOf(address, transaction);
    if (status === 'committed') return true;
    if (status === 'aborted') return false;
    await sleep(RETRY_DELAY);
  }
  throw new OutcomeUnknown(
    `The database ${address.label} did not answer whether a change was committed. Look whether it is there before you repeat it.`,
    { cause },
  );
}

/** The id of the running transaction; null: it has changed nothing, or it failed. */
async function idOf(client: pg.ClientBase): Promise<string | null> {
  try {
    const { rows } = await client.query<{ id: string | null }>(
      'select pg_current_xact_id_if_assigned()::text as id',
    );
    return rows[0]?.id ?? null;
  } catch (cause) {
    if (cause instanceof pg.DatabaseError && cause.code === ABORTED) return null;
    throw cause;
  }
}

/** The result of a transaction; undefined: the server does not answer. */
async function statusOf(address: PostgresAddress, transaction: string): Promise<string | undefined> {
  const client = new pg.Client(configOf(address));
  client.on('error', () => undefined);
  try {
    await client.connect();
    const { rows } = await client.query<{ status: string }>('select pg_xact_status($1::xid8) as status', [
      transaction,
    ]);
    return rows[0]?.status;
  } catch {
    // The caller asks until its time has passed.
    return undefined;
  } finally {
    await client.end().catch(() => undefined);
  }
}
