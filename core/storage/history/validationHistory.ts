import type { TrustValidationStatus } from '../../contracts/codes.ts';
import type { FailureCode } from '../../contracts/errors/failures.ts';
import type { CompanyId, TrustValidationId } from '../../contracts/ids.ts';
import type { HistoryEntry } from '../../contracts/validations.ts';
import { send, type Transaction } from '../engine/database.ts';

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
    note: entry.note,
    failure_code: entry.failureCode ?? null,
  };
  await send(
    trx,
    trx
      .insertInto('validation_history')
      .values(
        validations.map((validation) => ({ company_id: company, trust_validation_id: validation, ...line })),
      ),
  );
}
