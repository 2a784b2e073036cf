import {
  signatureCalibrationApi,
  appliedSignatureCalibration,
  signatureCalibrationProgress,
} from '../../contracts/signatureCalibration.ts';
import { setTimeout as sleep } from 'node:timers/promises';
import { basename } from 'node:path';
import type { Command } from 'commander';
import type { z } from 'zod';
import { unusableSignature } from '../../contracts/signatures.ts';
import { ask, withLocalApi, type LocalApi } from '../client/localClient.ts';
import { COMPANY, companyCommand } from '../terminal/arguments.ts';
import { readGiven } from '../terminal/inputFile.ts';
import { CliError, printTable } from '../terminal/output.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { labelledFiles, pattern } from './labelledFiles.ts';

interface Options {
  company: string;
  writer?: RegExp;
  imitation?: RegExp;
  apply?: boolean;
}

interface LabelledSignatureFile {
  path: string;
  writer: string;
  forgery: boolean;
}

type Progress = z.infer<typeof signatureCalibrationProgress>;
type Report = NonNullable<Progress['report']>;
type Applied = z.infer<typeof appliedSignatureCalibration>;

/** The subfolder of a writer that holds imitations of this writer's signature. */
const IMITATIONS = 'imitations';
const POLL_MS = 500;

/** `vouch signature-calibration …`: the scale of signature comparison on a company's own signatures. */
export function addSignatureCalibrationCommands(program: Command, terminal: Terminal): void {
  const calibration = program
    .command('signature-calibration')
    .description('measure signature comparison and manage the scale of a company');
  calibration
    .command('measure <folder>')
    .description(
      `measure error rates on your own labelled signatures; stores none of them. The folder has a subfolder for each writer; imitations of a writer's signature are in a subfolder "${IMITATIONS}" of it.`,
    )
    .requiredOption(...COMPANY)
    .option(
      '--writer <pattern>',
      'regular expression whose first group in a file name is the writer (default: the subfolder)',
      pattern,
    )
    .option('--imitation <pattern>', 'regular expression that the file names of imitations match', pattern)
    .option('--apply', 'apply the measured scale to the company')
    .action(async (folder: string, options: Options) => {
      const { company } = options;
      const files = signaturesIn(folder, options);
      const { report, applied } = await withLocalApi(terminal.home(), async (api) => {
        const { run, report: measured } = await measure(api, company, files);
        const isApplied = options.apply === true && measured.tooFew === null;
        return {
          report: measured,
          applied: isApplied
            ? await api.ask(signatureCalibrationApi.apply, { company, params: { run } })
            : null,
        };
      });
      terminal.print({ report, applied }, () => print(report, applied));
      if (options.apply === true && applied === null)
        throw new CliError('There are too few signatures. Nothing was applied.');
    });
  for (const [name, operation, description] of [
    ['show', signatureCalibrationApi.read, 'show the scale of a company and its error rates'],
    ['reset', signatureCalibrationApi.reset, 'return to the scale of the matcher'],
  ] as const)
    companyCommand(calibration, name, description).action(async (options: { company: string }) => {
      const applied = await ask(terminal.home(), operation, options);
      terminal.print(applied, printApplied);
    });
}

/** @throws {CliError} the folder has no labelled signatures */
function signaturesIn(folder: string, { writer, imitation }: Options): LabelledSignatureFile[] {
  const files = labelledFiles(folder, writer).map(({ path, person }): LabelledSignatureFile => {
    const parts = person.split(/[\\/]/u);
    const imitated = writer === undefined && parts.length > 1 && parts.at(-1)?.toLowerCase() === IMITATIONS;
    return {
      path,
      writer: imitated ? parts.slice(0, -1).join('/') : person,
      forgery: imitated || imitation?.test(basename(path)) === true,
    };
  });
  if (files.length > 0) return files;
  throw new CliError(
    `${folder} has no labelled signatures. Put the signatures of each writer into a subfolder, or name the writer by a part of the file name with --writer.`,
  );
}

