/** `--persons`: the persons whom the photos of a folder show. */
import { readFile, stat } from 'node:fs/promises';
import { PERSON_LIMITS } from '../../contracts/dashboard/persons.ts';
import {
  countPersons,
  encodingOf,
  personsOfFolders,
  personsOfTable,
  type PersonFault,
  type PersonFaultKind,
  type PhotoPersons,
  type TableFault,
} from '../../uploader/photoPersons.ts';
import { reasonOf } from '../terminal/inputFile.ts';
import { CliError, escapeUnprintable } from '../terminal/output.ts';

/** The largest table: 200,000 rows of full length. */
const MAX_BYTES = 64 * 1024 * 1024;

/** @param source `folder`, or the path of a CSV file @throws {CliError} the file cannot be used; nothing is sent */
export async function personsOf(source: string, paths: readonly string[]): Promise<PhotoPersons> {
  if (source === 'folder') return personsOfFolders(paths);
  const found = personsOfTable(await tableOf(source), paths);
  if ('unusable' in found) throw new CliError(`${source} ${UNUSABLE[found.unusable]} Nothing was sent.`);
  return found;
}

/** @returns undefined: it is in an older code page */
export async function tableOf(file: string): Promise<string | undefined> {
  try {
    const { size } = await stat(file);
    if (size > MAX_BYTES)
      throw new CliError(
        `${file} has ${Math.ceil(size / 1024 / 1024)} MiB. A list of persons has at most ${MAX_BYTES / 1024 / 1024} MiB. Split the photos over several folders.`,
      );
    const bytes = await readFile(file);
    return new TextDecoder(encodingOf(bytes), { fatal: true }).decode(bytes);
  } catch (cause) {
    if (cause instanceof CliError) throw cause;
    if (cause instanceof TypeError) return undefined;
    throw new CliError(
      `${file} cannot be read: ${reasonOf(cause)}. Give "folder" or the path of a CSV file. Nothing was sent.`,
    );
  }
}

const UNUSABLE: Record<TableFault, string> = {
  encoding:
    'is neither UTF-8 nor UTF-16, but in an older code page such as Windows-1252. Save it as "CSV UTF-8".',
  quotes: 'has a quotation mark that is not closed, or text beside a quoted cell. Correct it.',
  header:
    'has no header. Its first row needs the columns file and name, external id or both, separated by commas, semicolons or tabs.',
  empty: 'has a header and no other row.',
};

const FAULTS: Record<PersonFaultKind, (fault: PersonFault) => string> = {
  noFile: () => 'it names no file',
  unnamed: () => 'it has neither a name nor an external ID',
  tooLong: () => `name and external ID have at most ${PERSON_LIMITS.name} characters each`,
  noPhoto: ({ file }) => `the folder has no photo ${file} that is sent`,
  severalPhotos: ({ file }) => `several folders have a photo ${file}; give its path in the folder`,
  photoRepeated: ({ file, earlier = 0 }) => `row ${earlier} names ${file} as well`,
  otherName: ({ earlier = 0 }) => `row ${earlier} gives this external ID another name`,
};

/** Why a row, or a folder, names no person, for a person at a terminal. */
export function faultText(fault: PersonFault): string {
  const where = fault.row === null ? `Folder ${fault.file}` : `Row ${fault.row}`;
  return escapeUnprintable(`${where}: ${FAULTS[fault.kind](fault)}`);
}

/** Faults that are printed; the rest is counted. */
const SHOWN = 20;

/** Lines that count the persons to be named and list the unused rows of the table. */
export function personLines(found: PhotoPersons, photos: number): string[] {
  const { persons, photos: named } = countPersons(found);
  const { faults } = found;
  const lines = [
    `Persons: ${persons}. Photos with a person: ${named}. Photos without a person: ${photos - named}.`,
  ];
  if (faults.length === 0) return lines;
  lines.push(`${faults[0]?.row === null ? 'Folders' : 'Rows'} that name no person: ${faults.length}`);
  lines.push(...faults.slice(0, SHOWN).map((fault) => `    ${faultText(fault)}`));
  if (faults.length > SHOWN) lines.push(`    … and ${faults.length - SHOWN} more (see --json)`);
  return lines;
}
