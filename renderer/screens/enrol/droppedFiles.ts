import { skipOfNames, type FolderSkip } from '../../../core/contracts/dashboard/folders.ts';
import { isRead, type PictureKind } from '../../../core/contracts/pictureKinds.ts';
import type { UploadLimits } from '../../../core/contracts/dashboard/work.ts';
import {
  encodingOf,
  personsOfFolders,
  personsOfTable,
  type PhotoPersons,
  type TableFault,
} from '../../../core/uploader/photoPersons.ts';
import { pictureKind, readableImage, UnreadableImage } from '../../components/readableImage.ts';
import { readOfferedFolder, shell, type FolderPhoto } from '../../api/enrolment.ts';
import { folderOf, type FileToSend, type PersonSource } from './run.ts';

/** Dropped or chosen files with their relative paths; folders are walked recursively. */

export interface FoundFile {
  /** Relative, with `/`, as the person would name it. */
  path: string;
  /** A file of the browser, or a photo that the service reads in its folder. */
  file: File | FolderPhoto;
  /** The kind of a file that is not stored as it is: the service converts it, this browser HEIC. */
  convertedFrom?: PictureKind | undefined;
}

/** The progress of a large folder is reported each time so many files were found. */
const REPORT_EVERY = 200;

/** Must be called within the drop event: the browser forgets the entries afterwards. */
function entriesOf(data: DataTransfer): FileSystemEntry[] {
  return [...data.items].flatMap((item) => {
    const entry = item.kind === 'file' ? item.webkitGetAsEntry() : null;
    return entry === null ? [] : [entry];
  });
}

/**
 * Reads a drop. Inside the desktop shell a folder is granted to the service, which reads it; everything else is walked
 * here. Must be called within the drop event.
 */
export async function takeDropped(data: DataTransfer, report: (found: number) => void): Promise<FoundFile[]> {
  const around = shell();
  const entries = entriesOf(data);
  if (around === undefined) return walkEntries(entries, report);
  const folders = [...data.items].flatMap((item) => {
    const folder = item.webkitGetAsEntry()?.isDirectory === true ? item.getAsFile() : null;
    return folder === null ? [] : [folder];
  });
  const single = walkEntries(entries.filter(isFile), report);
  const handed = folders.map(async (folder) => readOfferedFolder(await around.offerFolder(folder)));
  return [...(await Promise.all(handed)).flat(), ...(await single)];
}

