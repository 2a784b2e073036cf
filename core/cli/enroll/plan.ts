import { join, resolve } from 'node:path';
import type { FolderSkip } from '../../contracts/dashboard/folders.ts';
import { walkPhotos } from '../../storage/images/photoFolders.ts';
import { reasonOf } from '../terminal/inputFile.ts';
import { CliError } from '../terminal/output.ts';

/** A photo that will be sent: its path relative to the folder, with forward slashes. */
export interface PlannedFile {
  path: string;
  bytes: number;
  /** Last change, milliseconds; a file with another time or size is no longer the planned one. */
  modified: number;
}

export interface SkippedFile extends PlannedFile {
  skip: FolderSkip;
  reason: string;
}

export interface Plan {
  files: PlannedFile[];
  skipped: SkippedFile[];
}

/**
 * Walks a folder of any size and lists the files to send and the skipped files, with the reason. Hidden files and folders
 * are in neither list. Order: by path, so that two walks of the same folder agree.
 * @param passedOver names of folders directly in it that are not walked
 */
export async function planFolder(
  folder: string,
  maxBytes: number,
  passedOver: readonly string[] = [],
): Promise<Plan> {
  const root = resolve(folder);
  const plan: Plan = { files: [], skipped: [] };
  const options = { maxBytes, passedOver: passedOver.map((name) => join(root, name)) };
  try {
    for await (const { skip, ...file } of walkPhotos(root, options)) {
      if (skip === null) plan.files.push(file);
      else plan.skipped.push({ ...file, skip, reason: REASONS[skip](file.bytes, maxBytes) });
    }
  } catch (cause) {
    // The folder itself is gone, or its disk.
    throw unreadableFolder(folder, reasonOf(cause));
  }
  return plan;
}

/** @param reason why the folder itself cannot be read */
export function unreadableFolder(folder: string, reason: string): CliError {
  return new CliError(`${folder} cannot be read: ${reason}. Sent photos are kept. Run the command again.`);
}

const REASONS: Record<FolderSkip, (bytes: number, maxBytes: number) => string> = {
  empty: () => 'The file is empty.',
  tooLarge: (bytes, maxBytes) =>
    `The file has ${Math.ceil(bytes / 1024)} KiB; the limit is ${Math.floor(maxBytes / 1024)} KiB. Save it smaller.`,
  notAnImage: () => 'Not a picture or face record by its content.',
  otherFormat: () =>
    'HEIC, JPEG XL, camera RAW, PDF, SVG or video. Save the photo as JPEG, or enrol HEIC in Safari, which converts it.',
  unreadable: () => 'It cannot be read by this account. Change its permissions.',
  link: () => 'A symbolic link is not followed. Put the file itself there.',
  special: () => 'Not a file: a pipe, a socket or a device.',
  badName: () => 'The name is not UTF-8 (bytes outside ASCII are shown as \\xNN). Rename it.',
  system: () =>
    'A folder of the system: thumbnails, deleted files or snapshots. Move its photos to another folder.',
  unfinished: () => 'Another program has not finished writing it. Rename it when it is complete.',
  tooLong: () => 'Its path is too long. Move it to a folder that is nested less deeply.',
};