async function measure(
  api: LocalApi,
  company: string,
  files: readonly LabelledSignatureFile[],
): Promise<{ run: string; report: Report }> {
  const { run } = await api.ask(signatureCalibrationApi.begin, { company });
  for (const { path, ...label } of files) {
    const sent = { company, params: { run }, query: { file: path, ...label }, body: readGiven(path) };
    const { sameAs } = await api.ask(signatureCalibrationApi.addSignature, sent);
    if (sameAs !== null && (sameAs.writer !== label.writer || sameAs.forgery !== label.forgery))
      throw new CliError(
        `${path} and ${sameAs.file} are the same file with two labels. Remove the wrong one. Nothing was changed.`,
      );
  }
  for (;;) {
    const progress = await api.ask(signatureCalibrationApi.report, { company, params: { run } });
    const { report, compared, total, secondsLeft } = progress;
    if (process.stderr.isTTY)
      process.stderr.write(
        `\r\u001b[K${compared} of ${total} pairs compared${secondsLeft === null ? '' : `, ${secondsLeft} s left`}`,
      );
    if (report !== null) {
      if (process.stderr.isTTY) process.stderr.write('\n');
      return { run, report };
    }
    await sleep(POLL_MS);
  }
}

const KINDS: Record<Report['rates'][number]['of'], string> = {
  genuine: 'same writer, below',
  forgery: 'skilled imitations, at or above',
  differentWriters: 'different writers, at or above',
};

const MISSING: Record<NonNullable<Report['tooFew']>, string> = {
  WRITERS: 'At least 10 writers are needed.',
  GENUINE_PAIRS: 'At least 30 pairs of signatures of one writer are needed.',
  DIFFERENT_WRITERS_PAIRS: 'At least 300 pairs of signatures of different writers are needed.',
};

function print(report: Report, applied: Applied | null): void {
  const { pairs, unusable, tooFew } = report;
  console.log(summary(report));
  console.log(
    `Pairs: ${pairs.genuine} of the same writer, ${pairs.forgery} with an imitation, ${pairs.differentWriters} of different writers.`,
  );
  for (const { file, code } of unusable) console.log(`  ${file}: ${unusableSignature(code)}`);
  printRates(report);
  printKnownSets(report);
  if (tooFew !== null) {
    console.log(`No scale can be recommended. ${MISSING[tooFew]}`);
    return;
  }
  printFixedPoints(report);
  if (applied !== null)
    console.log('Applied. Signature comparisons of the company follow this scale from now on.');
}

function printApplied({ measured, appliedAt, modelVersion, elsewhere }: Applied): void {
  if (measured === null || appliedAt === null) {
    console.log(`Scale of the matcher ${modelVersion}.`);
    if (elsewhere.length > 0)
      console.log(
        `The scale measured on your own signatures is for ${elsewhere.join(', ')} and does not apply to ${modelVersion}. Measure again: vouch signature-calibration measure`,
      );
    return;
  }
  console.log(`Calibrated on ${appliedAt}. ${summary(measured)}`);
  printRates(measured);
  printKnownSets(measured);
  printFixedPoints(measured);
}

type Measured = NonNullable<Applied['measured']>;

const summary = ({ signatures, forgeries, writers }: Measured) =>
  `${signatures} signatures of ${writers} writers, and ${forgeries} imitations.`;

function printRates({ rates }: Measured): void {
  printTable(
    rates.map(({ of, score, shipped, own }) => ({
      rate: `${KINDS[of]} ${score}`,
      'scale of the matcher': interval(shipped),
      'own scale': own === null ? 'none' : interval(own),
    })),
  );
}

function printKnownSets({ knownSets }: Measured): void {
  if (knownSets === null) {
    console.log(
      'No rates for several known signatures: at least 10 writers need 4 or more signatures each, and 6 or more for sets of 5.',
    );
    return;
  }
  console.log('Findings with several known signatures that support the wrong proposition:');
  printTable(
    knownSets.rates.map(({ of, known, writers, genuine, other }) => ({
      finding: `against ${of === 'imitation' ? 'imitation' : 'another writer'}, ${known} known`,
      'known writer': interval(genuine),
      'another person': interval(other),
      writers,
    })),
  );
}

function printFixedPoints({ fixedPoints }: Measured): void {
  for (const { score, similarity, low, high, statement } of fixedPoints)
    console.log(
      `Similarity ${similarity.toFixed(2)} (95 %: ${low.toFixed(2)}–${high.toFixed(2)}, ${statement}) of the matcher becomes ${score}.`,
    );
  console.log(
    'Own scale: measured on writers that the scale was not fitted on. Disguise, age and illness of a writer are in no rate.',
  );
}

const interval = ({ share, low, high }: Measured['rates'][number]['shipped']) =>
  `${percent(share)} (${percent(low)}–${percent(high)})`;

const percent = (rate: number) => `${(100 * rate).toFixed(1)} %`;
