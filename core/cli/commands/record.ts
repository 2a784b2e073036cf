/** `vouch record`: face records of other systems. */
import { Option, type Command } from 'commander';
import { faceApi } from '../../contracts/dashboard/faceImages.ts';
import { RECORD_STANDARDS, type RecordFacts } from '../../contracts/faceRecords.ts';
import { readFaceRecord } from '../../decoding/records/readRecord.ts';
import { withLocalApi } from '../client/localClient.ts';
import { COMPANY, wholeNumber } from '../terminal/arguments.ts';
import { writeAtomically, writeStream } from '../terminal/atomicWrite.ts';
import { readGiven } from '../terminal/inputFile.ts';
import type { Terminal } from '../terminal/terminal.ts';

export function addRecordCommands(program: Command, terminal: Terminal): void {
  const record = program.command('record').description('read face records of other systems, and write them');
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
          const answer = await api.open(`${method} ${path}`, {
            company,
            params: { id: face },
            query: { standard },
          });
          await writeAtomically(output, (partial) => writeStream(partial, answer.body));
        });
        terminal.show({ file: output, face, standard });
      },
    );
}
