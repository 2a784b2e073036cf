import type { Problem } from '../../contracts/errors/problem.ts';

/** The purpose of a key pair of the installation. */
export type InstallationKeyPurpose = 'recovery' | 'signing' | 'receiving';

export interface InstallationKey {
  /** 32 raw bytes. */
  publicKey: Uint8Array;
  createdAt: Date;
}

/** A pair of which the store keeps both halves. */
interface StoredKeyPair {
  /** 32 raw bytes. */
  publicKey: Uint8Array;
  /** PKCS #8, DER. */
  privateKey: Uint8Array;
}

/** The key that the installation signs with (Ed25519), and the key that files for it are encrypted to (X25519). */
export type IdentityPairs = Record<'signing' | 'receiving', StoredKeyPair>;

/** A backup that is being written. */
export interface BackupStream {
  /** Decrypts this backup alone (16 bytes), so that its writer can read it back. */
  contentKey: Uint8Array;
  /** The backup, encrypted to the backup key. A reader that stops early ends the backup. */
  content: AsyncIterable<Uint8Array>;
}

/** There is no key that a backup can be encrypted to. */
export class NoBackupKey extends Error {
  override name = 'NoBackupKey';
}

/** How a run ended. */
export interface BackupOutcome {
  state: 'done' | 'failed' | 'cancelled';
  bytes: number;
  lostImages: number;
  problem: Problem | null;
}

/** Makes and reads backup keys. */
export interface BackupKeys {
  create(): { text: string; publicKey: Uint8Array; fingerprint: string };
  fingerprintOf(publicKey: Uint8Array): string;
  /** @returns the fingerprint of a typed key; undefined: mistyped */
  read(typed: string): string | undefined;
}
