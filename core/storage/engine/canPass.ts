import { systemCodeOf } from '../../contracts/errors/systemCode.ts';
import { UnavailableError } from '../../domain/ports/machine.ts';

/** Faults of the system, and of SQLite for the whole file: full, read-only, busy, without memory, unreadable. */
const OF_THE_MACHINE =
  /^(E[A-Z]+$|SQLITE_(BUSY|CANTOPEN|CORRUPT|FULL|IOERR|LOCKED|NOMEM|NOTADB|PROTOCOL|READONLY))/;

/** Whether a fault is of the machine or the database as a whole, and not of the rows that a transaction is about. */
export function canPass(cause: unknown): boolean {
  return cause instanceof UnavailableError || OF_THE_MACHINE.test(systemCodeOf(cause) ?? '');
}
