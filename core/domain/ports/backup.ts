import type { AuditContext } from './auditContext.ts';

/** What a key pair of the installation is for. */
export type InstallationKeyPurpose = 'recovery' | 'signing' | 'receiving';

export interface InstallationKey {
  /** 32 raw bytes. */
  publicKey: Uint8Array;
  createdAt: Date;
}

/** A pair of which the store keeps both halves. */
export interface StoredKeyPair {
  /** 32 raw bytes. */
  publicKey: Uint8Array;
  /** PKCS #8, DER. */
  privateKey: Uint8Array;
}

/** What the installation signs with (Ed25519), and what is sealed for it (X25519). */
export type IdentityPairs = Record<'signing' | 'receiving', StoredKeyPair>;

export interface InstallationKeys {
  /** The public half of the recovery key; undefined while none was made. */
  recovery(): Promise<InstallationKey | undefined>;
  /** From now on backups are sealed to this key. */
  setRecovery(publicKey: Uint8Array, act: AuditContext): Promise<void>;
  /** undefined while none was made. */
  identity(): Promise<IdentityPairs | undefined>;
  /** Keeps these, unless there are some already. @returns those that are kept */
  makeIdentity(pairs: IdentityPairs, act: AuditContext): Promise<IdentityPairs>;
}

/** A backup that is being made. */
export interface BackupStream {
  /** Of this bundle alone, so that who writes it can read it back. */
  contentKey: Uint8Array;
  /** The bundle, sealed to the recovery key. Whoever stops reading it early ends the backup. */
  content: AsyncIterable<Uint8Array>;
}

/** There is nothing to seal a backup to. */
export class NoBackupKey extends Error {
  override name = 'NoRecoveryKey';
}

export interface Backups {
  /** Starts a backup; the service goes on working. @param version of this program. @throws {NoBackupKey} */
  open(act: AuditContext, version: string): Promise<BackupStream>;
}
