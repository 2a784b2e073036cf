/** Faults of the server and of the connection to it that can pass. */
import pg from 'pg';
import { systemCodeOf } from '../../../contracts/errors/systemProblem.ts';
import { UnavailableError } from '../../../domain/ports/machine.ts';

/**
 * SQLSTATE classes and codes after which nothing was written and a retry can help: the connection broke; the server is a standby;
 * a transaction took too long or was rolled back for another one; resources are short; a lock was not got in time; an
 * administrator intervened, or the server stops or starts; a file of the server cannot be read or written.
 */
const TRANSIENT = /^(08|25006|25P03|25P04|40001|40P01|53|55P03|57|58)/;
/** SQLSTATE of a prepared statement whose table another version of the program has changed. */
const OUTDATED_PLAN = '0A000';

/**
 * Turns faults that can pass into `UnavailableError`.
 * @param label names the database in the error
 */
export async function attempt<T>(label: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (cause) {
    const reason = transientReason(cause);
    if (cause instanceof UnavailableError || reason === undefined) throw cause;
    throw unavailable(label, reason, cause);
  }
}

/**
 * Gets a connection. Whatever prevents that, such as a password that was changed, the caller is not the cause.
 * @throws {UnavailableError} there is none
 */
export async function connecting<T>(label: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (cause) {
    const reason = cause instanceof pg.DatabaseError ? cause.code : undefined;
    throw unavailable(label, reason ?? transientReason(cause) ?? String(cause), cause);
  }
}

function unavailable(label: string, reason: string, cause: unknown): UnavailableError {
  return new UnavailableError(`The database ${label} cannot be used (${reason}).`, { cause });
}

/** @returns undefined: a retry does not help */
function transientReason(cause: unknown): string | undefined {
  if (!(cause instanceof pg.DatabaseError)) return connectionFault(cause);
  // The driver makes such an error of bytes that are not of the protocol.
  if (cause.code === undefined) return cause.message;
  return TRANSIENT.test(cause.code) || isOutdatedPlan(cause) ? cause.code : undefined;
}

/** Whether the connection has a prepared statement that the server refuses since its table was changed. */
export function isOutdatedPlan(cause: unknown): boolean {
  return (
    cause instanceof pg.DatabaseError && cause.code === OUTDATED_PLAN && cause.message.includes('cached plan')
  );
}

/** Whether the server ended the session, or the connection to it broke. */
export function isEnd(cause: unknown): boolean {
  if (!(cause instanceof pg.DatabaseError)) return true;
  return cause.code?.startsWith('57P0') === true || cause.code?.startsWith('08') === true;
}

/** Codes of the system and of Node for a connection that cannot be opened or that broke. */
const CONNECTION_CODES = /^(E(?!RR_)|ERR_(SSL|SOCKET|STREAM)_)/;
/** The driver gives an ended connection no code of its own. */
const CONNECTION_MESSAGES =
  /^Connection terminated|timeout exceeded when trying to connect|^timeout expired|not queryable|^Query read timeout|^Received unexpected /;

function connectionFault(cause: unknown): string | undefined {
  if (!(cause instanceof Error)) return undefined;
  const code = systemCodeOf(cause) ?? '';
  if (CONNECTION_CODES.test(code)) return code;
  // Of all addresses of a host, none could be reached.
  if (cause instanceof AggregateError) return 'connection failed';
  return CONNECTION_MESSAGES.test(cause.message) ? cause.message : undefined;
}
