/** Keys and recovery: what an administrator keeps on paper, and getting back in with it. */
import { test } from 'node:test';
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { focused, hasCount } from './browser.ts';
import { BACKUP_KEY } from './fixtureBackups.ts';
import { IN_BROWSER, openHarness, PIXEL } from './harness.ts';
import { PASSPHRASE, RECOVERY_CODE } from './mockApiServer.ts';

const { site, openPageAt } = await openHarness();

test('a lost passphrase is replaced with the recovery code on the sign-in page', IN_BROWSER, async (t) => {
  site.behaviour.signedIn = false;
  const page = await openPageAt(t, '/');
  await page.getByLabel('Username').fill('Maren Holt');
  await page.getByRole('button', { name: 'Forgot your passphrase?' }).click();
  assert.equal(await page.getByLabel('Username').inputValue(), 'Maren Holt');
  const submit = page.getByRole('button', { name: 'Set new passphrase' });
  await submit.click();
  await page.getByText('Fill in this field.').waitFor();
  await page.getByText('The passphrase does not meet the rules below.').waitFor();
  await page.getByLabel('Sign-in recovery code').fill('WRONG-CODE');
  await page.getByLabel('New passphrase').fill(PASSPHRASE);
  await page.getByText('Strength: strong').waitFor();
  await page.getByLabel('Confirm passphrase').fill(PASSPHRASE);
  // The browser reports each answer with an error status.
  await submit.click();
  await page.getByText('The recovery code is incorrect').waitFor();
  await page.getByLabel('Sign-in recovery code').fill(RECOVERY_CODE);
  await submit.click();
  await page.getByRole('heading', { name: 'New recovery code' }).waitFor();
  const next = (await page.locator('.secret').textContent()) ?? '';
  const saved = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Save as file' }).click();
  const lines = (await readFile(await (await saved).path(), 'utf8')).split('\n');
  assert.equal(lines[0], next);
  assert.ok(lines.slice(1, -1).every((line) => line.startsWith('# ')));
  await page.emulateMedia({ media: 'print' });
  await page.locator('.secret-sheet', { hasText: next }).waitFor();
  await page.getByLabel('I have stored this in a safe place').waitFor({ state: 'hidden' });
  await page.emulateMedia({ media: 'screen' });
  await page.getByLabel('I have stored this in a safe place').check();
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('navigation', { name: 'Main' }).waitFor();
});

