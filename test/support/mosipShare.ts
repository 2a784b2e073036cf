/** A data share and an account service as MOSIP has them, and the records that it hands out. */
import { constants, createCipheriv, generateKeyPairSync, publicEncrypt, randomBytes } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { TestContext } from 'node:test';
import { writeFac } from '../../core/decoding/records/fac.ts';

/** CBEFF XML of one biometric. @param block null: without a data block */
export function cbeff(block: Uint8Array | null, type = 'Face'): string {
  const data = block === null ? '' : `<BDB>${Buffer.from(block).toString('base64')}</BDB>`;
  return `<?xml version="1.0" encoding="UTF-8" standalone="yes"?>
<BIR xmlns="http://standards.iso.org/iso-iec/19785/-3/ed-2/"><BIRInfo><Integrity>false</Integrity></BIRInfo>
<BIR><BDBInfo><Format><Organization>Mosip</Organization><Type>8</Type></Format>
<CreationDate>2026-01-11T10:00:00.000Z</CreationDate><Type>${type}</Type><Level>Raw</Level></BDBInfo>${data}</BIR></BIR>`;
}

/** CBEFF XML of a photo, as ISO/IEC 19794-5:2011 record. */
export function cbeffOf(jpeg: Uint8Array, width = 100, height = 100): string {
  const eyes = { left: { x: width * 0.65, y: height * 0.4 }, right: { x: width * 0.35, y: height * 0.4 } };
  return cbeff(writeFac({ jpeg, width, height, eyes }, 2011));
}

export const keyPair = () =>
  generateKeyPairSync('rsa', {
    modulusLength: 2048,
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  });

/** As MOSIP encrypts for a partner: since 1.2, and before. */
export function encrypted(text: string, publicKey: string, form: '1.2' | '1.1.5'): string {
  const aesKey = randomBytes(32);
  const beside = randomBytes(32);
  const padding = { padding: constants.RSA_PKCS1_OAEP_PADDING, oaepHash: 'sha256' };
  const lockedKey = publicEncrypt({ key: publicKey, ...padding }, aesKey);
  const isNew = form === '1.2';
  const cipher = createCipheriv('aes-256-gcm', aesKey, isNew ? beside.subarray(0, 12) : beside);
  if (isNew) cipher.setAAD(beside);
  const sealed = Buffer.concat([cipher.update(text), cipher.final(), cipher.getAuthTag()]);
  const thumbprint = randomBytes(32);
  const splitter = Buffer.from('#KEY_SPLITTER#');
  return isNew
    ? Buffer.concat([Buffer.from('VER_R2'), thumbprint, lockedKey, splitter, beside, sealed]).toString(
        'base64url',
      )
    : Buffer.concat([thumbprint, lockedKey, splitter, sealed, beside]).toString('base64');
}

interface Share {
  origin: string;
  /** By path; a number is a status, a function is asked each time. */
  files: Map<string, string | number | (() => string)>;
  /** Paths that were asked for, in order. */
  asked: string[];
  /** The token that the share takes; null: it takes every request. */
  token: string | null;
  /** Tokens that the account service granted. */
  granted: number;
}

export async function openShare(t: Pick<TestContext, 'after'>): Promise<Share> {
  const share: Share = { origin: '', files: new Map(), asked: [], token: null, granted: 0 };
  const server = createServer((request, response) => {
    const path = request.url ?? '';
    share.asked.push(path);
    if (path === '/account') {
      share.granted += 1;
      share.token = `token-${share.granted}`;
      response.setHeader('set-cookie', `Authorization=${share.token}; Path=/; HttpOnly`);
      response.end('{"response":{"status":"Success"},"errors":null}');
      return;
    }
    if (share.token !== null && request.headers.cookie !== `Authorization=${share.token}`) {
      response.end(
        '{"response":null,"errors":[{"errorCode":"KER-ATH-401","message":"Authentication Failed"}]}',
      );
      return;
    }
    if (path === '/elsewhere') {
      response.writeHead(302, { location: '/face' }).end();
      return;
    }
    const file = share.files.get(path) ?? 404;
    if (typeof file === 'number') response.writeHead(file).end();
    else response.end(typeof file === 'string' ? file : file());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.after(() => new Promise((resolve) => server.close(resolve)));
  share.origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return share;
}

export const EXPIRED =
  '{"id":"mosip.data.share","dataShare":null,"errors":[{"errorCode":"DAT-SER-006","message":"Data share usuage expired"}]}';
