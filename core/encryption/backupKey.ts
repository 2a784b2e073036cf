import { createPublicKey, randomBytes, type KeyObject } from 'node:crypto';
import { bech32 } from '@scure/base';
import { CodedError, problem } from '../contracts/errors/problem.ts';
import { fingerprintOf, KEY_BYTES, rawPublicKey, x25519PrivateKey } from './keys.ts';

/** Human-readable part of an age identity (https://c2sp.org/age); it is written in capitals. */
const PREFIX = 'age-secret-key-';
/** The prefix, a separator, 52 characters of the key and 6 that check them. */
const KEY_LENGTH = 74;

/** A backup key. */
export interface BackupKey {
  privateKey: KeyObject;
  /** X25519, 32 raw bytes. */
  publicKey: Uint8Array;
  fingerprint: string;
}

/**
 * The backup key of an installation: an X25519 private key on paper, as the age program reads it from a file. The machine
 * keeps only its public half, so that backups are made unattended and only the holder of the paper can open them.
 */
export function createBackupKey(): BackupKey & { text: string } {
  const raw = randomBytes(KEY_BYTES);
  const text = bech32.encode(PREFIX, bech32.toWords(raw)).toUpperCase();
  return { text, ...backupKeyOf(x25519PrivateKey(raw)) };
}

/**
 * Reads a backup key. Blanks, hyphens and case do not matter, and its prefix may be missing. Characters that the encoding
 * does not use are taken for those that look like them.
 * @throws {CodedError} nothing typed, another length, or mistyped; the message does not contain what was typed
 */
export function readBackupKey(typed: string): BackupKey {
  const characters = typed.toUpperCase().replaceAll(/[\s-]/g, '');
  const bare = PREFIX.toUpperCase().replaceAll('-', '');
  const data = characters.startsWith(bare) ? characters.slice(bare.length + 1) : characters;
  if (data === '') throw new CodedError(problem('BACKUP_KEY_MISSING'));
  const expected = KEY_LENGTH - PREFIX.length - 1;
  if (data.length !== expected)
    throw new CodedError(problem('BACKUP_KEY_LENGTH', { expected, given: data.length }));
  const meant = data.replaceAll('O', '0').replaceAll('B', '8').replaceAll(/[I1]/g, 'L');
  return backupKeyOf(decode(`${PREFIX}1${meant.toLowerCase()}`));
}

function backupKeyOf(privateKey: KeyObject): BackupKey {
  const publicKey = rawPublicKey(createPublicKey(privateKey));
  return { privateKey, publicKey, fingerprint: fingerprintOf(publicKey) };
}

function decode(identity: string): KeyObject {
  const decoded = bech32.decodeUnsafe(identity);
  const raw = decoded === undefined ? undefined : bech32.fromWordsUnsafe(decoded.words);
  if (!(raw instanceof Uint8Array) || raw.length !== KEY_BYTES)
    throw new CodedError(problem('BACKUP_KEY_MISTYPED'));
  return x25519PrivateKey(raw);
}

/** The backup keys of the service, behind its port. */
export const BACKUP_KEYS = {
  create: createBackupKey,
  fingerprintOf,
  read(typed: string): string | undefined {
    try {
      return readBackupKey(typed).fingerprint;
    } catch (error) {
      if (error instanceof CodedError) return undefined;
      throw error;
    }
  },
};