/** Walks dropped entries. `report` is called with the number of files found so far. */
async function walkEntries(
  entries: readonly FileSystemEntry[],
  report: (found: number) => void,
): Promise<FoundFile[]> {
  const found: FoundFile[] = [];
  const open = [...entries].reverse();
  for (let entry = open.pop(); entry !== undefined; entry = open.pop()) {
    if (isFile(entry)) {
      found.push({ path: entry.fullPath.replace(/^\//, ''), file: await fileOf(entry) });
      if (found.length % REPORT_EVERY === 0) report(found.length);
    } else if (isFolder(entry)) open.push(...(await childrenOf(entry)).reverse());
  }
  return found;
}

/** Files from a file or folder chooser. */
export function chosenFiles(list: readonly File[]): FoundFile[] {
  return [...list]
    .map((file) => ({ path: file.webkitRelativePath === '' ? file.name : file.webkitRelativePath, file }))
    .sort((one, other) => one.path.localeCompare(other.path));
}

function isFile(entry: FileSystemEntry): entry is FileSystemFileEntry {
  return entry.isFile;
}

function isFolder(entry: FileSystemEntry): entry is FileSystemDirectoryEntry {
  return entry.isDirectory;
}

function fileOf(entry: FileSystemFileEntry): Promise<File> {
  return new Promise((resolve, reject) => entry.file(resolve, reject));
}

/** Reads a folder: the browser returns its entries in portions and ends with an empty one. */
async function childrenOf(folder: FileSystemDirectoryEntry): Promise<FileSystemEntry[]> {
  const reader = folder.createReader();
  const children: FileSystemEntry[] = [];
  for (;;) {
    const portion = await new Promise<FileSystemEntry[]>((resolve, reject) =>
      reader.readEntries(resolve, reject),
    );
    if (portion.length === 0) return children.sort((one, other) => one.name.localeCompare(other.name));
    children.push(...portion);
  }
}

/** The photos that will be sent and the skipped files with their reasons, shown before the start. */
export interface Plan {
  files: FoundFile[];
  bytes: number;
  skipped: { path: string; reason: FolderSkip }[];
}

/** Files looked into at once. */
const CONCURRENCY = 16;

/** Decides by content, as the service does: a file name proves nothing. */
export async function planOf(found: readonly FoundFile[], limits: UploadLimits): Promise<Plan> {
  const plan: Plan = { files: [], bytes: 0, skipped: [] };
  for (let from = 0; from < found.length; from += CONCURRENCY) {
    const some = found.slice(from, from + CONCURRENCY);
    const judged = await Promise.all(some.map((each) => judge(each, limits.bytesPerImage)));
    for (const [index, each] of some.entries()) {
      const is = judged[index] ?? 'unreadable';
      if (typeof is === 'string') plan.skipped.push({ path: each.path, reason: is });
      else {
        plan.files.push(is);
        plan.bytes += is.file.size;
      }
    }
  }
  return plan;
}

/** Whether this browser has converted HEIC. */
let convertsHeic = false;

/** The photo as it will be sent, or why it is not sent. */
async function judge(found: FoundFile, most: number): Promise<FoundFile | FolderSkip> {
  const { path, file } = found;
  if (!(file instanceof File)) return file.skip ?? found;
  const skip = skipOfNames(path);
  if (skip !== null) return skip;
  if (file.size === 0) return 'empty';
  try {
    const kind = await pictureKind(file);
    if (kind === null) return 'notAnImage';
    if (isRead(kind)) {
      const isStored = kind === 'JPEG' || kind === 'PNG';
      return file.size > most ? 'tooLarge' : { ...found, convertedFrom: isStored ? undefined : kind };
    }
    // Every photo is converted when it is sent. A folder of conversions would be too large to keep, and slow to plan.
    if (kind !== 'HEIC' || !convertsHeic) await readableImage(file);
    convertsHeic = true;
    return { ...found, convertedFrom: kind };
  } catch (error) {
    // Else removed, or no permission.
    if (!(error instanceof UnreadableImage)) return 'unreadable';
    return error.format === null ? 'notAnImage' : 'otherFormat';
  }
}

/** The persons of the photos that are going to be sent. */

export interface ChosenPersons {
  source: PersonSource;
  /** Null: no table was chosen yet, or it cannot be used. */
  found: PhotoPersons | null;
  unusable: TableFault | null;
}

export const NO_PERSONS: ChosenPersons = { source: 'none', found: null, unusable: null };

/** @param files all files of the run */
export async function personsFrom(
  source: PersonSource,
  files: readonly FoundFile[],
  table?: File,
): Promise<ChosenPersons> {
  const relative = relativeTo(files);
  const paths = files.map(relative);
  if (source === 'folder') return { source, found: personsOfFolders(paths), unusable: null };
  if (source === 'none' || table === undefined) return { source, found: null, unusable: null };
  const found = personsOfTable(await textOf(table), paths);
  return 'unusable' in found
    ? { source, found: null, unusable: found.unusable }
    : { source, found, unusable: null };
}

/** The files with the persons whom they show. */
export function withPersons(files: readonly FoundFile[], { found }: ChosenPersons): FileToSend[] {
  const relative = relativeTo(files);
  return files.map((file) => ({ ...file, person: found?.persons.get(relative(file)) ?? null }));
}

/** The path of a file in the chosen folder. Several folders, or single photos, stand in none. */
function relativeTo(files: readonly FoundFile[]): (file: FoundFile) => string {
  const folder = folderOf(files);
  return ({ path }) => (folder === null ? path : path.slice(path.indexOf('/') + 1));
}

/** @returns undefined: it is in an older code page, or cannot be read */
export async function textOf(table: File): Promise<string | undefined> {
  try {
    const bytes = new Uint8Array(await table.arrayBuffer());
    return new TextDecoder(encodingOf(bytes), { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}
