/** The persons of the photos that are going to be sent. */
import {
  encodingOf,
  personsOfFolders,
  personsOfTable,
  type PhotoPersons,
  type TableFault,
} from '../../../core/uploader/photoPersons.ts';
import type { FoundFile } from './droppedFiles.ts';
import { folderOf, type FileToSend, type PersonSource } from './run.ts';

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
async function textOf(table: File): Promise<string | undefined> {
  try {
    const bytes = new Uint8Array(await table.arrayBuffer());
    return new TextDecoder(encodingOf(bytes), { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}
