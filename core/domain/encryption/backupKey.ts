import { createPublicKey, hkdfSync, randomBytes, type KeyObject } from 'node:crypto';
import { barePrintedCode, createPrintedCode } from '../common/printedCode.ts';
import { x25519PrivateKey, rawPublicKey, fingerprintOf } from './keys.ts';

/**
 * The recovery key of an installation: 160 random bits on paper. The machine keeps only the public half of the key pair
 * that follows from it, so backups are made unattended and opened by nobody but the holder of the paper.
 */
export function createBackupKey(): { key: string; publicKey: Uint8Array } {
  const key = createPrintedCode({ randomBytes });
  return { key, publicKey: backupKeyPair(key).publicKey };
}

/** The X25519 pair of a recovery key as it was typed: HKDF-SHA256 over its letters; 160 bits need no slow derivation. */
export function backupKeyPair(typed: string): {
  privateKey: KeyObject;
  publicKey: Uint8Array;
  fingerprint: string;
} {
  const seed = hkdfSync('sha256', barePrintedCode(typed), 'vouch recovery key', 'x25519', 32);
  const privateKey = x25519PrivateKey(new Uint8Array(seed));
  const publicKey = rawPublicKey(createPublicKey(privateKey));
  return { privateKey, publicKey, fingerprint: fingerprintOf(publicKey) };
}
