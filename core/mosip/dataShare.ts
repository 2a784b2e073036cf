/**
 * The biometrics of a reference URL: fetched from MOSIP's data share, and decrypted. The service connects to the origins alone
 * that the administrator configured. It follows no redirection.
 */
import { constants, createDecipheriv, privateDecrypt } from 'node:crypto';
import { KIND_HEAD_BYTES, recordKindOf } from '../contracts/pictureKinds.ts';
import type { MosipConnection } from '../contracts/mosip.ts';
import { MosipRefusal } from '../domain/abis/mosip.ts';
import type { Company } from '../domain/ports/auditContext.ts';

/** For the whole answer, milliseconds. */
const TIMEOUT_MS = 30_000;
/** Base64 in XML, encrypted, in base64: less than twice the bytes of the picture; and the other biometrics of a person. */
const PER_IMAGE_BYTE = 4;
/** Bytes of the answer that grants a token. */
const TOKEN_ANSWER_BYTES = 64 * 1024;
/** The codes of the data share: the address has expired, and the token is not valid. */
const EXPIRED = 'DAT-SER-006';
const UNAUTHENTICATED = 'KER-ATH-401';

interface Fetched {
  status: number;
  bytes: Buffer;
  headers: Headers;
}

/** The data shares of all companies. It keeps a token until the data share refuses it. */
export class DataShares {
  /** By the account. */
  readonly #tokens = new Map<string, string>();

  /**
   * The face record at a reference URL; it may be damaged.
   * @throws {MosipRefusal} it cannot be fetched or decrypted, or is no record
   */
  async recordAt({ settings }: Company, connection: MosipConnection, url: string): Promise<Uint8Array> {
    const address = allowedAddress(url, connection);
    const most = PER_IMAGE_BYTE * settings.maxImageBytes;
    let found = await fetched(address, most, this.#cookie(connection));
    if (isUnauthenticated(found) && connection.account !== null) {
      await this.#renew(connection);
      found = await fetched(address, most, this.#cookie(connection));
    }
    const errors = errorsIn(found.bytes);
    if (errors.includes(EXPIRED)) throw new MosipRefusal('expired');
    if (found.status !== 200 || errors.length > 0) throw new MosipRefusal('notFetched');
    if (found.bytes.length === 0) throw new MosipRefusal('noBiometrics');
    const record = decrypted(found.bytes, connection.privateKey);
    if (recordKindOf(record.subarray(0, KIND_HEAD_BYTES)) === null) throw new MosipRefusal('format');
    return record;
  }

  #cookie({ account }: MosipConnection): Record<string, string> {
    const token = account === null ? undefined : this.#tokens.get(JSON.stringify(account));
    return token === undefined ? {} : { cookie: `Authorization=${token}` };
  }

  /** @throws {MosipRefusal} no token was granted */
  async #renew({ account }: MosipConnection): Promise<void> {
    if (account === null) return;
    const { url, ...request } = account;
    const body = {
      id: 'vouch',
      metadata: {},
      request,
      requesttime: new Date().toISOString(),
      version: '1.0',
    };
    const granted = await fetched(
      new URL(url),
      TOKEN_ANSWER_BYTES,
      { 'content-type': 'application/json' },
      body,
    );
    const cookies = granted.headers
      .getSetCookie()
      .map((cookie) => /^authorization=([^;]+)/i.exec(cookie)?.[1]);
    const token = granted.headers.get('authorization') ?? cookies.find((each) => each !== undefined);
    if (granted.status !== 200 || token === undefined) throw new MosipRefusal('notFetched');
    this.#tokens.set(JSON.stringify(account), token);
  }
}

/** @throws {MosipRefusal} the address is of no configured origin, or has a user or a password */
function allowedAddress(url: string, { shares }: MosipConnection): URL {
  const address = URL.parse(url);
  const origins = shares.map((share) => new URL(share).origin);
  const isAllowed = address?.username === '' && address.password === '' && origins.includes(address.origin);
  if (!isAllowed) throw new MosipRefusal('notFetched');
  return address;
}

