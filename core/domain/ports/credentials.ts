/** With what programs prove who they are. */
import type { HmacProfileName, Scope } from '../../contracts/codes.ts';
import type { CompanyId } from '../../contracts/ids.ts';
import type { AuditContext } from './auditContext.ts';

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

export interface ApiTokens {
  /** `hash`: SHA-256 of the token; the token itself is never stored. */
  create(
    company: CompanyId,
    token: {
      name: string;
      hash: Uint8Array;
      scopes: readonly Scope[];
      expiresAt: Date | null;
      /** Such tokens are deleted after they expired. */
      forOneRun?: boolean | undefined;
    },
    act: AuditContext,
  ): Promise<ApiToken>;
  /** The one query without a company: it finds which company a credential belongs to. */
  findByHash(hash: Uint8Array): Promise<ApiToken | undefined>;
  list(company: CompanyId): Promise<ApiToken[]>;
  revoke(company: CompanyId, id: number, act: AuditContext): Promise<boolean>;
  touch(company: CompanyId, id: number, at: Date): Promise<void>;
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

export interface HmacKeys {
  /** Undefined: another key has this user id. */
  create(
    company: CompanyId,
    key: {
      userId: string;
      name: string;
      secret: string;
      profile: HmacProfileName;
      scopes: readonly Scope[];
      expiresAt: Date | null;
    },
    act: AuditContext,
  ): Promise<HmacKey | undefined>;
  /** The one query without a company: it finds which company a credential belongs to. */
  findByUserId(userId: string): Promise<{ key: HmacKey; secret: string } | undefined>;
  list(company: CompanyId): Promise<HmacKey[]>;
  revoke(company: CompanyId, id: number, act: AuditContext): Promise<boolean>;
  touch(company: CompanyId, id: number, at: Date): Promise<void>;
}

/** Signatures that were accepted; survives a restart. */
export interface ReplayGuard {
  /**
   * Remembers a signature, durably before it resolves.
   * @param until when it may be forgotten: its timestamp can never be in a window again
   * @returns false: it was remembered already
   */
  remember(key: HmacKey, signature: Uint8Array, until: Date): Promise<boolean>;
}

/** Counts requests for all services of an installation together. */
export interface RequestCounts {
  /**
   * Counts one request.
   * @param key names whose request it is @param window milliseconds from the first request that is counted
   * @returns the requests in the window, this one included, and the milliseconds until it ends
   * @throws {UnavailableError} the store cannot be used
   */
  count(key: string, window: number): Promise<{ count: number; remaining: number }>;
}
