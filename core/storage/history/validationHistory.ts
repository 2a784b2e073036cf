import type { TrustValidationStatus } from '../../contracts/codes.ts';
import type { FailureCode } from '../../contracts/errors/failures.ts';
import type { CompanyId, TrustValidationId } from '../../contracts/ids.ts';
import type { HistoryEntry } from '../../contracts/validations.ts';
import { cellsOf } from '../engine/cells.ts';
import { send, type Transaction } from '../engine/database.ts';
import { newIds } from '../engine/dialect.ts';

interface NewEntry {
  at: Date;
  actor: string;
  action: HistoryEntry['action'];
  from: TrustValidationStatus | null;
  to: TrustValidationStatus;
  note: string | null;
  /** Why a selfie was refused. */
  failureCode?: FailureCode;
}

/** One line of a Trust Validation's history, inside the caller's transaction. Lines are never changed. */
export async function recordHistory(
  trx: Transaction,
  company: CompanyId,
  validation: TrustValidationId,
  entry: NewEntry,
): Promise<void> {
  await recordHistories(trx, company, [validation], entry);
}

/** The same line in the histories of several Trust Validations. */
export async function recordHistories(
  trx: Transaction,
  company: CompanyId,
  validations: readonly TrustValidationId[],
  entry: NewEntry,
): Promise<void> {
  if (validations.length === 0) return;
  const line = {
    at: entry.at.getTime(),
    actor: entry.actor,
    action: entry.action,
    from_status: entry.from,
    to_status: entry.to,
    failure_code: entry.failureCode ?? null,
  };
  const ids = entry.note === null ? [] : await newIds(trx, 'validation_history', validations.length);
  const rows = validations.map((validation, at) => {
    const place = { company_id: company, trust_validation_id: validation };
    const id = ids[at];
    if (id === undefined) return { ...place, ...line };
    const note = cellsOf(trx).sealText('validation_history', 'note', { ...place, id }, entry.note);
    return { ...place, id, ...line, note };
  });
  await send(trx, trx.insertInto('validation_history').values(rows));
}
