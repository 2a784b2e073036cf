/** The jobs of an operator in a browser, with steps and seconds: `npm run bench -- jobs [ar] [portraits]`. */
import { join } from 'node:path';
import { publish, table } from '../report.ts';
import { backUpAndRestore, compareSignatures, connectProgram } from './evidence.ts';
import type { Measured } from './hand.ts';
import { withInstallation } from './installation.ts';
import { enrolFolder, fixFailures, setUp } from './intake.ts';
import { PORTRAITS } from './photos.ts';
import {
  copyPersons,
  editPerson,
  enrolPersons,
  mergeAlike,
  openPerson,
  personOfPhoto,
  showWhoSaw,
  splitPhoto,
  undoMerge,
  verificationsOfPerson,
  verifyPerson,
} from './persons.ts';
import { catchListedPerson, erasePerson, eraseShown, fillQueue, review, search } from './screening.ts';

const isArabic = process.argv[2] === 'ar';
const args = process.argv.slice(isArabic ? 3 : 2);
const portraits = Number(args[0] ?? PORTRAITS);
const CASES = 20;

/** The same jobs on commit a02f175, before the screens were reworked: steps, seconds, whether the job could be done. */
const FIRST: Readonly<Record<number, readonly [steps: string, seconds: string, done: string]>> = {
  1: ['12', '8', 'yes'],
  2: ['4', '122', 'yes'],
  3: ['–', '–', 'no: the run did not end'],
  4: ['24', '28', 'yes'],
  5: ['9', '5.1', 'yes'],
  6: ['17 and the terminal', '20', 'with the terminal'],
  7: ['5', '5.8', 'yes'],
  8: ['8', '4.8', 'yes, after a guess'],
  9: ['3 commands', '29', 'terminal only'],
  10: ['8', '26', 'in part: a photo was left'],
};

await withInstallation({ portraits, isArabic }, async (installation) => {
  const { hand, photos } = installation;
  const rows: (readonly [number, string, Measured])[] = [];
  const job = async <T>(number: number, name: string, work: () => Promise<T>): Promise<T> => {
    let result: T | undefined;
    const measured = await hand.measure(async () => {
      result = await work();
    });
    rows.push([number, name, measured]);
    console.log(`${number} ${name}: ${measured.steps} steps, ${measured.seconds.toFixed(1)} s`);
    return result as T;
  };
  const key = await job(1, 'Set up the installation', () => setUp(installation));
  const enrolled = await job(2, `Enrol a folder of ${photos.files} files`, () => enrolFolder(installation));
  const fixed = await job(3, 'Fix the failed photos', () => fixFailures(installation));
  await job(6, 'Blacklist, Trust Flow, verification that matches', () => catchListedPerson(installation));
  await fillQueue(installation, CASES);
  await job(4, `Decide ${CASES + 1} cases by keyboard, undo one`, () => review(installation));
  await job(5, 'Search three photos', () => search(installation));
  await job(7, 'Compare two signatures, save the report', () => compareSignatures(installation));
  await job(8, 'Create a token, run the program shown', () => connectProgram(installation));
  await job(9, 'Back up, restore elsewhere', () => backUpAndRestore(installation, key));
  await job(10, 'Erase a person, save the receipt', () => erasePerson(installation));
  const people = copyPersons(join(installation.work, 'persons'));
  await job(11, `Enrol ${people.files} photos, each folder a person`, () =>
    enrolPersons(installation, people),
  );
  await job(12, 'Find a person by name', () => openPerson(installation, people.names[0]!));
  await job(13, 'Add a number and a note', () => editPerson(installation));
  await job(14, 'Merge with the most similar person', () => mergeAlike(installation, people));
  await job(15, 'Undo the merge', () => undoMerge(installation));
  await job(16, 'Show who has seen the person', () => showWhoSaw(installation));
  await openPerson(installation, people.mixed);
  await job(17, 'Split a photo of somebody else off', () => splitPhoto(installation, 'Visitor of the photo'));
  await job(18, 'From a photo to the page of its person', () => personOfPhoto(installation, people));
  await job(19, 'Verify the person, open the person of the match', () => verifyPerson(installation, people));
  await job(20, 'Show all verifications of the person', () => verificationsOfPerson(installation));
  await openPerson(installation, people.names[0]!);
  await job(21, 'Erase the person', () => eraseShown(hand));
  const ordered = rows.toSorted(([one], [other]) => one - other);
  if (isArabic)
    publish({
      name: 'jobs ar',
      title: 'Dashboard: the jobs of an operator, in Arabic',
      args,
      body: [
        'The same script in the Arabic dashboard. It finds each part of a screen by the Arabic text of the English one.',
        '',
        table(
          ['Job', 'steps', 'seconds'],
          ordered.map(([number, name, { steps, seconds }]) => [
            `${number}. ${name}`,
            steps,
            seconds.toFixed(1),
          ]),
        ),
      ].join('\n'),
    });
  else
    publish({
      name: 'jobs',
      title: 'Dashboard: the jobs of an operator',
      args,
      body: [
        `A script does the jobs in Chromium on the real service with one worker, in one run. A step is a click, a field, a key, or a`,
        `chosen file. Seconds are those of a script that never thinks: they show what the product adds. The first measurement is of`,
        `the same jobs on the first version of the screens, on the same kind of machine. It had no persons (jobs 11 to 21).`,
        '',
        table(
          ['Job', 'steps', 'seconds', 'steps at first', 'seconds at first', 'possible at first'],
          ordered.map(([number, name, { steps, seconds }]) => [
            `${number}. ${name}`,
            steps,
            seconds.toFixed(1),
            ...(FIRST[number] ?? ['–', '–', '–']),
          ]),
        ),
        '',
        `Job 2: ${enrolled.sent} photos sent, ${enrolled.enrolled} enrolled, ${enrolled.failed} failed; the plan leaves out ${photos.files - enrolled.sent} files that are no photos.`,
        `Job 3: ${fixed.byMainFace + fixed.byKey} faces chosen, ${fixed.skipped} photos without a face to choose seen and left. Job 9 restores in the terminal:`,
        `the dashboard of a running installation must not replace its own data.`,
      ].join('\n'),
    });
});
