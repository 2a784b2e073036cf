/**
 * A backup on disk: magic and version, the ephemeral public key, the fingerprint of the recovery key, then a sealed
 * stream. Sealed inside: files one after another, each a length-prefixed JSON head with its bytes, a manifest last.
 */
import { problem } from '../../contracts/errors/problem.ts';
import { BackupRefused } from '../engine/refusals.ts';
import { createHash, type KeyObject } from 'node:crypto';
import { z } from 'zod';
import { auditAnchor } from '../../contracts/audit.ts';
import type { CompanyId, ImageId } from '../../contracts/ids.ts';
import { keyAsRecipient, keyForRecipient, KEY_BYTES } from '../../domain/encryption/keys.ts';

const MAGIC = Buffer.from('VOUCHBAK\u0001', 'latin1');
const PURPOSE = 'vouch backup 1';
const RECIPIENT_BYTES = 8;
export const HEADER_BYTES = MAGIC.length + KEY_BYTES + RECIPIENT_BYTES;

export { BackupRefused };

export const MANIFEST = 'manifest.json';
export const DATABASE = 'vouch.db';
export const KEY_FILE = 'store.key';
export const ANCHORS = 'audit-anchors.jsonl';

/** Where an image lies in a bundle: by the company's number, never its name. */
export function imageEntry(company: CompanyId, id: ImageId): string {
  return `images/${company}/${id}`;
}

/** Where a file of a recognition pack lies in a bundle, and in the home. */
export function packEntry(pack: string, file: string): string {
  return `models/${pack}/${file}`;
}

/** Whether a path is one that `packEntry` gives: two plain names, so that it leads nowhere else. */
export function isPackEntry(path: string): boolean {
  return /^models\/\w[\w.-]*\/\w[\w.-]*$/.test(path);
}

/** @returns undefined: another file */
export function parseImageEntry(path: string): { company: CompanyId; id: ImageId } | undefined {
  const match = /^images\/(\d+)\/([0-9a-f]{32})$/.exec(path);
  if (match === null) return undefined;
  return { company: Number(match[1]) as CompanyId, id: match[2] as ImageId };
}

export const backupManifest = z.object({
  /** Of the program that made it. */
  version: z.string(),
  createdAt: z.iso.datetime(),
  /** The head of the audit log when the copy was made. */
  anchor: auditAnchor.nullable(),
  images: z.number().int(),
  /** Ids of images whose file was gone already when the backup was made. */
  lost: z.array(z.string()),
  /** Ids of images whose file could not be decrypted any more; it is in the backup as it was. */
  damaged: z.array(z.string()),
});
export type BackupManifest = z.infer<typeof backupManifest>;

/** A header and the key of the stream that follows it. @param recipient public half of the recovery key */
export function newHeader(recipient: Uint8Array): { header: Buffer; contentKey: Uint8Array } {
  const { contentKey, ephemeral } = keyForRecipient(recipient, PURPOSE);
  return { header: Buffer.concat([MAGIC, ephemeral, recipientOf(recipient)]), contentKey };
}

/** @throws {BackupRefused} no backup, of a later format, or for another recovery key */
export function openHeader(
  header: Buffer,
  recovery: { privateKey: KeyObject; publicKey: Uint8Array; fingerprint: string },
): Uint8Array {
  checkHeader(header);
  const at = MAGIC.length + KEY_BYTES;
  const wanted = header.subarray(at, at + RECIPIENT_BYTES);
  if (!wanted.equals(recipientOf(recovery.publicKey)))
    throw new BackupRefused(
      problem('BACKUP_KEY_WRONG', { wanted: spelled(wanted), given: recovery.fingerprint }),
    );
  return keyAsRecipient(recovery.privateKey, header.subarray(MAGIC.length, at), PURPOSE);
}

/** @throws {BackupRefused} no backup, or one of a later format */
export function checkHeader(header: Buffer): void {
  const name = MAGIC.subarray(0, -1);
  if (header.length < HEADER_BYTES || !header.subarray(0, name.length).equals(name))
    throw new BackupRefused(problem('BACKUP_NOT_ONE'));
  if (header[name.length] !== MAGIC[name.length])
    throw new BackupRefused(
      problem('BACKUP_FORMAT_NEWER', { format: header[name.length] ?? 0, known: MAGIC[name.length] ?? 0 }),
    );
}

function recipientOf(publicKey: Uint8Array): Buffer {
  return createHash('sha256').update(publicKey).digest().subarray(0, RECIPIENT_BYTES);
}

function spelled(fingerprint: Buffer): string {
  return fingerprint.toString('hex').match(/.{4}/g)!.join('-');
}

/** For sentences. */
export function megabytes(bytes: number): number {
  return Math.ceil(bytes / 1e6);
}
