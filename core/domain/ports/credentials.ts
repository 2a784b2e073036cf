/** With what programs prove who they are. */
import type { HmacProfileName, Scope } from '../../contracts/codes.ts';
import type { CompanyId } from '../../contracts/ids.ts';

export interface ApiToken {
  id: number;
  companyId: CompanyId;
  name: string;
  scopes: readonly Scope[];
  createdAt: Date;
  expiresAt: Date | null;
  revokedAt: Date | null;
  lastUsedAt: Date | null;
  /** A command of the terminal made the token for its own run, and revokes it at the end. */
  forOneRun: boolean;
}

/** A key with which a program of a company signs its requests. */
export interface HmacKey {
  id: number;
  companyId: CompanyId;
  /** The X-USER-ID that the program sends; unique on the installation, never assigned a second time. */
  userId: string;
  name: string;
  /** How this program signs. */
  profile: HmacProfileName;
  scopes: readonly Scope[];
  createdAt: Date;
  expiresAt: Date | null;
  revokedAt: Date | null;
  lastUsedAt: Date | null;
}
