import type { ConvertibleFormat } from '../../components/readableImage.ts';
import { readOfferedFolder, shell, type FolderPhoto } from '../../api/shell.ts';

/** Dropped or chosen files with their relative paths; folders are walked recursively. */

export interface FoundFile {
  /** Relative, with `/`, as the person would name it. */
  path: string;
  /** A file of the browser, or a photo that the service reads in its folder. */
  file: File | FolderPhoto;
  /** The format of a file that this browser converts when it is sent; absent: the file is sent as it is. */
  convertedFrom?: ConvertibleFormat | undefined;
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
