/** Faults of the server and of the connection to it that can pass. */
import pg from 'pg';
import { UnavailableError } from '../../../domain/ports/machine.ts';

/** SQLSTATE classes and codes after which nothing was written and a retry can help. */
const TRANSIENT = /^(08|53|57P0|57014|25006|25P03|55P03|40001|40P01)/;
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
    if (cause instanceof UnavailableError) throw cause;
    const code = cause instanceof pg.DatabaseError ? (cause.code ?? '') : undefined;
    if (code !== undefined && !TRANSIENT.test(code) && !isOutdatedPlan(cause)) throw cause;
    if (code === undefined && networkCode(cause) === undefined) throw cause;
    throw new UnavailableError(`The database ${label} cannot be used (${code ?? networkCode(cause)}).`, {
      cause,
    });
  }
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

/** The driver gives an ended connection no code of its own. */
function networkCode(cause: unknown): string | undefined {
  if (!(cause instanceof Error)) return undefined;
  if ('syscall' in cause || cause instanceof AggregateError)
    return 'code' in cause && typeof cause.code === 'string' ? cause.code : 'connection failed';
  return /^Connection terminated|timeout exceeded when trying to connect|^timeout expired|not queryable|^Query read timeout/.test(
    cause.message,
  )
    ? cause.message
    : undefined;
}
