/** Operators of the dashboard. */
import type { Generated } from 'kysely';
import type { OperatorRole } from '../../../contracts/dashboard/session.ts';
import type { Actor } from '../../../domain/ports/auditContext.ts';
import type { CompanyId, OperatorId } from '../../../contracts/ids.ts';

interface OperatorTable {
  id: Generated<OperatorId>;
  company_id: CompanyId;
  name: string;
  /** The name in the form that is compared. */
  name_key: string;
  role: OperatorRole;
  active: Generated<number>;
  /** PHC string of argon2id. */
  passphrase_hash: string;
  created_at: number;
  last_signed_in_at: number | null;
  /** The operator who last chose the passphrase of this one, by creating or resetting the account; null: none did. */
  passphrase_given_by: Actor | null;
  passphrase_given_at: Generated<number>;
}

interface OperatorAppearanceTable {
  operator_id: OperatorId;
  company_id: CompanyId;
  /** JSON: Appearance. */
  choice: string;
}

interface OperatorSessionTable {
  /** SHA-256 of the cookie's value. */
  hash: Uint8Array;
  company_id: CompanyId;
  operator_id: OperatorId;
  opened_at: number;
  used_at: number;
  confirmed_at: number;
}

/** One per company: the code with which a company's operators restore their access. */
interface OperatorRecoveryCodeTable {
  company_id: CompanyId;
  /** SHA-256. */
  hash: Uint8Array;
  created_at: number;
}

interface SignInAttemptTable {
  /** SHA-256 of the operator's name in the form that is compared. */
  name_hash: Uint8Array;
  /** SHA-256 of the origin of the attempts: an address, a browser, all of them together. */
  source_hash: Uint8Array;
  attempts: number;
  last_at: number;
}

export interface OperatorsTables {
  operator: OperatorTable;
  operator_appearance: OperatorAppearanceTable;
  operator_session: OperatorSessionTable;
  operator_recovery_code: OperatorRecoveryCodeTable;
  sign_in_attempt: SignInAttemptTable;
}
