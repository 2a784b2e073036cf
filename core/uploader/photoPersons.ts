/** The persons of the photos of a run, from a table beside the photos or from their folders. */
import { csvRows } from '../contracts/csv.ts';
import { displayName } from '../contracts/displayName.ts';
import { PERSON_LIMITS } from '../contracts/dashboard/persons.ts';
import type { PhotoPerson } from '../contracts/uploads.ts';

/** Why a row of the table, or a folder, names no person. Its photo is enrolled without one. */
export type PersonFaultKind =
  | 'noFile'
  /** It has neither a name nor an external ID. */
  | 'unnamed'
  | 'tooLong'
  /** The run has no photo of this name, or several in different folders. */
  | 'noPhoto'
  | 'severalPhotos'
  /** An earlier row names the photo, or gives the external ID another name. */
  | 'photoRepeated'
  | 'otherName';

export interface PersonFault {
  kind: PersonFaultKind;
  /** As a spreadsheet numbers it, from 1; null: a folder. */
  row: number | null;
  /** The file or the folder that it names. */
  file: string;
  /** The earlier row that it contradicts. */
  earlier?: number;
}

export interface PhotoPersons {
  /** By the path of the photo. */
  persons: ReadonlyMap<string, PhotoPerson>;
  faults: readonly PersonFault[];
}

/** Why a table cannot be used at all. */
export type TableFault = 'encoding' | 'quotes' | 'header' | 'empty';

/**
 * How the text of a table is decoded. Spreadsheets write UTF-16 as "Unicode text", with a mark in front; without one, every
 * other byte of the header is zero.
 */
export function encodingOf([first, second]: Uint8Array): 'utf-8' | 'utf-16le' | 'utf-16be' {
  if ((first === 0xff && second === 0xfe) || second === 0) return 'utf-16le';
  return (first === 0xfe && second === 0xff) || first === 0 ? 'utf-16be' : 'utf-8';
}

/**
 * Each folder directly in the chosen one is a person, with all photos below it. Its name, with single spaces, is name and
 * external ID: folders whose names differ in spaces alone are one person.
 */
export function personsOfFolders(paths: readonly string[]): PhotoPersons {
  const persons = new Map<string, PhotoPerson>();
  const tooLong = new Set<string>();
  for (const path of paths) {
    const end = path.indexOf('/');
    const name = displayName(path.slice(0, Math.max(end, 0))).replaceAll(/\s+/g, ' ');
    if (name === '') continue;
    if (isTooLong(name)) tooLong.add(name);
    else persons.set(path, { name, externalId: name });
  }
  const faults = [...tooLong].map((file) => ({ kind: 'tooLong' as const, row: null, file }));
  return { persons, faults };
}

/**
 * The persons that a table names. Its first row has the columns `file` and `name`, `external id` or both, in any order.
 * @param table its text without a byte order mark; undefined: it is in an older code page
 * @param paths of the photos, relative to the folder; a row names a photo by its path, or by its file name alone
 */
export function personsOfTable(
  table: string | undefined,
  paths: readonly string[],
): PhotoPersons | { unusable: TableFault } {
  if (table === undefined) return { unusable: 'encoding' };
  const rows = csvRows(table);
  if (rows === undefined) return { unusable: 'quotes' };
  const [header, ...entries] = rows;
  const columns = columnsOf(header?.cells ?? []);
  if (columns === undefined) return { unusable: 'header' };
  if (entries.length === 0) return { unusable: 'empty' };
  const find = photoFinder(paths);
  const persons = new Map<string, PhotoPerson>();
  const faults: PersonFault[] = [];
  const rowOfPhoto = new Map<string, number>();
  const rowOfId = new Map<string, { row: number; name: string }>();
  for (const { number: row, cells } of entries) {
    const { file, name, externalId } = entryOf(cells, columns);
    const found = find(file);
    const fault = (kind: PersonFaultKind, earlier?: number) =>
      faults.push({ kind, row, file, ...(earlier !== undefined && { earlier }) });
    if (file === '') fault('noFile');
    else if (found === undefined) fault('noPhoto');
    else if (found === null) fault('severalPhotos');
    else if (rowOfPhoto.has(found)) fault('photoRepeated', rowOfPhoto.get(found));
    else {
      const known = externalId === null ? undefined : rowOfId.get(externalId);
      if (name === null && externalId === null) fault('unnamed');
      else if (isTooLong(name) || isTooLong(externalId, PERSON_LIMITS.externalId)) fault('tooLong');
      else if (known !== undefined && name !== null && name !== known.name) fault('otherName', known.row);
      else {
        rowOfPhoto.set(found, row);
        if (externalId !== null && name !== null && known === undefined)
          rowOfId.set(externalId, { row, name });
        persons.set(found, { name, externalId });
      }
    }
  }
  return { persons, faults };
}

/** How many persons and photos a run has, and some of them, before it is sent. */
export function countPersons({ persons }: PhotoPersons): {
  persons: number;
  photos: number;
  examples: (PhotoPerson & { photos: number })[];
} {
  const groups = new Map<string, PhotoPerson & { photos: number }>();
  // A name alone joins no photos: each is a person of its own.
  for (const [path, { name, externalId }] of persons) {
    const key = externalId === null ? `photo ${path}` : `id ${externalId}`;
    const known = groups.get(key);
    if (known === undefined) groups.set(key, { name, externalId, photos: 1 });
    else {
      known.name ??= name;
      known.photos += 1;
    }
  }
  return { persons: groups.size, photos: persons.size, examples: [...groups.values()].slice(0, EXAMPLES) };
}

/** Persons that are shown before a run is sent. */
const EXAMPLES = 3;

/** Places of the columns; -1: the table has no such column. */
interface Columns {
  file: number;
  name: number;
  externalId: number;
}

function columnsOf(header: readonly string[]): Columns | undefined {
  const names = header.map((cell) => cell.toLowerCase().replaceAll(/[\s_-]/g, ''));
  const columns = {
    file: names.indexOf('file'),
    name: names.indexOf('name'),
    externalId: names.indexOf('externalid'),
  };
  const isRepeated = Object.values(columns).some((at) => at >= 0 && names.lastIndexOf(names[at] ?? '') > at);
  return columns.file < 0 || Math.max(columns.name, columns.externalId) < 0 || isRepeated
    ? undefined
    : columns;
}

function entryOf(cells: readonly string[], columns: Columns): PhotoPerson & { file: string } {
  const cell = (at: number) => (at < 0 ? '' : displayName(cells[at] ?? ''));
  return {
    file: cells[columns.file] ?? '',
    name: cell(columns.name) || null,
    externalId: cell(columns.externalId) || null,
  };
}

/**
 * Finds a photo by its path, else by its file name. Systems differ in how they spell accents and separate folders.
 * @returns null: several folders have a photo of this name
 */
function photoFinder(paths: readonly string[]): (file: string) => string | null | undefined {
  const spelling = (path: string) => path.normalize('NFC').replaceAll('\\', '/').replace(/^\.\//, '');
  const byPath = new Map(paths.map((path) => [spelling(path), path]));
  const byName = new Map<string, string | null>();
  for (const [spelt, path] of byPath) {
    const name = spelt.slice(spelt.lastIndexOf('/') + 1);
    byName.set(name, byName.has(name) ? null : path);
  }
  return (file) => {
    const spelt = spelling(file);
    return byPath.get(spelt) ?? (spelt.includes('/') ? undefined : byName.get(spelt));
  };
}

function isTooLong(text: string | null, most: number = PERSON_LIMITS.name): boolean {
  return text !== null && text.length > most;
}
