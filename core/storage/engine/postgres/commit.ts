/** Finds out what became of a transaction whose COMMIT was not answered. */
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { OutcomeUnknown } from '../../../domain/ports/machine.ts';
import { type PostgresAddress, configOf, LONGEST_WAIT } from './address.ts';
import { isEnd } from './faults.ts';

const RETRY_DELAY = 200;
/** SQLSTATE of a statement in a transaction that failed before. */
const ABORTED = '25P02';

/** SQLSTATE class of a warning. */
const WARNING = '01';

/** A connection to the primary server, and the timeline of that server: a failover begins another one. */
export interface PrimaryConnection {
  /** `end` breaks a connection whose answer is awaited. */
  client: pg.ClientBase & { end?: () => Promise<void> };
  timeline: string;
}

/** SQL: the timeline of a primary server; null on a standby. */
export const TIMELINE =
  'case when pg_is_in_recovery() then null else left(pg_walfile_name(pg_current_wal_insert_lsn()), 8) end';

/**
 * Commits, and learns the result also where the connection ends before the answer: otherwise the rows could be there
 * while the service believes that they are not.
 * @param id of the transaction; undefined: it is asked for first
 * @param wait milliseconds that COMMIT may take, and that the server is asked for the result afterwards
 * @returns false: a statement of the transaction failed, so the server rolled it back
 * @throws {OutcomeUnknown} the server did not answer, its standby did not confirm the change, or a failover happened
 */
export async function commit(
  address: PostgresAddress,
  { client, timeline }: PrimaryConnection,
  id?: string,
  wait = LONGEST_WAIT,
): Promise<boolean> {
  const transaction = id ?? (await idOf(client));
  try {
    const { isCommitted, isWarned } = await sendCommit(client, wait);
    if (isCommitted && isWarned) throw unconfirmed(address);
    return isCommitted;
  } catch (cause) {
    if (cause instanceof OutcomeUnknown || transaction === null || !isEnd(cause)) throw cause;
    // A server whose standby is lost answers COMMIT never, whatever its timeouts are.
    void client.end?.().catch(() => undefined);
    if (!(await wasCommitted(address, { id: transaction, timeline, wait }, cause))) throw cause;
    return true;
  }
}

/**
 * The server answers COMMIT with success and a warning where the wait for its synchronous standby was cancelled. A failover would lose such a change.
 */
async function sendCommit(
  client: pg.ClientBase,
  wait: number,
): Promise<{ isCommitted: boolean; isWarned: boolean }> {
  let isWarned = false;
  const note = ({ code }: { code: string | undefined }) => {
    isWarned ||= code?.startsWith(WARNING) === true;
  };
  client.on('notice', note);
  try {
    const statement: pg.QueryConfig & { query_timeout: number } = { text: 'commit', query_timeout: wait };
    const { command } = await client.query(statement);
    return { isCommitted: command === 'COMMIT', isWarned };
  } finally {
    client.off('notice', note);
  }
}

async function wasCommitted(
  address: PostgresAddress,
  { id, timeline, wait }: { id: string; timeline: string; wait: number },
  cause: unknown,
): Promise<boolean> {
  const until = performance.now() + wait;
  while (performance.now() < until) {
    const answer = await resultOf(address, id, until);
    if (answer?.status === 'aborted') return false;
    // After a failover, another transaction may have got the same id.
    if (answer?.status === 'committed' && answer.timeline !== timeline) break;
    if (answer?.status === 'committed') return true;
    await sleep(RETRY_DELAY);
  }
  throw unconfirmed(address, cause);
}

function unconfirmed({ label }: PostgresAddress, cause?: unknown): OutcomeUnknown {
  return new OutcomeUnknown(
    `The database ${label} did not confirm that a change was committed. Look whether it is there before you repeat it.`,
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

/**
 * The result of a transaction and the timeline of the server that names it.
 * @param until when to give up, by the process's clock @returns undefined: the server does not answer
 */
async function resultOf(
  address: PostgresAddress,
  transaction: string,
  until: number,
): Promise<{ status: string; timeline: string | null } | undefined> {
  const left = () => Math.max(1, Math.ceil(until - performance.now()));
  const client = new pg.Client({ ...configOf(address), connectionTimeoutMillis: left() });
  client.on('error', () => undefined);
  const ask = <Row extends pg.QueryResultRow>(text: string, values: string[] = []) => {
    const statement: pg.QueryConfig & { query_timeout: number } = { text, values, query_timeout: left() };
    return client.query<Row>(statement);
  };
  try {
    await client.connect();
    const { rows } = await ask<{ status: string; timeline: string | null }>(
      `select pg_xact_status($1::xid8) as status, ${TIMELINE} as timeline`,
      [transaction],
    );
    // A transaction whose connection broke may not have reached the standby. This one waits until it and all before it have.
    if (rows[0]?.status === 'committed') await ask(`select pg_logical_emit_message(true, 'vouch', '')`);
    return rows[0];
  } catch {
    // The caller asks until its time has passed.
    return undefined;
  } finally {
    // A server that is silent does not confirm the end either.
    void client.end().catch(() => undefined);
  }
}
