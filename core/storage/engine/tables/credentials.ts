/** Credentials of client programs. */
import type { Generated } from 'kysely';
import type { HmacProfileName } from '../../../contracts/codes.ts';
import type { CompanyId } from '../../../contracts/ids.ts';
import type { Actor } from '../../../domain/ports/auditContext.ts';

interface ApiTokenTable {
  id: Generated<number>;
  company_id: CompanyId;
  name: string;
  hash: Uint8Array;
  scopes: string;
  /** The operator who made it; null: it was made in the terminal. */
  created_by: Actor | null;
  created_at: number;
  expires_at: number | null;
  revoked_at: number | null;
  last_used_at: number | null;
  /** 1: a command of the terminal made it for its own run. */
  for_one_run: Generated<number>;
}

interface HmacKeyTable {
  id: Generated<number>;
  company_id: CompanyId;
  user_id: string;
  name: string;
  /** UTF-8; bytes, so that PostgreSQL receives it sealed. */
  secret: Uint8Array;
  profile: HmacProfileName;
  scopes: string;
  /** The operator who made it; null: it was made in the terminal. */
  created_by: Actor | null;
  created_at: number;
  expires_at: number | null;
  revoked_at: number | null;
  last_used_at: number | null;
}

interface ReplayNonceTable {
  key_id: number;
  signature: Uint8Array;
  expires_at: number;
}

export interface CredentialsTables {
  api_token: ApiTokenTable;
  hmac_key: HmacKeyTable;
  replay_nonce: ReplayNonceTable;
}
