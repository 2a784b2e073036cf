import {
  calibrationApi,
  type AppliedCalibration,
  type CalibrationReport,
  type GroupRates,
  LEAST_IN_GROUP,
  type SearchShare,
  type SiteRates,
} from '../../contracts/calibration.ts';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { GROUPS_FILE, groupsOfTable } from '../../uploader/personGroups.ts';
import { tableOf } from '../enroll/persons.ts';
import { LEAST_SEARCHES } from '../../contracts/expectation.ts';
import { Argument, type Command } from 'commander';
import { THRESHOLD_PROFILES, type ThresholdProfile } from '../../contracts/settings.ts';
import { COMPANY, companyCommand } from '../terminal/arguments.ts';
import { readGiven } from '../terminal/inputFile.ts';
import { CliError, escapeUnprintable, printTable } from '../terminal/output.ts';
import { ask, withLocalApi, type LocalApi } from '../client/localClient.ts';
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
      const { company } = options;
      const groups = await groupsIn(folder);
      const { report, applied, repeated } = await withLocalApi(terminal.home(), async (api) => {
        const measured = await measure(api, company, files, groups);
        const { run, tooFew } = measured.report;
        const isApplied = options.apply === true && tooFew === null;
        return {
          ...measured,
          applied: isApplied ? await api.ask(calibrationApi.apply, { company, params: { run } }) : null,
        };
      });
      terminal.print({ report, applied, repeated }, () => {
        if (repeated > 0) console.log(`${repeated} photos occur twice for the same person and count once.`);
        print(report, applied);
      });
      if (options.apply === true && applied === null)
        throw new CliError('There are too few photos. Nothing was applied.');
    });
  for (const [name, operation, description] of [
    ['show', calibrationApi.read, 'show the thresholds of a company and their false match rates'],
    ['reset', calibrationApi.reset, 'return to the thresholds of the pipeline'],
  ] as const)
    companyCommand(calibration, name, description).action(async (options: { company: string }) => {
      const applied = await ask(terminal.home(), operation, options);
      terminal.print(applied, printApplied);
    });
  companyCommand(calibration, 'site', 'state the error rates of searches in the gallery as it stands').action(
    async (options: { company: string }) => {
      const rates = await ask(terminal.home(), calibrationApi.siteRates, options);
      terminal.print(rates, printSite);
    },
  );
  companyCommand(calibration, 'profile', 'choose the threshold profile of the pipeline')
    .addArgument(
      new Argument('<profile>', 'strict: for faces that the recognition model confuses most often').choices(
        THRESHOLD_PROFILES,
      ),
    )
    .action(async (thresholds: ThresholdProfile, { company }: { company: string }) => {
      const asked = { company, body: { thresholds } };
      const applied = await ask(terminal.home(), calibrationApi.chooseThresholds, asked);
      terminal.print(applied, printApplied);
    });
}

/** @returns the group of each person; empty: the folder has no table of them @throws {CliError} the table cannot be used */
async function groupsIn(folder: string): Promise<Record<string, string>> {
  const file = join(folder, GROUPS_FILE);
  if (!existsSync(file)) return {};
  const groups = groupsOfTable(await tableOf(file));
  if (groups === undefined)
    throw new CliError(
      `${file} cannot be used. Save it as "CSV UTF-8" with the columns person and group, and with one group for each person. Nothing was measured.`,
    );
  return groups;
}

