import type pg from 'pg';
import type { PostgresAddress } from './address.ts';

/**
 * Milliseconds of each wait of a request: for its turn, for a connection, for a lock such as that of its company, and for the
 * answer to COMMIT. The first three together end before the connection of the request does, which is closed after a minute of silence:
 * until then nothing was written, and the caller is told so.
 */
export const LONGEST_WAIT = 15_000;
/** Milliseconds of one statement; a transaction that waits longer between two statements is rolled back. */
const STATEMENT_TIMEOUT = 300_000;
const IDLE_TIMEOUT = 60_000;
/** Milliseconds that a command waits for the answer to a statement. */
const ANSWER_TIMEOUT = 60_000;

/** The settings of a connection for a few statements: a server that falls silent ends them with an error. */
export function briefConfigOf(address: PostgresAddress): pg.ClientConfig {
  return { ...configOf(address), query_timeout: ANSWER_TIMEOUT };
}

/** The settings with which each connection to the server is opened. */
export function configOf({ host, port, database, user, password, tls }: PostgresAddress): pg.ClientConfig {
  return {
    host,
    port,
    database,
    user,
    password,
    ssl: tls,
    application_name: 'vouch',
    keepAlive: true,
    connectionTimeoutMillis: LONGEST_WAIT,
    statement_timeout: STATEMENT_TIMEOUT,
    lock_timeout: LONGEST_WAIT,
    idle_in_transaction_session_timeout: IDLE_TIMEOUT,
  };
}
