import { Argument, type Command } from 'commander';
import type { AdminOutput, RunAdminCommand } from '../../contracts/admin/commands.ts';
import { THRESHOLD_PROFILES, type ThresholdProfile } from '../../contracts/settings.ts';
import { COMPANY } from '../terminal/arguments.ts';
import { readGiven } from '../terminal/inputFile.ts';
import { CliError, printTable } from '../terminal/output.ts';
import { sendAdminCommand, withAdminSocketOrHome } from '../client/adminClient.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { labelledFiles, pattern, type LabelledFile } from './labelledFiles.ts';

/** `vouch calibration …`: thresholds, and error rates measured on a company's own photos. */
export function addCalibrationCommands(program: Command, terminal: Terminal): void {
  const calibration = program
    .command('calibration')
    .description('measure error rates and manage the thresholds of a company');
  calibration
    .command('measure <folder>')
    .description('measure error rates on your own labelled photos; stores none of them')
    .requiredOption(...COMPANY)
    .option(
      '--person <pattern>',
      'regular expression whose first group in a file name is the person (default: the subfolder)',
      pattern,
    )
    .option('--apply', 'apply the measured thresholds to the company')
    .action(async (folder: string, options: { company: string; person?: RegExp; apply?: boolean }) => {
      const files = labelledFiles(folder, options.person);
      if (files.length === 0)
        throw new CliError(
          `${folder} has no labelled photos. Put the photos of each person into a subfolder, or name the person by a part of the file name with --person.`,
        );
      const { report, applied, repeated } = await withAdminSocketOrHome(
        terminal.home(),
        async (runAdminCommand) => {
          const { report: measured, repeated: twice } = await measure(
            runAdminCommand,
            options.company,
            files,
          );
          const { company } = options;
          const apply = options.apply === true && measured.tooFew === null;
          return {
            report: measured,
            repeated: twice,
            applied: apply
              ? await runAdminCommand('calibration.apply', { company, run: measured.run })
              : null,
          };
        },
      );
      if (terminal.isJson()) terminal.show({ report, applied, repeated });
      else {
        if (repeated > 0) console.log(`${repeated} photos occur twice for the same person and count once.`);
        print(report, applied);
      }
      if (options.apply === true && applied === null)
        throw new CliError('There are too few photos. Nothing was applied.');
    });
  for (const [name, description] of [
    ['show', 'show the thresholds of a company and their false match rates'],
    ['reset', 'return to the thresholds of the pipeline'],
  ] as const)
    calibration
      .command(name)
      .description(description)
      .requiredOption(...COMPANY)
      .action(async (options: { company: string }) => {
        const applied = await sendAdminCommand(terminal.home(), `calibration.${name}`, options);
        if (terminal.isJson()) terminal.show(applied);
        else printApplied(applied);
      });
  calibration
    .command('profile')
    .description('choose the threshold profile of the pipeline')
    .addArgument(
      new Argument('<profile>', 'strict: for faces that the recognition model confuses most often').choices(
        THRESHOLD_PROFILES,
      ),
    )
    .requiredOption(...COMPANY)
    .action(async (thresholds: ThresholdProfile, options: { company: string }) => {
      const applied = await sendAdminCommand(terminal.home(), 'calibration.profile', {
        thresholds,
        ...options,
      });
      if (terminal.isJson()) terminal.show(applied);
      else printApplied(applied);
    });
}