/** @throws {MosipRefusal} no connection, a redirection, too many bytes, or too slow */
async function fetched(
  address: URL,
  most: number,
  headers: Record<string, string>,
  sent?: object,
): Promise<Fetched> {
  try {
    const response = await fetch(address, {
      headers,
      redirect: 'error',
      signal: AbortSignal.timeout(TIMEOUT_MS),
      ...(sent !== undefined && { method: 'POST', body: JSON.stringify(sent) }),
    });
    const chunks: Uint8Array[] = [];
    let length = 0;
    const body: AsyncIterable<Uint8Array> | null = response.body;
    for await (const chunk of body ?? []) {
      length += chunk.length;
      if (length > most) throw new MosipRefusal('notFetched');
      chunks.push(chunk);
    }
    return { status: response.status, bytes: Buffer.concat(chunks), headers: response.headers };
  } catch (cause) {
    throw cause instanceof MosipRefusal ? cause : new MosipRefusal('notFetched', { cause });
  }
}

function isUnauthenticated({ status, bytes }: Fetched): boolean {
  return status === 401 || status === 403 || errorsIn(bytes).includes(UNAUTHENTICATED);
}

/** The codes of an answer in JSON, which the data share gives in place of biometrics, with the status 200. */
function errorsIn(bytes: Buffer): string[] {
  if (bytes[0] !== 0x7b) return [];
  try {
    const { errors } = JSON.parse(bytes.toString()) as { errors?: { errorCode?: unknown }[] | null };
    return (errors ?? []).map(({ errorCode }) => String(errorCode).trim());
  } catch {
    return [];
  }
}

const SPLITTER = Buffer.from('#KEY_SPLITTER#');
/** Begins the key block since MOSIP 1.2. */
const VERSION = Buffer.from('VER_R2');
const THUMBPRINT_BYTES = 32;
const NONCE_BYTES = 12;
/** Additional data since MOSIP 1.2, and the nonce before. */
const BESIDE_BYTES = 32;
const TAG_BYTES = 16;

/**
 * Decrypts the two forms of MOSIP: an AES key encrypted by RSA-OAEP with SHA-256, and the data by AES-256-GCM.
 * @param key PEM; null: the data is not encrypted
 * @throws {MosipRefusal} noBiometrics: it is encrypted to another key, or was changed
 */
function decrypted(bytes: Buffer, key: string | null): Uint8Array {
  const packed = Buffer.from(bytes.toString('latin1').trim(), 'base64url');
  const at = packed.indexOf(SPLITTER);
  if (at < 0) return bytes;
  if (key === null) throw new MosipRefusal('noBiometrics');
  const [keyBlock, data] = [packed.subarray(0, at), packed.subarray(at + SPLITTER.length)];
  const isVersioned = keyBlock.subarray(0, VERSION.length).equals(VERSION);
  const encryptedKey = keyBlock.subarray((isVersioned ? VERSION.length : 0) + THUMBPRINT_BYTES);
  try {
    const padding = { padding: constants.RSA_PKCS1_OAEP_PADDING, oaepHash: 'sha256' };
    const aesKey = privateDecrypt({ key, ...padding }, encryptedKey);
    const [beside, sealed] = isVersioned
      ? [data.subarray(0, BESIDE_BYTES), data.subarray(BESIDE_BYTES)]
      : [data.subarray(-BESIDE_BYTES), data.subarray(0, -BESIDE_BYTES)];
    const nonce = isVersioned ? beside.subarray(0, NONCE_BYTES) : beside;
    const decipher = createDecipheriv('aes-256-gcm', aesKey, nonce, { authTagLength: TAG_BYTES });
    if (isVersioned) decipher.setAAD(beside);
    decipher.setAuthTag(sealed.subarray(-TAG_BYTES));
    return Buffer.concat([decipher.update(sealed.subarray(0, -TAG_BYTES)), decipher.final()]);
  } catch (cause) {
    throw new MosipRefusal('noBiometrics', { cause });
  }
}
