import { z } from 'zod';
import { problem } from '../../contracts/errors/problem.ts';
import { DecryptionFailed } from '../../encryption/age.ts';
import { ContainerReader, type ContainerFile } from '../../encryption/container.ts';
import { ArchiveBroken } from '../../encryption/tar.ts';
import {
  BackupRefused,
  backupManifest,
  MAX_MANIFEST_BYTES,
  openBackup,
  type BackupFile,
  type BackupManifest,
} from './format.ts';

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