async function measure(
  api: LocalApi,
  company: string,
  files: readonly LabelledFile[],
  groups: Record<string, string>,
): Promise<{ report: CalibrationReport; repeated: number }> {
  const { run } = await api.ask(calibrationApi.begin, { company, body: { groups } });
  const waiting = [...files];
  const mislabelled: string[] = [];
  let repeated = 0;
  const sendNext = async () => {
    for (let file = waiting.shift(); file !== undefined; file = waiting.shift()) {
      const { path, person } = file;
      const sent = { company, query: { person, file: path }, body: readGiven(path) };
      const { sameAs } = await api.ask(calibrationApi.addPhoto, { ...sent, params: { run } });
      if (sameAs?.person === person) repeated += 1;
      else if (sameAs !== null) mislabelled.push(`  ${sameAs.file} (${sameAs.person})  ${path} (${person})`);
    }
  };
  await Promise.all([sendNext(), sendNext(), sendNext(), sendNext()]);
  if (mislabelled.length > 0) throw new CliError(mislabelledText(mislabelled));
  return { repeated, report: await api.ask(calibrationApi.report, { company, params: { run } }) };
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

function print(report: CalibrationReport, applied: AppliedCalibration | null): void {
  const {
    people,
    photos,
    matedPairs,
    nonMatedPairs,
    refused,
    failureToAcquire,
    pipeline,
    tooFew,
    unmatched,
  } = report;
  console.log(`Pipeline ${pipeline}: ${photos} photos of ${people} people.`);
  console.log(
    `Failure to acquire: ${refused.length} photos (${percent(failureToAcquire)}). Pairs: ${matedPairs} mated, ${nonMatedPairs} non-mated.`,
  );
  for (const { file, code } of refused) console.log(`  ${code}: ${file}`);
  if (unmatched.length > 0)
    console.log(
      `People in ${GROUPS_FILE} without photos: ${unmatched.length}. Check their names:\n${unmatched.map((name) => `  ${escapeUnprintable(name)}`).join('\n')}`,
    );
  if (tooFew !== null) {
    console.log(`No thresholds can be recommended. ${tooFew}`);
    return;
  }
  printTable(
    report.points.map((point) => ({
      FMR: point.fmr.toExponential(0),
      basis: point.statement,
      FNMR: percent(point.fnmr),
      'FNMR 95 %': `${percent(point.fnmrInterval.low)}–${percent(point.fnmrInterval.high)}`,
      'false matches at default': `${point.shipped.falseMatches} (FMR at most ${point.shipped.fmrAtMost.toExponential(1)})`,
      'FNMR at default': percent(point.shipped.fnmr),
    })),
  );
  console.log(
    'measured: at least 30 errors expected; estimated: 3 to 30, so an order of magnitude; extrapolated: too few pairs, along the default curve.',
  );
  if (report.groups !== null) printGroups(report.groups);
  if (applied !== null) console.log('Applied. The measured thresholds are now those of the company.');
}

function printApplied(applied: AppliedCalibration): void {
  const { points, appliedAt, people, photos, thresholds, pipeline, elsewhere, measured } = applied;
  console.log(
    appliedAt === null
      ? `Threshold profile of the pipeline: ${thresholds}.`
      : `Calibrated on ${appliedAt} with ${photos ?? 0} photos of ${people ?? 0} people. To return to the ${thresholds} profile of the pipeline: vouch calibration reset`,
  );
  if (appliedAt === null && elsewhere.length > 0)
    console.log(
      `The thresholds measured on your own photos are for ${elsewhere.join(', ')} and do not apply to ${pipeline}. Measure again: vouch calibration measure`,
    );
  console.log('Technical details: thresholds as distances between templates.');
  printTable(
    points.map(({ fmr, distance, shippedDistance, strictDistance }) => ({
      FMR: fmr.toExponential(0),
      distance: distance.toFixed(4),
      default: shippedDistance.toFixed(4),
      strict: strictDistance?.toFixed(4) ?? 'none',
    })),
  );
  if (measured?.groups) printGroups(measured.groups);
}

/** Rates by group at each threshold, the group with most errors, and groups without rates. */
export function printGroups({ rates, tooSmall, ungrouped }: GroupRates): void {
  const stated = ({ errors, of, rate, low, high }: SearchShare) =>
    `${significant(rate)} (${significant(low)}–${significant(high)}), ${errors} of ${of}`;
  for (const { fmr, groups, worstFmr, worstFnmr } of rates) {
    console.log(`Groups of people, at the threshold of FMR ${fmr.toExponential(0)}:`);
    printTable(
      groups.map((row) => ({
        group: escapeUnprintable(row.group),
        people: row.people,
        FMR: stated(row.fmr),
        FNMR: stated(row.fnmr),
      })),
    );
    for (const [kind, worst] of [
      ['FMR', worstFmr],
      ['FNMR', worstFnmr],
    ] as const)
      if (worst !== null)
        console.log(
          `Highest ${kind}: ${escapeUnprintable(worst.group)}. ${worst.isClear ? 'Its interval is above the rates of all other groups.' : 'Its interval includes the rate of another group, so the difference can be chance.'}`,
        );
  }
  if (tooSmall.length > 0)
    console.log(
      `Too small for rates (${LEAST_IN_GROUP.people} people and ${LEAST_IN_GROUP.matedPairs} mated pairs are needed): ${tooSmall.map(({ group, people }) => `${escapeUnprintable(group)} (${people})`).join(', ')}`,
    );
  if (ungrouped > 0) console.log(`People without a group: ${ungrouped}.`);
}

/** Of a rate that may be small: as 2.9e-4 below 0.1 %. */
const significant = (rate: number) =>
  rate === 0 ? '0' : rate < 1e-3 ? rate.toExponential(1) : percent(rate);

function printSite({ enrolled, searches, mated, byLikeness, rows }: SiteRates): void {
  console.log(
    `${searches} searches in ${enrolled} faces for random persons, ${mated} for persons with further photos.`,
  );
  const stated = ({ errors, of, rate, low, high }: SiteRates['rows'][number]['fpir']) =>
    of < LEAST_SEARCHES
      ? `too few searches (${of})`
      : `${percent(rate)} (${percent(low)}–${percent(high)}), ${errors} of ${of}`;
  printTable(
    rows.map(({ fmr, flows, fpir, decidedDifferent, fnir, fnirByPhotos }) => ({
      FMR: Number(fmr.toPrecision(2)).toExponential(),
      'Trust Flows': flows.join(', '),
      FPIR: stated(fpir),
      'decided different': String(decidedDifferent),
      FNIR: stated(fnir),
      ...Object.fromEntries(
        fnirByPhotos.map((share, i) => [`FNIR, ${['1 photo', '2 photos', '3 or more'][i]}`, stated(share)]),
      ),
    })),
  );
  console.log(
    'In brackets: the 95 % interval (Wilson). False positives include persons who are enrolled twice.',
  );
  if (byLikeness > 0)
    console.log(
      `FNIR is too low: operators put the photos of ${byLikeness} persons together because they look alike.`,
    );
  console.log('Not covered: people who are not enrolled, photos without a usable face, and other cameras.');
}

function percent(rate: number): string {
  return `${(100 * rate).toFixed(2)} %`;
}
