import { stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { Option, type Command } from 'commander';
import { SEVERAL_FACES, type SeveralFaces } from '../../contracts/dashboard/enrolmentRuns.ts';
import { holdJournal, PhotoNames } from '../terminal/journalFile.ts';
import { amount, countFrom1 } from '../terminal/arguments.ts';
import { credentialOptions, withCredential, withTarget, type Target } from '../client/credential.ts';
import { CliError, EXIT } from '../terminal/output.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { EnrolmentClient } from './client.ts';
import { planFolder, type PlannedFile } from './plan.ts';
import { personLines, personsOf } from './persons.ts';
import { ProgressBar, keptLines, summaryLines, writeCsv } from './report.ts';
import { enrolFolder } from './run.ts';

interface EnrolOptions extends Target {
  batch?: number;
  maxMib?: number;
  retryFailed?: boolean;
  severalFaces?: SeveralFaces;
  sheets?: boolean;
  persons?: string;
  output?: string;
}

/** `vouch enroll FOLDER`: enrols every photo of a folder of any size. */
export function addEnrolCommand(program: Command, terminal: Terminal): void {
  const enrolling = program
    .command('enroll <folder>')
    .description(
      'enrol every photo of a folder for duplicate detection; run it again to continue or to add photos',
    );
  withTarget(enrolling)
    .option(
      '--batch <count>',
      'photos per request (default: 50, or the limit of the company if lower)',
      countFrom1,
    )
    .option('--max-mib <mebibytes>', 'largest file to send (default: the limit of the company)', amount)
    .option('--retry-failed', 'send photos that failed before again')
    .addOption(
      new Option(
        '--several-faces <rule>',
        'refuse photos with several faces, or enrol the main one: at least 1.5 times as wide as every other face and in the middle of the photo',
      )
        .choices(SEVERAL_FACES.filter((rule) => rule !== 'each'))
        .default('refuse'),
    )
    .addOption(
      new Option(
        '--sheets',
        'the photos are scans of sheets: enrol each portrait of a sheet as FILE#1, FILE#2, …; a sheet with an unclear head fails as a whole, for a person to split',
      ).conflicts(['persons', 'batch', 'severalFaces']),
    )
    .option(
      '--persons <source>',
      'name the persons whom the photos show: "folder" if each folder in it is a person, or a CSV file with the columns file, name and external id',
    )
    .option('--output <file>', 'write the result of every photo to this CSV file')
    .action(async (folder: string, options: EnrolOptions) => {
      process.exitCode = await enrol(folder, options, terminal);
    });
}

async function enrol(folder: string, options: EnrolOptions, terminal: Terminal): Promise<number> {
  const target = credentialOptions(terminal.home(), options);
  if (!(await stat(folder).catch(() => undefined))?.isDirectory())
    throw new CliError(`${folder} is not a folder. Name the folder that holds the photos.`);
  return withCredential(
    target,
    {
      name: 'vouch enroll',
      scopes: options.persons === undefined ? ['enroll'] : ['enroll', 'persons:write'],
    },
    async (credential) => {
      const { limits } = credential;
      const maxBytes = options.maxMib === undefined ? limits.imageBytes : options.maxMib * 1024 * 1024;
      const { files, skipped } = await planFolder(folder, maxBytes);
      if (!terminal.isJson())
        console.log(`${files.length} photos to send, ${skipped.length} files skipped, in ${resolve(folder)}`);
      const named =
        options.persons === undefined ? undefined : await personsOf(options.persons, pathsOf(files));
      if (named !== undefined && !terminal.isJson()) console.log(personLines(named, files.length).join('\n'));
      const bar = new ProgressBar(process.stderr);
      const journal = holdJournal(terminal.home(), 'enrolments', credential, folder);
      const result = await enrolFolder({
        folder,
        files,
        persons: named?.persons,
        batchSize: options.batch ?? limits.images,
        sheets: options.sheets === true,
        retryFailed: options.retryFailed === true,
        client: new EnrolmentClient(credential, {
          path: folder,
          // How many portraits sheets have is known when they were split.
          ...(options.sheets !== true && { photos: files.length }),
          severalFaces: options.sheets === true ? 'each' : options.severalFaces,
        }),
        journalFile: journal.file,
        names: await PhotoNames.of(terminal.home()),
        onProgress: (state) => {
          bar.update(state);
        },
        onWait: (why) => {
          bar.note(why);
        },
      }).finally(() => {
        journal.release();
      });
      bar.end();
      const { answers } = result;
      const notSent = [...skipped, ...result.skipped].map(({ path, reason }) => ({ path, reason }));
      const { persons, faults } = named ?? {};
      if (terminal.isJson())
        console.log(JSON.stringify({ answers, skipped: notSent, personFaults: faults }, null, 2));
      else console.log([...summaryLines(answers, notSent), ...keptLines(answers, persons)].join('\n'));
      // Last, because the photos are enrolled whether or not this file can be written.
      if (options.output !== undefined) writeCsv(options.output, answers, notSent);
      return answers.every(({ status }) => status === 'enrolled') ? EXIT.ok : EXIT.someImagesFailed;
    },
  );
}

function pathsOf(files: readonly PlannedFile[]): string[] {
  return files.map(({ path }) => path);
}