async function measure(
  runAdminCommand: RunAdminCommand,
  company: string,
  files: readonly LabelledFile[],
): Promise<{ report: AdminOutput<'calibration.report'>; repeated: number }> {
  const { run } = await runAdminCommand('calibration.begin', { company });
  const waiting = [...files];
  const mislabelled: string[] = [];
  let repeated = 0;
  const sendNext = async () => {
    for (let file = waiting.shift(); file !== undefined; file = waiting.shift()) {
      const { path, person } = file;
      const image = readGiven(path).toString('base64');
      const { sameAs } = await runAdminCommand('calibration.add', {
        company,
        run,
        person,
        file: path,
        image,
      });
      if (sameAs?.person === person) repeated += 1;
      else if (sameAs !== null) mislabelled.push(`  ${sameAs.file} (${sameAs.person})  ${path} (${person})`);
    }
  };
  await Promise.all([sendNext(), sendNext(), sendNext(), sendNext()]);
  if (mislabelled.length > 0) throw new CliError(mislabelledText(mislabelled));
  return { repeated, report: await runAdminCommand('calibration.report', { company, run }) };
}

/** Pairs of files that an error lists; the rest is counted. */
const MAX_LISTED_PAIRS = 20;

function mislabelledText(pairs: readonly string[]): string {
  const rest = pairs.length - MAX_LISTED_PAIRS;
  return [
    `${pairs.length} photos are labelled as two people, so no rate can be measured. Remove the wrong photo of each pair. Nothing was changed:`,
    ...pairs.toSorted().slice(0, MAX_LISTED_PAIRS),
    ...(rest > 0 ? [`  … and ${rest} more`] : []),
  ].join('\n');
}

function print(
  report: AdminOutput<'calibration.report'>,
  applied: AdminOutput<'calibration.show'> | null,
): void {
  const { people, photos, matedPairs, nonMatedPairs, refused, failureToAcquire, pipeline, tooFew } = report;
  console.log(`Pipeline ${pipeline}: ${photos} photos of ${people} people.`);
  console.log(
    `Failure to acquire: ${refused.length} photos (${percent(failureToAcquire)}). Pairs: ${matedPairs} mated, ${nonMatedPairs} non-mated.`,
  );
  for (const { file, code } of refused) console.log(`  ${code}: ${file}`);
  if (tooFew !== null) {
    console.log(`No thresholds can be recommended. ${tooFew}`);
    return;
  }
  printTable(
    report.points.map((point) => ({
      FMR: point.fmr.toExponential(0),
      basis: point.statement,
      distance: point.distance.toFixed(4),
      '95 %': `${point.interval.low.toFixed(4)}–${point.interval.high.toFixed(4)}`,
      FNMR: percent(point.fnmr),
      'FNMR 95 %': `${percent(point.fnmrInterval.low)}–${percent(point.fnmrInterval.high)}`,
      default: point.shipped.distance.toFixed(4),
      'false matches at default': `${point.shipped.falseMatches} (FMR at most ${point.shipped.fmrAtMost.toExponential(1)})`,
      'FNMR at default': percent(point.shipped.fnmr),
    })),
  );
  console.log(
    'measured: at least 30 errors expected; estimated: 3 to 30, so an order of magnitude; extrapolated: too few pairs, along the default curve.',
  );
  if (applied !== null) console.log('Applied. These distances are now the thresholds of the company.');
}

function printApplied(applied: AdminOutput<'calibration.show'>): void {
  const { points, appliedAt, people, photos, thresholds, pipeline, elsewhere } = applied;
  console.log(
    appliedAt === null
      ? `Threshold profile of the pipeline: ${thresholds}.`
      : `Calibrated on ${appliedAt} with ${photos ?? 0} photos of ${people ?? 0} people. To return to the ${thresholds} profile of the pipeline: vouch calibration reset`,
  );
  if (appliedAt === null && elsewhere.length > 0)
    console.log(
      `The thresholds measured on your own photos are for ${elsewhere.join(', ')} and do not apply to ${pipeline}. Measure again: vouch calibration measure`,
    );
  printTable(
    points.map(({ fmr, distance, shippedDistance, strictDistance }) => ({
      FMR: fmr.toExponential(0),
      distance: distance.toFixed(4),
      default: shippedDistance.toFixed(4),
      strict: strictDistance?.toFixed(4) ?? 'none',
    })),
  );
}

function percent(rate: number): string {
  return `${(100 * rate).toFixed(2)} %`;
}
