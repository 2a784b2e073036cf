/** Jobs 11 to 21: what an operator does with persons. */
import { copyFileSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { lfwPhotos } from '../data.ts';
import type { Hand } from './hand.ts';
import { LONG, type Installation } from './installation.ts';

/** Photos of a person in a folder, and how many of them are enrolled. */
const ENROLLED = 3;
const PEOPLE = 6;

export interface PersonFolders {
  folder: string;
  files: number;
  /** Names of the persons: of each folder. */
  names: readonly string[];
  /** Of the first person, not in the folder. */
  probe: string;
  /** The folder that shows the first person once more, under another name. */
  again: string;
  /** The folder of the second person has one photo of the third. */
  mixed: string;
}

/** A folder with one folder for each person. @param into an empty folder */
export function copyPersons(into: string): PersonFolders {
  const byPerson = Map.groupBy(lfwPhotos(1e6), ({ name }) => name.split('/')[0] ?? name);
  const people = [...byPerson.values()].filter((photos) => photos.length > 2 * ENROLLED).slice(-PEOPLE);
  let files = 0;
  const put = (name: string, photos: readonly { path: string }[]) => {
    mkdirSync(join(into, name), { recursive: true });
    for (const { path } of photos) copyFileSync(path, join(into, name, `${(files += 1)}.jpg`));
  };
  const names = people.map((_, index) => `Visitor ${String.fromCharCode(65 + index)}`);
  for (const [index, photos] of people.entries()) put(names[index]!, photos.slice(0, ENROLLED));
  const [first = [], , third = []] = people;
  const again = 'Visitor A, second entry';
  put(again, first.slice(ENROLLED, 2 * ENROLLED - 1));
  put(names[1]!, third.slice(ENROLLED, ENROLLED + 1));
  return { folder: into, files, names, probe: first.at(-1)?.path ?? '', again, mixed: names[1]! };
}

/** Job 11: each folder is a person. */
export async function enrolPersons({ hand }: Installation, people: PersonFolders): Promise<void> {
  const { page } = hand;
  await hand.go('Enrol');
  await hand.choose(page.locator('input[type=file]').nth(1), people.folder);
  await hand.select(page.getByLabel('Persons in the photos'), 'Each folder is a person');
  await hand.press('Start upload');
  await hand.watch(page.getByRole('heading', { name: 'Done' }), LONG);
}

/** Job 12: the page of a person is found by name. */
export async function openPerson({ hand }: Installation, name: string): Promise<void> {
  const { page } = hand;
  await hand.keys('g', 'l');
  await hand.fill(page.getByLabel('Name or external ID'), name);
  await hand.click(page.getByRole('row', { name }).first());
  await panel(hand, name).waitFor();
}

function panel({ page }: Hand, name: string) {
  return page.getByRole('heading', { name, exact: true }).first();
}

/** Job 13: a note and a number are added. */
export async function editPerson({ hand }: Installation): Promise<void> {
  const { page } = hand;
  await hand.press('Edit');
  await hand.fill(page.getByLabel('External ID', { exact: true }), 'HR-4021');
  await hand.fill(page.getByLabel('Note'), 'Comes with two documents.');
  await hand.press('Save');
  await page.getByText('HR-4021').first().waitFor();
}

/** Job 14: the person is merged with the most similar one. */
export async function mergeAlike({ hand }: Installation, { names, again }: PersonFolders): Promise<void> {
  await hand.press(`Merge with ${again}`);
  await hand.press(`Merge into ${names[0]}`);
  await hand.page.getByText('Merged with another person').waitFor();
}

/** Job 15: the merge is undone. */
export async function undoMerge({ hand }: Installation): Promise<void> {
  await hand.press('Undo this step');
  await hand.page.getByText('Decision undone').first().waitFor();
}

/** Job 16: who has seen the person. */
export async function showWhoSaw({ hand }: Installation): Promise<void> {
  await hand.click(hand.page.getByText('Show who has seen this person'));
  await hand.page.getByRole('grid').getByRole('row').nth(1).waitFor();
}

/** Job 17: a photo of somebody else is split off. The page of the person is open. */
export async function splitPhoto({ hand }: Installation, last: string): Promise<void> {
  const { page } = hand;
  await hand.check(page.getByRole('checkbox', { name: /^Select the photo of/ }).last());
  await hand.press('Split off as a new person');
  await hand.fill(page.getByLabel('Name of the new person'), last);
  await hand.press('Split off 1 photo');
  await page.getByText(`${last} split off`).waitFor();
}

/** Job 18: from a photo to the page of its person. */
export async function personOfPhoto({ hand }: Installation, { probe, names }: PersonFolders): Promise<void> {
  const { page } = hand;
  await hand.go('Search');
  await hand.choose(page.locator('input[type=file]'), probe);
  await page.getByText('Nothing was enrolled', { exact: false }).waitFor();
  await hand.open('Open person');
  await panel(hand, names[0]!).waitFor();
}

/** Job 19: the person comes to the desk, and the page of the person opens from the match. */
export async function verifyPerson({ hand }: Installation, { probe, names }: PersonFolders): Promise<void> {
  const { page } = hand;
  await hand.go('Verify');
  await hand.choose(page.locator('input[type=file]'), probe);
  await hand.fill(page.getByLabel('Name'), names[0]!);
  await hand.press('Run verification');
  await hand.open('Open person');
  await panel(hand, names[0]!).waitFor();
}

/** Job 20: all verifications of the person. */
export async function verificationsOfPerson({ hand }: Installation): Promise<void> {
  await hand.open('Show in Validations');
  await hand.page.getByRole('grid').getByRole('row').nth(1).waitFor();
}