test('an operator changes the own passphrase and stays signed in', IN_BROWSER, async (t) => {
  const page = await openPageAt(t, '/');
  await page.getByRole('button', { name: 'Account and settings' }).click();
  await page.getByRole('menuitem', { name: 'Change passphrase…' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Current passphrase').fill('not this one');
  await page.keyboard.press('Tab');
  assert.equal(await focused(page), 'button Show or hide the typed text');
  await dialog.getByLabel('New passphrase').fill('aaaaaaaaaaaaaaaa');
  await dialog.getByText('Strength: too weak').waitFor();
  await dialog.getByLabel('New passphrase').fill('seven quiet lanterns');
  await dialog.getByLabel('Confirm passphrase').fill('seven quiet lanterns');
  const submit = dialog.getByRole('button', { name: 'Change passphrase' });
  await submit.press('Enter');
  await dialog.getByText('The current passphrase is incorrect.').waitFor();
  assert.equal(await focused(page), 'button Change passphrase', 'a button keeps the focus while it works');
  await dialog.getByLabel('Current passphrase').fill(PASSPHRASE);
  await submit.click();
  await dialog.waitFor({ state: 'detached' });
  await page.getByText('Your passphrase is changed.').first().waitFor();
  assert.equal(await focused(page), 'button Account and settings');
});

test('the set-up names missing fields and weak passphrases before it sends them', IN_BROWSER, async (t) => {
  site.behaviour.signedIn = false;
  site.behaviour.setupNeeded = true;
  const page = await openPageAt(t, '/', { arabic: true });
  const form = page.locator('form');
  const next = form.locator('button[type=submit]');
  await next.press('Enter');
  await page.getByText('املأ هذا الحقل.').waitFor();
  await form.locator('input:focus[aria-invalid=true]').waitFor();
  await form.locator('input').first().fill('Harbour');
  await next.click();
  await page.getByText('قابل للكتابة').waitFor();
  await form.locator('input[type=checkbox]').first().waitFor();
  await next.click();
  await form.locator('input[type=password]').first().fill('Harbour');
  await next.click();
  await page.getByText('املأ هذا الحقل.').waitFor();
  await page.getByText('القوة: ضعيفة جدًا').waitFor();
  await hasCount(page.locator('.passphrase-rules .met'), 1);
  assert.ok(site.behaviour.setupNeeded);
});

test('the set-up promises of enrolment what the enrolment itself states', IN_BROWSER, async (t) => {
  const enrol = await openPageAt(t, '/enrol');
  await enrol.setInputFiles('input[type=file] >> nth=0', {
    name: 'visitor.png',
    mimeType: 'image/png',
    buffer: PIXEL,
  });
  await enrol.getByText('Enrolment itself compares the photos neither with each other').waitFor();
  site.behaviour.signedIn = false;
  site.behaviour.setupNeeded = true;
  const page = await openPageAt(t, '/');
  const next = page.locator('form button[type=submit]');
  await page.locator('form input').first().fill('Harbour');
  await next.click();
  const promise = page.getByRole('main').filter({ hasText: 'Enrol faces in bulk.' });
  await promise.getByText('New verifications are compared with them.').waitFor();
  assert.doesNotMatch(await promise.innerText(), /duplicate/i);
});

test('a backup key is created, stored and checked, and a backup runs', IN_BROWSER, async (t) => {
  site.behaviour.backup = 'none';
  site.behaviour.asksPassphrase = true;
  const page = await openPageAt(t, '/settings/backup');
  await hasCount(page.getByRole('button', { name: 'Back up now' }), 0);
  const create = page.getByRole('button', { name: 'Create backup key' });
  await create.click();
  await page.getByLabel('Passphrase', { exact: true }).fill(PASSPHRASE);
  await create.click();
  await page.locator('.secret', { hasText: BACKUP_KEY }).waitFor();
  await page.getByLabel('I have stored this in a safe place').check();
  await page.getByRole('button', { name: 'Use this key for backups' }).click();
  const typed = page.getByLabel('Check your printed key');
  const check = page.getByRole('button', { name: 'Check key' });
  await typed.fill('AGE-SECRET-KEY-1NOT');
  await check.click();
  await page.getByText('This is not a backup key.').waitFor();
  await typed.fill(BACKUP_KEY);
  await check.click();
  await page.getByText('This key is correct.').waitFor();
  const asked = page.waitForRequest((request) => request.url().endsWith('/backup/run'));
  await page.getByRole('button', { name: 'Back up now' }).click();
  assert.deepEqual((await asked).postDataJSON(), { place: '/media/vouch/Backup A' });
  await page.getByText('7.9 GiB written').waitFor();
  await page.getByRole('button', { name: 'Cancel backup' }).click();
  await page.getByLabel('Repeat').selectOption('Every week');
  await page.getByLabel('Weekday').selectOption('Friday');
  await page.getByLabel('Time').fill('22:30');
  const saved = page.waitForRequest((request) => request.url().endsWith('/backup/schedule'));
  await page.getByRole('button', { name: 'Save schedule' }).click();
  const { schedule } = (await saved).postDataJSON() as { schedule: object };
  assert.deepEqual(schedule, {
    place: '/media/vouch/Backup A',
    every: 'week',
    weekday: 5,
    minute: 1350,
    keep: 14,
  });
  await page.getByText('The schedule is saved.').first().waitFor();
});

test('the key help shows the keys of the open screen and leads to its manual page', IN_BROWSER, async (t) => {
  const page = await openPageAt(t, '/review');
  await page.getByRole('heading', { level: 1 }).waitFor();
  await page.keyboard.press('?');
  const help = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
  await help.getByRole('heading', { name: 'This screen' }).waitFor();
  const here = help.locator('section', { hasText: 'This screen' });
  await here.getByText('Different person', { exact: true }).waitFor();
  await help.getByText('Go to a screen:').waitFor();
  await help.getByRole('button', { name: 'Open the manual page of this screen' }).waitFor();
  await page.keyboard.press('Escape');
  await hasCount(help, 0);
});

test('the key help names Shift and Ctrl once for a key of a list', IN_BROWSER, async (t) => {
  const page = await openPageAt(t, '/validations');
  await page.getByRole('heading', { level: 1 }).waitFor();
  await page.keyboard.press('?');
  const rows = page.getByRole('dialog', { name: 'Keyboard shortcuts' }).locator('.key-row');
  const keysOf = (label: string) => rows.filter({ hasText: label }).locator('kbd').allTextContents();
  await rows.filter({ hasText: 'Select up to here' }).waitFor();
  assert.deepEqual(await keysOf('Select up to here'), ['Shift X']);
  assert.deepEqual(await keysOf('Select all'), ['Ctrl A']);
});
