/** `vouch record`: face records of other systems. */
import { writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Option, type Command } from 'commander';
import { CSV_START, csvLine } from '../../contracts/csv.ts';
import { CodedError, sentenceOf } from '../../contracts/errors/problem.ts';
import { faceApi } from '../../contracts/dashboard/faceImages.ts';
import { RECORD_STANDARDS, type RecordFacts } from '../../contracts/faceRecords.ts';
import { recordKindOf } from '../../contracts/pictureKinds.ts';
import { readFaceRecord } from '../../decoding/records/readRecord.ts';
import {
  DATA_GROUP_1_BYTES,
  DATA_GROUP_1_START,
  readHolder,
  type Holder,
} from '../../decoding/records/travelDocument.ts';
import { insteadOf, withLocalApi } from '../client/localClient.ts';
import { COMPANY, subcommand, wholeNumber } from '../terminal/arguments.ts';
import { writeAtomically, writeStream } from '../terminal/atomicWrite.ts';
import { readGiven } from '../terminal/inputFile.ts';
import { planFolder } from '../enroll/plan.ts';
import { CliError } from '../terminal/output.ts';
import type { Terminal } from '../terminal/terminal.ts';

export function addRecordCommands(program: Command, terminal: Terminal): void {
  const record = subcommand(program, 'record', 'read face records of other systems, and write them');
  record
    .command('show <file>')
    .description(
      'show every field of a face record: ISO/IEC 19794-5 or 39794-5, data group 2 of a passport, CBEFF XML, or base64 of one; stores nothing',
    )
    .action((file: string) => {
      const faces = readFaceRecord(readGiven(file));
      if (terminal.isJson()) {
        terminal.show(
          faces.map(({ image, facts, fields }) => ({
            ...facts,
            bytes: image.length,
            fields: Object.fromEntries(fields),
          })),
        );
        return;
      }
      for (const { facts, fields } of faces) {
        console.log(
          `Face ${facts.face} of ${facts.faces}, ${facts.standard}${facts.container === null ? '' : ` in ${facts.container}`}`,
        );
        terminal.show(fields.map(([field, value]) => ({ field, value })));
      }
    });
  record
    .command('export <face>')
    .description('write an enrolled face as a record with a token image, for another system')
    .argument('<output>', 'new file for the face record')
    .requiredOption(...COMPANY)
    .addOption(
      new Option('--standard <name>', 'edition of the record')
        .choices(RECORD_STANDARDS)
        .default('ISO/IEC 39794-5:2019'),
    )
    .action(
      async (
        id: string,
        output: string,
        { company, standard }: { company: string; standard: RecordFacts['standard'] },
      ) => {
        const face = wholeNumber(id);
        const { method, path } = faceApi.record;
        await withLocalApi(terminal.home(), async (api) => {
          const answer = await api
            .open(`${method} ${path}`, { company, params: { id: face }, query: { standard } })
            .catch(insteadOf('NOT_FOUND', `This company has no enrolled face with the number ${face}.`));
          await writeAtomically(output, (partial) => writeStream(partial, answer.body));
        });
        terminal.show({ file: output, face, standard });
      },
    );
  record
    .command('persons <folder>')
    .description(
      'list the holders and numbers of travel documents, from EF.DG1 beside EF.DG2, as a table for vouch enroll --persons',
    )
    .argument('<output>', 'new CSV file for the persons')
    .action(async (folder: string, output: string) => {
      const { rows, alone } = await holdersOf(folder);
      if (rows.length === 0)
        throw new CliError(
          `${folder} has no EF.DG1 that belongs to a face record, so no holder is known. Nothing was written. The two files have the same name but for DG1 and DG2, or are the only ones of their folder.`,
        );
      const table = [
        ['file', 'name', 'external id'],
        ...rows.map((row) => [row.file, row.name, row.externalId]),
      ];
      await writeAtomically(output, (partial) =>
        writeFile(partial, `${CSV_START}${table.map(csvLine).join('')}`),
      );
      terminal.show(rows);
      if (!terminal.isJson())
        console.log(
          `${rows.length} persons in ${output}, to be looked through and corrected before vouch enroll --persons. Face records in the same folders without EF.DG1: ${alone}.`,
        );
    });
}

/** A row of the table. The number is that of one issuer: with another's letters before it, it is another person's. */
interface HolderRow {
  file: string;
  name: string;
  externalId: string;
}

/** The holder of each EF.DG2 of a folder by the EF.DG1 of the same name, or by the only one of the same folder. */
async function holdersOf(folder: string): Promise<{ rows: HolderRow[]; alone: number }> {
  const { files, skipped } = await planFolder(folder, Infinity);
  const contentOf = (path: string) => readGiven(join(folder, path));
  const groups = skipped.filter(
    ({ path, bytes, skip }) =>
      skip === 'notAnImage' && bytes <= DATA_GROUP_1_BYTES && contentOf(path)[0] === DATA_GROUP_1_START,
  );
  const folders = new Set(groups.map(({ path }) => dirname(path)));
  const records = files.filter(
    ({ path }) => folders.has(dirname(path)) && recordKindOf(contentOf(path)) !== null,
  );
  const rows = records.flatMap(({ path }): HolderRow[] => {
    const inFolder = <T extends { path: string }>(all: readonly T[]) =>
      all.filter((other) => dirname(other.path) === dirname(path));
    const ofName = groups.find((group) => asGroup2(group.path) === path.toLowerCase());
    const [only, ...others] = inFolder(groups);
    const isAlone = others.length === 0 && inFolder(records).length === 1;
    const group = ofName ?? (isAlone ? only : undefined);
    if (group === undefined) return [];
    const { name, issuer, number } = holderIn(group.path, contentOf(group.path));
    return [{ file: path, name, externalId: `${issuer} ${number}` }];
  });
  return { rows, alone: records.length - rows.length };
}

/** @throws {CliError} naming the file: it is no EF.DG1, or is damaged */
function holderIn(path: string, content: Uint8Array): Holder {
  try {
    return readHolder(content);
  } catch (error) {
    if (!(error instanceof CodedError)) throw error;
    throw new CliError(`${path}: ${sentenceOf(error.problem)} Nothing was written.`);
  }
}

/** The name that the EF.DG2 beside an EF.DG1 has. */
function asGroup2(path: string): string {
  return path.toLowerCase().replace(/dg1(?=[^/]*$)/, 'dg2');
}
