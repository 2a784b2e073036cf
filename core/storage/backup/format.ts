/**
 * A backup: an age file encrypted to the backup key. Inside is a container of the encrypted photos, the encrypted database,
 * the recognition packs, the key of the store and the anchors of the audit log. `age -d -i KEY FILE | tar tv` lists it.
 */
import { createReadStream } from 'node:fs';
import { z } from 'zod';
import { auditAnchor } from '../../contracts/audit.ts';
import { problem } from '../../contracts/errors/problem.ts';
import { trusted, type CompanyId, type ImageId } from '../../contracts/ids.ts';
import { DecryptionFailed, encryptAge, NotAgeFile, openAge, type AgeFile } from '../../encryption/age.ts';
import type { BackupKey } from '../../encryption/backupKey.ts';
import { manifestFields, ContainerReader, type ContainerFile } from '../../encryption/container.ts';
import { fingerprintOf } from '../../encryption/keys.ts';
import { BackupRefused } from '../engine/refusals.ts';
import { ArchiveBroken } from '../../encryption/tar.ts';

/** Type of the stanza in the age header; its arguments are the format and the fingerprint of the backup key. */
const LABEL = 'vouch-backup';
export const FORMAT = 1;
export const KIND = 'vouch backup';
const READ_BYTES = 1 << 20;
/** Room for the ids of a million lost photos. Only the holder of the backup key can write a backup. */
export const MAX_MANIFEST_BYTES = 64 * 1024 * 1024;

export { BackupRefused };

export const DATABASE = 'vouch.db';
export const KEY_FILE = 'store.key';
export const ANCHORS = 'audit-anchors.jsonl';

/** Path of a photo in a backup: by the company's number, never its name. */
export function imageEntry(company: CompanyId, id: ImageId): string {
  return `images/${company}/${id}`;
}

/** Path of a file of a recognition pack, in a backup and in the home. */
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
  return { company: trusted.company(Number(match[1])), id: trusted.image(match[2]!) };
}

export const backupManifest = manifestFields.extend({
  kind: z.literal(KIND),
  version: z.literal(FORMAT),
  /** Version of the program that made it. */
  program: z.string(),
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

/** @param recipient public half of the backup key */
export function encryptBackup(
  recipient: Uint8Array,
  content: AsyncIterable<Uint8Array>,
): ReturnType<typeof encryptAge> {
  return encryptAge(recipient, [LABEL, String(FORMAT), fingerprintOf(recipient)], content);
}

/** A backup whose header was read. Its file stays open until the content was read or `close` was called. */
export interface BackupFile extends Pick<AgeFile, 'decrypt' | 'close'> {
  /** @throws {BackupRefused} the backup needs another key, or is damaged */
  unwrap(key: BackupKey): Uint8Array;
}

/** @throws {BackupRefused} no backup, or one of a later format */
export async function openBackup(file: string): Promise<BackupFile> {
  const source = createReadStream(file, { highWaterMark: READ_BYTES });
  const opened = await openAge(source as AsyncIterable<Buffer>).catch((cause: unknown) => {
    throw refusalOf(cause);
  });
  const [format, fingerprint] = opened.label(LABEL) ?? [];
  if (format !== String(FORMAT) || fingerprint === undefined) {
    await opened.close();
    throw new BackupRefused(
      format === undefined
        ? problem('BACKUP_NOT_ONE')
        : problem('BACKUP_FORMAT_NEWER', { format, known: FORMAT }),
    );
  }
  return {
    unwrap(key) {
      if (fingerprint !== key.fingerprint)
        throw new BackupRefused(problem('BACKUP_KEY_WRONG', { wanted: fingerprint, given: key.fingerprint }));
      const fileKey = unwrapped(opened, key);
      if (fileKey === undefined) throw new BackupRefused(problem('BACKUP_DAMAGED'));
      return fileKey;
    },
    decrypt: (fileKey) => opened.decrypt(fileKey),
    close: () => opened.close(),
  };
}

function unwrapped(opened: AgeFile, { privateKey }: BackupKey): Uint8Array | undefined {
  try {
    return opened.unwrap(privateKey);
  } catch (cause) {
    throw refusalOf(cause);
  }
}

/** The faults of the file as refusals; other errors, such as those of the disk, as they are. */
function refusalOf(cause: unknown): unknown {
  if (cause instanceof NotAgeFile) return new BackupRefused(problem('BACKUP_NOT_ONE'), { cause });
  return cause instanceof DecryptionFailed ? new BackupRefused(problem('BACKUP_DAMAGED'), { cause }) : cause;
}

/** For sentences. */
export function megabytes(bytes: number): number {
  return Math.ceil(bytes / 1e6);
}

/**
 * Reads a backup to its last byte. Every byte is authenticated before `each` is given it.
 * @param each called for every file but the manifest, one at a time; what it does not read is read for it
 * @throws {BackupRefused} the backup is not as it was made
 */
export async function readBackup(
  backup: BackupFile,
  fileKey: Uint8Array,
  each: (file: ContainerFile) => Promise<void>,
): Promise<BackupManifest> {
  const container = new ContainerReader(backup.decrypt(fileKey), MAX_MANIFEST_BYTES);
  try {
    for await (const file of container.files()) await each(file);
    return backupManifest.parse(container.manifest.fields);
  } catch (cause) {
    if ([DecryptionFailed, ArchiveBroken, z.ZodError].some((kind) => cause instanceof kind))
      throw new BackupRefused(problem('BACKUP_DAMAGED'), { cause });
    throw cause;
  }
}

/** Reads what was just written, from the disk, with the key of this file alone. @throws {BackupRefused} */
export async function readBack(file: string, fileKey: Uint8Array): Promise<BackupManifest> {
  let images = 0;
  const manifest = await readBackup(await openBackup(file), fileKey, ({ name }) => {
    if (name.startsWith('images/')) images += 1;
    return Promise.resolve();
  });
  if (images < manifest.images)
    throw new BackupRefused(problem('BACKUP_INCOMPLETE', { images, expected: manifest.images }));
  return manifest;
}
