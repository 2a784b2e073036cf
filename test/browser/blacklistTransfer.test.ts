/** Blacklists between sites: a certificate and its fingerprint, a bundle out, a bundle in, and the way back. */
import { test } from 'node:test';
import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { axeViolations } from './axe.ts';
import { choose, eventually, hasCount } from './browser.ts';
import { CERTIFICATE, HEARD } from './fixtureBlacklistTransfer.ts';
import { IN_BROWSER, openHarness } from './harness.ts';

const { site, openPageAt } = await openHarness();

/**
 * Gives a file to the chooser of that label. The page may replace the chooser as soon as it has read the file, so the
 * element that took the file is the one that is read afterwards.
 */
async function handIn(page: Page, label: string, name: string, content: string): Promise<void> {
  const chooser = await page
    .locator(`input[type=file][aria-label="${label}"]`)
    .elementHandle({ timeout: 10_000 });
  assert.ok(chooser, `the page has a chooser "${label}"`);
  await chooser.setInputFiles({ name, mimeType: 'application/octet-stream', buffer: Buffer.from(content) });
  const left = await chooser.evaluate((input) =>
    input instanceof HTMLInputElement ? input.value : undefined,
  );
  assert.equal(left, '', 'otherwise choosing the same file again would not be a change');
}

test('an installation is trusted only by the fingerprint that was heard', IN_BROWSER, async (t) => {
  site.behaviour.asksPassphrase = true;
  const page = await openPageAt(t, '/exchange/installations/new');
  await handIn(page, 'Choose installation certificate', 'notes.txt', 'no certificate');
  await page.getByText('This file is not an installation certificate.').waitFor();
  await handIn(page, 'Choose installation certificate', 'south.json', JSON.stringify(CERTIFICATE));
  await page.getByText('Certificate of “South Harbour”').waitFor();
  const trust = page.getByRole('button', { name: 'Trust installation' });
  await eventually(async () => assert.ok(await trust.isDisabled(), 'nothing was heard yet'));
  await page.getByLabel('Fingerprint (by phone)').fill(HEARD.replaceAll('9', '8'));
  await page.keyboard.press('Enter');
  await page.getByLabel('Passphrase').fill('amber lantern by the quay');
  await page.keyboard.press('Enter');
  await page.getByText(/differs from the one you entered/).waitFor();
  assert.deepEqual(await axeViolations(page), []);
  await page.getByLabel('Fingerprint (by phone)').fill(HEARD);
  await page.keyboard.press('Enter');
  await page.waitForURL('**/exchange/installations/3');
  await page.getByRole('heading', { name: 'South Harbour' }).waitFor();
});

test('a list is sealed for one installation, after the passphrase was given again', IN_BROWSER, async (t) => {
  site.behaviour.asksPassphrase = true;
  const page = await openPageAt(t, '/exchange/installations/1');
  await page.locator('.panel').getByRole('link', { name: 'Export blacklist' }).click();
  await choose(page.getByRole('combobox', { name: 'Blacklist' }), 'Document fraud');
  await page.waitForURL(/installation=1&list=\d+/);
  const write = page.getByRole('button', { name: 'Encrypt and save' });
  await write.click();
  await page.getByLabel('Passphrase').fill('amber lantern by the quay');
  assert.deepEqual(await axeViolations(page), []);
  const [saved] = await Promise.all([page.waitForEvent('download'), write.click()]);
  assert.equal(saved.suggestedFilename(), 'blacklist-12.vouchlist');
  await page.getByText(/Transfer it to “North Pier”/).waitFor();
});

test(
  'a package shows its changes first, survives a reload, and reports its import',
  IN_BROWSER,
  async (t) => {
    const page = await openPageAt(t, '/exchange/import');
    await page.getByText('Drop a package here').waitFor();
    await handIn(page, 'Choose package', 'cut.vouchlist', 'something else');
    await page.getByText(/The package is damaged/).waitFor();
    await handIn(page, 'Choose package', 'list.vouchlist', 'age-encryption.org/v1 …');
    const row = (words: string) => page.getByRole('row', { name: words });
    await row('New 1,204').waitFor();
    await row('Deleted, moved or expired at the source (kept here; you decide) 3').waitFor();
    await page.getByText('A. Brandt becomes Ada Brandt').waitFor();
    const listed = page.getByText('Severity: “Stop” at the sender, “Caution” here', { exact: true });
    await listed.waitFor();
    await hasCount(page.getByText(/^(Reason|Expires): /), 0);
    await page.reload();
    await row('New 1,204').waitFor();
    await page.getByRole('button', { name: 'Import', exact: true }).click();
    await page.getByRole('heading', { name: 'Imported', exact: true }).waitFor();
    await page.getByText('Mira Solis: The face is too small.').waitFor();
    await listed.waitFor();
    assert.deepEqual(await axeViolations(page), []);
    await page.getByRole('link', { name: 'Open import' }).click();
    await page.waitForURL('**/exchange/imports/3');
  },
);

test('taking an import back says first what it does, and wants the name', IN_BROWSER, async (t) => {
  const page = await openPageAt(t, '/exchange');
  await page.getByRole('grid', { name: 'Imports' }).waitFor();
  await page.keyboard.press('j');
  await page.keyboard.press('Enter');
  await page.waitForURL('**/exchange/imports/3');
  await page.getByRole('button', { name: 'Undo import…' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText('only from this import): 298').waitFor();
  await dialog.getByText(/until their cases are decided: 1 \(Ada Brandt\)/).waitFor();
  assert.deepEqual(await axeViolations(page), []);
  await dialog.getByLabel(/^Type/).fill('Document fraud');
  await dialog.getByRole('button', { name: 'Undo import' }).click();
  await page.locator('.panel').getByText('In review: 1').waitFor();
});

test(
  'without anything yet each part says what it is for; when it fails, what to do',
  IN_BROWSER,
  async (t) => {
    site.behaviour.rows = 0;
    const page = await openPageAt(t, '/exchange');
    await page.getByText('No imports yet').waitFor();
    await page.getByRole('link', { name: 'Installations', exact: true }).click();
    await page.getByText('No trusted installations yet').waitFor();
    await hasCount(page.getByRole('link', { name: 'Add trusted installation' }), 2);
    site.behaviour.answer = 503;
    await page.reload();
    await page
      .getByText(/Enrollment queue is unavailable/)
      .first()
      .waitFor();
  },
);
