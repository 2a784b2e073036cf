/**
 * Keeps the store key of a home for the desktop window: encrypted by the key store of the operating system, or by a
 * passphrase on a machine without one, and never in plain text. Independent of Electron, so that tests run the real code.
 */
import { createCipheriv, createDecipheriv, randomBytes, scryptSync } from 'node:crypto';
import {
  closeSync,
  existsSync,
  fstatSync,
  fsyncSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';

/** The operating system's key store. */
export interface Protector {
  /** Whether it encrypts secrets; a store that only obscures them does not count. */
  available(): Promise<boolean>;
  seal(text: string): Promise<Buffer>;
  /** Rejects what another account or machine encrypted. */
  open(sealed: Buffer): Promise<string>;
}

/** The questions to the operator. */
export interface Questions {
  /** A passphrase for a new home, typed twice; undefined: the operator cancelled, and no home is created. */
  newPassphrase(): Promise<string | undefined>;
  /** @param wrong the previous passphrase was wrong. @returns undefined: the operator cancelled */
  passphrase(wrong: boolean): Promise<string | undefined>;
  /** Whether to move a key from a plain file into the key store of the system. */
  takeOver(): Promise<boolean>;
}

/** `file`: the home has a key file, made by the service without the shell or by a restore; the service reads it itself. */
export type StoreKey =
  | { kind: 'key'; key: Uint8Array; keptBy: 'system' | 'passphrase' }
  | { kind: 'file' }
  | { kind: 'given-up' };

const BY_SYSTEM = 'store.key.system';
const BY_PASSPHRASE = 'store.key.passphrase';
const IN_FILE = 'store.key';
/** OWASP's parameters for scrypt: 128 MiB, about half a second. */
const SCRYPT = { N: 2 ** 17, r: 8, p: 1, maxmem: 256 * 1024 * 1024 };
const SALT_BYTES = 16;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const SHORTEST_PASSPHRASE = 12;

/** @throws {Error} a database without any key, or a key that this account cannot open; the text says what to do */
export async function storeKeyOf(
  home: string,
  protector: Protector,
  questions: Questions,
): Promise<StoreKey> {
  const kept = (name: string) => existsSync(join(home, name));
  if (kept(BY_SYSTEM)) {
    const key = await openBySystem(home, protector);
    if (kept(IN_FILE)) wipeTakenOver(join(home, IN_FILE), key);
    return { kind: 'key', key, keptBy: 'system' };
  }
  if (kept(BY_PASSPHRASE)) return openByPassphrase(readFileSync(join(home, BY_PASSPHRASE)), questions);
  if (kept(IN_FILE)) {
    if (!(await protector.available()) || !(await questions.takeOver())) return { kind: 'file' };
    return takeOver(home, protector);
  }
  if (kept('vouch.db'))
    throw new Error(
      `The data directory ${home} has a database and no key. Put ${BY_SYSTEM}, ${BY_PASSPHRASE} or ${IN_FILE} back, or restore a backup.`,
    );
  return makeKey(home, protector, questions);
}

async function openBySystem(home: string, protector: Protector): Promise<Uint8Array> {
  try {
    return fromHex(await protector.open(readFileSync(join(home, BY_SYSTEM))));
  } catch (cause) {
    throw new Error(
      `The key store of this machine cannot open the key of ${home}, because another account or machine encrypted it. Sign in with that account, or restore a backup with its backup key.`,
      { cause },
    );
  }
}

async function openByPassphrase(sealed: Buffer, questions: Questions): Promise<StoreKey> {
  for (let wrong = false; ; wrong = true) {
    const passphrase = await questions.passphrase(wrong);
    if (passphrase === undefined) return { kind: 'given-up' };
    const key = unsealWith(passphrase, sealed);
    if (key !== undefined) return { kind: 'key', key, keptBy: 'passphrase' };
  }
}

async function takeOver(home: string, protector: Protector): Promise<StoreKey> {
  const file = join(home, IN_FILE);
  const key = fromHex(readFileSync(file, 'utf8').trim());
  await sealBySystem(home, protector, key);
  wipe(file);
  return { kind: 'key', key, keptBy: 'system' };
}

/** Finishes a take-over that was interrupted. A file with another key stays. */
function wipeTakenOver(file: string, key: Uint8Array): void {
  const content = readFileSync(file);
  const isWiped = content.every((byte) => byte === 0);
  if (isWiped || content.toString().trim() === Buffer.from(key).toString('hex')) wipe(file);
}

/** Overwrites the key before it deletes the file. A solid-state disk can still hold the old blocks. */
function wipe(file: string): void {
  const handle = openSync(file, 'r+');
  try {
    writeFileSync(handle, Buffer.alloc(fstatSync(handle).size));
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
  rmSync(file);
}

async function sealBySystem(home: string, protector: Protector, key: Uint8Array): Promise<void> {
  const digits = Buffer.from(key).toString('hex');
  const sealed = await protector.seal(digits);
  // Verified, because a key store that loses the key would lose the installation.
  if ((await protector.open(sealed).catch(() => undefined)) !== digits)
    throw new Error('The key store of this machine did not return the key that was stored in it.');
  writeOnce(join(home, BY_SYSTEM), sealed);
}

async function makeKey(home: string, protector: Protector, questions: Questions): Promise<StoreKey> {
  const key = randomBytes(32);
  if (await protector.available()) {
    await sealBySystem(home, protector, key);
    return { kind: 'key', key, keptBy: 'system' };
  }
  const passphrase = await questions.newPassphrase();
  if (passphrase === undefined) return { kind: 'given-up' };
  writeOnce(join(home, BY_PASSPHRASE), sealWith(passphrase, key));
  return { kind: 'key', key, keptBy: 'passphrase' };
}

/** @returns the fault of a new passphrase; undefined where it has none */
export function faultOfPassphrase(passphrase: string, again: string): string | undefined {
  if (passphrase !== again) return 'The two passphrases differ.';
  if (passphrase.length < SHORTEST_PASSPHRASE)
    return `The passphrase must have at least ${SHORTEST_PASSPHRASE} characters. A sentence is easy to remember.`;
  return undefined;
}

function sealWith(passphrase: string, key: Uint8Array): Buffer {
  const [salt, nonce] = [randomBytes(SALT_BYTES), randomBytes(NONCE_BYTES)];
  const cipher = createCipheriv('aes-256-gcm', derive(passphrase, salt), nonce);
  return Buffer.concat([salt, nonce, cipher.update(key), cipher.final(), cipher.getAuthTag()]);
}

/** @returns undefined where the passphrase is wrong */
function unsealWith(passphrase: string, sealed: Buffer): Uint8Array | undefined {
  const nonceAt = SALT_BYTES;
  const content = sealed.subarray(nonceAt + NONCE_BYTES, -TAG_BYTES);
  const decipher = createDecipheriv(
    'aes-256-gcm',
    derive(passphrase, sealed.subarray(0, SALT_BYTES)),
    sealed.subarray(nonceAt, nonceAt + NONCE_BYTES),
  );
  decipher.setAuthTag(sealed.subarray(-TAG_BYTES));
  const key = decipher.update(content);
  try {
    decipher.final();
    return key;
  } catch {
    return undefined;
  }
}

function derive(passphrase: string, salt: Uint8Array): Buffer {
  return scryptSync(passphrase.normalize('NFKC'), salt, 32, SCRYPT);
}

function fromHex(digits: string): Uint8Array {
  const key = Buffer.from(digits, 'hex');
  if (key.length !== 32) throw new Error('The stored key has another length than 32 bytes.');
  return key;
}

/** Writes the file atomically, readable by this account only. */
function writeOnce(file: string, content: Buffer): void {
  const next = `${file}.next`;
  const handle = openSync(next, 'w', 0o600);
  try {
    writeFileSync(handle, content);
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
  renameSync(next, file);
}
