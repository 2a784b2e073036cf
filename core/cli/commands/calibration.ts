import { readdirSync } from 'node:fs';
import { basename, dirname, extname, join } from 'node:path';
import { Argument, InvalidArgumentError, type Command } from 'commander';
import type { AdminOutput, Administrate } from '../../contracts/admin/commands.ts';
import { THRESHOLD_PROFILES, type ThresholdProfile } from '../../contracts/settings.ts';
import { readGiven, reasonOf } from '../terminal/inputFile.ts';
import { CliError, printTable } from '../terminal/output.ts';
import { withAdminSocketOrHome } from '../client/adminClient.ts';
import type { Terminal } from '../terminal/terminal.ts';

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
      const { report, applied, repeated } = await withAdminSocketOrHome(
        terminal.home(),
        async (administrate) => {
          const { report: measured, repeated: twice } = await measure(administrate, options.company, files);
          const { company } = options;
          const apply = options.apply === true && measured.tooFew === null;
          return {
            report: measured,
            repeated: twice,
            applied: apply ? await administrate('calibration.apply', { company, run: measured.run }) : null,
          };
        },
      );
      if (terminal.isJson()) terminal.show({ report, applied, repeated });
      else {
        if (repeated > 0) console.log(`${repeated} photos are there twice under one person and count once.`);
        print(report, applied);
      }
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
        const applied = await withAdminSocketOrHome(terminal.home(), (administrate) =>
          administrate(`calibration.${name}`, options),
        );
        if (terminal.isJson()) terminal.show(applied);
        else printApplied(applied);
      });
  calibration
    .command('use')
    .description("which of the pipeline's tables counts where no photos of the company's own do")
    .addArgument(
      new Argument('<table>', 'strict: for people who look alike to the network').choices(THRESHOLD_PROFILES),
    )
    .requiredOption('--company <name>')
    .action(async (thresholds: ThresholdProfile, options: { company: string }) => {
      const applied = await withAdminSocketOrHome(terminal.home(), (administrate) =>
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
): Promise<{ report: AdminOutput<'calibration.report'>; repeated: number }> {
  const { run } = await administrate('calibration.begin', { company });
  const waiting = [...files];
  const mislabelled: string[] = [];
  let repeated = 0;
  const line = async () => {
    for (let file = waiting.shift(); file !== undefined; file = waiting.shift()) {
      const { path, person } = file;
      const image = readGiven(path).toString('base64');
      const { sameAs } = await administrate('calibration.add', { company, run, person, file: path, image });
      if (sameAs?.person === person) repeated += 1;
      else if (sameAs !== null) mislabelled.push(`  ${sameAs.file} (${sameAs.person})  ${path} (${person})`);
    }
  };
  await Promise.all([line(), line(), line(), line()]);
  if (mislabelled.length > 0) throw new CliError(mislabelledWords(mislabelled));
  return { repeated, report: await administrate('calibration.report', { company, run }) };
}

/** Pairs of files that are named before the rest is only counted. */
const MOST_NAMED = 20;

function mislabelledWords(pairs: readonly string[]): string {
  const rest = pairs.length - MOST_NAMED;
  return [
    `${pairs.length} photos are labelled as two people, so no rate is right. Remove the wrong one of each pair; nothing was changed:`,
    ...pairs.toSorted().slice(0, MOST_NAMED),
    ...(rest > 0 ? [`  … and ${rest} more`] : []),
  ].join('\n');
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
