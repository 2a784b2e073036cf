import { readdirSync } from 'node:fs';
import { basename, dirname, extname, join } from 'node:path';
import { Argument, InvalidArgumentError, type Command } from 'commander';
import type { AdminOutput, Administrate } from '../contracts/administration.ts';
import { THRESHOLD_TABLES, type ThresholdTable } from '../contracts/settings.ts';
import { readGiven, reasonOf } from './givenFile.ts';
import { CliError, printTable } from './output.ts';
import { asOwner } from './owner.ts';
import type { Terminal } from './terminal.ts';

interface LabelledFile {
  path: string;
  person: string;
}

/** `vouch calibrate FOLDER` and `vouch calibration …`: error rates on the site's own photos. */
export function addCalibrationCommands(program: Command, terminal: Terminal): void {
  program
    .command('calibrate <folder>')
    .description('measure the error rates on your own labelled photos; enrols and keeps nothing of them')
    .requiredOption('--company <name>')
    .option(
      '--person <pattern>',
      'regular expression for file names whose first group is the person (default: the subfolder)',
      pattern,
    )
    .option('--apply', "make the result the company's calibration")
    .action(async (folder: string, options: { company: string; person?: RegExp; apply?: boolean }) => {
      const files = labelledFiles(folder, options.person);
      const { report, applied } = await asOwner(terminal.home(), async (administrate) => {
        const measured = await measure(administrate, options.company, files);
        const { company } = options;
        const apply = options.apply === true && measured.tooFew === null;
        return {
          report: measured,
          applied: apply ? await administrate('calibration.apply', { company, run: measured.run }) : null,
        };
      });
      if (terminal.isJson()) terminal.show({ report, applied });
      else print(report, applied);
      if (options.apply === true && applied === null)
        throw new CliError('Nothing was applied: the photos are too few.');
    });
  const calibration = program
    .command('calibration')
    .description("the thresholds of a company's own photos, or of the pipeline");
  for (const [name, description] of [
    ['show', 'which distances its false-match rates stand for'],
    ['reset', 'back to those of the pipeline'],
  ] as const)
    calibration
      .command(name)
      .description(description)
      .requiredOption('--company <name>')
      .action(async (options: { company: string }) => {
        const applied = await asOwner(terminal.home(), (administrate) =>
          administrate(`calibration.${name}`, options),
        );
        if (terminal.isJson()) terminal.show(applied);
        else printApplied(applied);
      });
  calibration
    .command('use')
    .description("which of the pipeline's tables counts where no photos of the company's own do")
    .addArgument(
      new Argument('<table>', 'strict: for people who look alike to the network').choices(THRESHOLD_TABLES),
    )
    .requiredOption('--company <name>')
    .action(async (thresholds: ThresholdTable, options: { company: string }) => {
      const applied = await asOwner(terminal.home(), (administrate) =>
        administrate('calibration.use', { thresholds, ...options }),
      );
      if (terminal.isJson()) terminal.show(applied);
      else printApplied(applied);
    });
}

function pattern(text: string): RegExp {
  try {
    return new RegExp(text, 'u');
  } catch (cause) {
    throw new InvalidArgumentError(`It must be a regular expression: ${String(cause)}`);
  }
}

function labelledFiles(folder: string, person: RegExp | undefined): LabelledFile[] {
  let names: string[];
  try {
    names = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  } catch (cause) {
    throw new CliError(`${folder} is not a folder that can be read: ${reasonOf(cause)}.`);
  }
  const files = names
    .filter((name) => ['.jpg', '.jpeg', '.png'].includes(extname(name).toLowerCase()))
    .sort()
    .flatMap((name) => {
      const label = person === undefined ? dirname(name) : person.exec(basename(name))?.[1];
      return label === undefined || label === '.' ? [] : [{ path: join(folder, name), person: label }];
    });
  if (files.length === 0)
    throw new CliError(
      `No labelled photo was found in ${folder}. Put each person's photos into a folder of their own, or say with --person which part of a file's name names the person.`,
    );
  return files;
}

async function measure(
  administrate: Administrate,
  company: string,
  files: readonly LabelledFile[],
): Promise<AdminOutput<'calibration.report'>> {
  const { run } = await administrate('calibration.begin', { company });
  const waiting = [...files];
  const line = async () => {
    for (let file = waiting.shift(); file !== undefined; file = waiting.shift()) {
      const image = readGiven(file.path).toString('base64');
      await administrate('calibration.add', { company, run, person: file.person, file: file.path, image });
    }
  };
  await Promise.all([line(), line(), line(), line()]);
  return administrate('calibration.report', { company, run });
}

function print(
  report: AdminOutput<'calibration.report'>,
  applied: AdminOutput<'calibration.show'> | null,
): void {
  const { people, photos, matedPairs, nonMatedPairs, refused, failureToAcquire, pipeline, tooFew } = report;
  console.log(`Pipeline ${pipeline}: ${photos} photos of ${people} people were described.`);
  console.log(
    `Failure to acquire: ${refused.length} photos (${percent(failureToAcquire)}). Pairs: ${matedPairs} mated, ${nonMatedPairs} non-mated.`,
  );
  for (const { file, code } of refused) console.log(`  ${code}: ${file}`);
  if (tooFew !== null) {
    console.log(`Nothing can be recommended. ${tooFew}`);
    return;
  }
  printTable(
    report.points.map((point) => ({
      FMR: point.fmr.toExponential(0),
      'rests on': point.statement,
      distance: point.distance.toFixed(4),
      '95 %': `${point.interval.low.toFixed(4)}–${point.interval.high.toFixed(4)}`,
      FNMR: percent(point.fnmr),
      'FNMR 95 %': `${percent(point.fnmrInterval.low)}–${percent(point.fnmrInterval.high)}`,
      shipped: point.shipped.distance.toFixed(4),
      'false matches there': `${point.shipped.falseMatches} (FMR at most ${point.shipped.fmrAtMost.toExponential(1)})`,
      'FNMR there': percent(point.shipped.fnmr),
    })),
  );
  console.log(
    'measured: at least 30 errors expected; bounded: 3 to 30, an order of magnitude; not stated: extrapolated along the shipped curve.',
  );
  if (applied !== null) console.log("Applied: these distances are the company's thresholds from here on.");
}

function printApplied(applied: AdminOutput<'calibration.show'>): void {
  const { points, appliedAt, people, photos, thresholds, pipeline, elsewhere } = applied;
  console.log(
    appliedAt === null
      ? `The thresholds are the ${thresholds} ones of the pipeline.`
      : `Calibrated on ${appliedAt} by ${photos ?? 0} photos of ${people ?? 0} people. The ${thresholds} table of the pipeline counts again after: vouch calibration reset`,
  );
  if (appliedAt === null && elsewhere.length > 0)
    console.log(
      `What was measured on your own photos was found with ${elsewhere.join(', ')} and does not count for ${pipeline}: measure again with vouch calibrate.`,
    );
  printTable(
    points.map(({ fmr, distance, shippedDistance, strictDistance }) => ({
      FMR: fmr.toExponential(0),
      distance: distance.toFixed(4),
      usual: shippedDistance.toFixed(4),
      strict: strictDistance?.toFixed(4) ?? 'none',
    })),
  );
}

function percent(rate: number): string {
  return `${(100 * rate).toFixed(2)} %`;
}
