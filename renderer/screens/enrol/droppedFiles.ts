import { readOfferedFolder, shell, type FolderPhoto } from '../../api/shell.ts';

/** Files with their path below what was dropped or chosen; folders are walked all the way down. */

export interface FoundFile {
  /** Relative, with `/`, as the person would name it. */
  path: string;
  /** The browser's own, or a photo that the core reads where it lies. */
  file: File | FolderPhoto;
}

/** How many found files are told at once while a large folder is walked. */
const TELL_EVERY = 200;

/** Must be called within the drop event: the browser forgets the entries afterwards. */
function entriesOf(data: DataTransfer): FileSystemEntry[] {
  return [...data.items].flatMap((item) => {
    const entry = item.kind === 'file' ? item.webkitGetAsEntry() : null;
    return entry === null ? [] : [entry];
  });
}

/**
 * What was dropped: inside the desktop shell folders are handed over whole and read by the core, everything else is
 * walked here. Must be called within the drop event.
 */
export async function takeDropped(data: DataTransfer, tell: (found: number) => void): Promise<FoundFile[]> {
  const around = shell();
  const entries = entriesOf(data);
  if (around === undefined) return walkEntries(entries, tell);
  const folders = [...data.items].flatMap((item) => {
    const folder = item.webkitGetAsEntry()?.isDirectory === true ? item.getAsFile() : null;
    return folder === null ? [] : [folder];
  });
  const single = walkEntries(entries.filter(isFile), tell);
  const handed = folders.map(async (folder) => readOfferedFolder(await around.offerFolder(folder)));
  return [...(await Promise.all(handed)).flat(), ...(await single)];
}

/** Walks dropped entries. `tell` hears how many files were found so far. */
async function walkEntries(
  entries: readonly FileSystemEntry[],
  tell: (found: number) => void,
): Promise<FoundFile[]> {
  const found: FoundFile[] = [];
  const open = [...entries].reverse();
  for (let entry = open.pop(); entry !== undefined; entry = open.pop()) {
    if (isFile(entry)) {
      found.push({ path: entry.fullPath.replace(/^\//, ''), file: await fileOf(entry) });
      if (found.length % TELL_EVERY === 0) tell(found.length);
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

/** A folder answers in portions, and ends with an empty one. */
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
