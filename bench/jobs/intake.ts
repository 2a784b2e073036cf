/** Jobs 1 to 3: the installation is set up, a folder is enrolled, and its failed photos are fixed. */
import type { Page } from 'playwright-core';
import type { Hand } from './hand.ts';
import { LONG, COMPANY, OPERATOR, PASSPHRASE, type Installation } from './installation.ts';

/** Job 1. @returns the backup key, as the operator stored it */
export async function setUp({ hand }: Installation): Promise<string> {
  const { page } = hand;
  const next = page.getByRole('button', { name: 'Next' });
  await page.goto('/');
  await hand.fill(page.getByLabel('Company'), COMPANY);
  await hand.click(next);
  await page.getByLabel('Internal Blacklists').waitFor();
  await hand.click(next);
  await hand.fill(page.getByLabel('Username'), OPERATOR);
  await hand.fill(page.getByLabel('Passphrase', { exact: true }), PASSPHRASE);
  await hand.fill(page.getByLabel('Confirm passphrase'), PASSPHRASE);
  await hand.press('Finish setup');
  await page.getByRole('heading', { name: 'Sign-in recovery code' }).waitFor();
  await hand.check(page.getByLabel('I have stored this in a safe place'));
  await hand.click(next);
  await page.getByRole('heading', { name: 'Backup key' }).waitFor();
  const secret = page.locator('.secret', { hasText: /^AGE-SECRET-KEY-1/ });
  await secret.waitFor();
  const key = (await secret.textContent()) ?? '';
  await hand.check(page.getByLabel('I have stored this in a safe place'));
  await hand.press('Go to dashboard');
  await page.getByRole('navigation', { name: 'Main' }).waitFor();
  return key;
}

export interface Outcome {
  enrolled: number;
  failed: number;
  /** Photos that were sent. */
  sent: number;
}

/** Job 2. */
export async function enrolFolder({ hand, photos }: Installation): Promise<Outcome> {
  const { page } = hand;
  await hand.go('Enrol');
  await page.getByText('Drop photos or whole folders here').waitFor();
  await hand.choose(page.locator('input[type=file]').nth(1), photos.folder);
  await hand.press('Start upload');
  await hand.watch(page.getByRole('heading', { name: 'Done' }), LONG);
  return outcomeOfRun(page);
}

/** As the Enrol screen states the run: "526 of 591 enrolled, 65 failed". */
async function outcomeOfRun(page: Page): Promise<Outcome> {
  const text = (await page.locator('.page-title .soft').first().textContent()) ?? '';
  const [enrolled = 0, sent = 0, failed = 0] = (text.replaceAll(',', '').match(/\d+/g) ?? []).map(Number);
  return { enrolled, sent, failed };
}

export interface Fixed extends Outcome {
  /** Photos whose largest face was sent after the operator saw it in the grid. */
  byMainFace: number;
  /** Photos of which the operator chose a face by key. */
  byKey: number;
  /** Photos without a face to choose, which the operator saw and left. */
  skipped: number;
}

/**
 * Job 3. Of the photos with several faces, the main faces are taken in one step and the others are chosen one by one; the
 * operator then goes through the photos that are left, in which there is no face to choose.
 */
export async function fixFailures({ hand }: Installation): Promise<Fixed> {
  const { page } = hand;
  const before = await outcomeOfRun(page);
  await hand.click(page.getByRole('link', { name: 'Fix failed photos' }));
  await filterBySeveralFaces(hand);
  const byMainFace = await takeMainFaces(hand);
  const byKey = await walkFailures(hand, async () => {
    await hand.keys('1');
    await page.locator('.fix-side img').waitFor();
    await page.locator('.fix-side button[data-autofocus]:enabled').waitFor();
    await hand.keys('Enter');
  });
  await filterBySeveralFaces(hand);
  const skipped = await walkFailures(hand, () => hand.keys('s'));
  return { ...before, byMainFace, byKey, skipped };
}

/** Enrols the main faces that the dialog shows. @returns how many */
async function takeMainFaces(hand: Hand): Promise<number> {
  await hand.press('Take the main faces');
  const take = hand.page.getByRole('button', { name: /^Enrol faces \(\d+\)$/ });
  await take.waitFor(LONG);
  const faces = Number(/\d+/.exec((await take.textContent()) ?? '')?.[0] ?? 0);
  if (faces === 0) await hand.press('Cancel');
  else await hand.click(take);
  await take.waitFor({ state: 'detached', ...LONG });
  return faces;
}

/** Opens the first failed photo of the list and goes from photo to photo. @returns how many photos it met */
async function walkFailures(hand: Hand, act: () => Promise<void>): Promise<number> {
  const { page } = hand;
  const rows = page.getByRole('grid', { name: 'Failed photos' }).getByRole('row');
  // Without the place in the list, which also changes while a photo stays.
  const title = page.locator('.fix-title');
  if ((await rows.count()) < 2) return 0;
  await hand.click(rows.nth(1));
  const met = new Set<string>();
  for (;;) {
    await title.waitFor();
    const shown = (await title.textContent()) ?? '';
    const address = page.url();
    if (met.has(address)) break;
    met.add(address);
    await act();
    await hand.textChanges('.fix-title', shown);
    if ((await title.count()) === 0) return met.size;
  }
  await hand.keys('Escape');
  return met.size;
}

/** Shows the failures of one reason, or of all again. */
async function filterBySeveralFaces(hand: Hand): Promise<void> {
  const answered = hand.page.waitForResponse('**/failures?*');
  await hand.press(/^Several faces/);
  await answered;
  await hand.page.locator('.rows[aria-busy=true]').waitFor({ state: 'detached' });
}
