/** Case folders: opening one, adding to it, and what its chain of custody shows. */
import { test } from 'node:test';
import assert from 'node:assert/strict';
import { axeViolations } from './axe.ts';
import { eventually } from './browser.ts';
import { IN_BROWSER, openHarness } from './harness.ts';

const { site, openPageAt } = await openHarness();

test('a case folder is opened by keyboard and takes a note and a file', IN_BROWSER, async (t) => {
  const page = await openPageAt(t, '/case-folders');
  await page.getByRole('button', { name: 'Open case folder' }).focus();
  await page.keyboard.press('Enter');
  await page.getByLabel('Title').fill('New case');
  await page.keyboard.press('Enter');
  await page.getByText('The case folder is empty.').waitFor();
  await page.getByRole('textbox', { name: 'Note' }).fill('Seen at the gate.');
  await page.getByRole('button', { name: 'Add note' }).click();
  // The form still shows the words that were typed: the row of the entry is waited for.
  await page.getByRole('row').filter({ hasText: 'Seen at the gate.' }).waitFor();
  await page
    .locator('input[type=file]')
    .setInputFiles({ name: 'letter.txt', mimeType: 'text/plain', buffer: Buffer.from('A letter.') });
  await page.getByText('Chosen file: letter.txt').waitFor();
  await page.getByRole('button', { name: 'Add file' }).click();
  await page.getByRole('button', { name: 'Save file' }).waitFor();
  assert.deepEqual(await axeViolations(page), []);
  assert.deepEqual(
    site.caseFolders.get(3)?.entries.map(({ kind }) => kind),
    ['opened', 'note', 'file'],
  );
});

test('a removed entry loses its content and keeps its hash in the chain', IN_BROWSER, async (t) => {
  const page = await openPageAt(t, '/case-folders/1');
  await page.getByTitle('Remove entry 6').click();
  await page.getByLabel('Reason').fill('A mistake');
  await page.getByRole('button', { name: 'Remove entry', exact: true }).click();
  await page.getByRole('row').filter({ hasText: 'A mistake' }).waitFor();
  assert.equal(await page.getByText('The branch in the harbour').count(), 0);
  assert.equal(await page.getByText('06'.repeat(32)).count(), 1);
});

test('a broken chain is an alert, and a closed case folder takes nothing', IN_BROWSER, async (t) => {
  const page = await openPageAt(t, '/case-folders/2');
  await page.getByText('Entry 2 is not as it was written').waitFor();
  assert.equal(await page.getByRole('button', { name: 'Add note' }).count(), 0);
  await page.getByRole('button', { name: 'Reopen case folder' }).click();
  await page.getByRole('button', { name: 'Add note' }).waitFor();
});

test('a finished examination is added to a case folder', IN_BROWSER, async (t) => {
  const content = site.examinations.get(4)!;
  const settlement = {
    conclusion: 'weakSame',
    reasons: 'Nose',
    by: 'operator:1',
    at: '2026-01-01T00:00:00Z',
  };
  site.examinations.set(4, { ...content, settlement: { ...settlement, conclusion: 'weakSame' } });
  const page = await openPageAt(t, '/examinations/4');
  await page.getByRole('button', { name: 'Add to case folder' }).click();
  const dialog = page.getByRole('dialog');
  const options = dialog.getByLabel('Case folder').locator('option');
  await eventually(async () =>
    assert.deepEqual(await options.allTextContents(), [
      'Choose',
      '3 · New case',
      '1 · Loans in two branches',
    ]),
  );
  await dialog.getByLabel('Case folder').selectOption({ label: '3 · New case' });
  await dialog.getByRole('button', { name: 'Add to case folder' }).click();
  await page.getByRole('link', { name: 'Examination 4' }).waitFor();
});

test('a case folder is exported for an installation, and another one opened', IN_BROWSER, async (t) => {
  const page = await openPageAt(t, '/case-folders/1');
  await page.getByRole('button', { name: 'Export…' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Recipient').selectOption({ index: 1 });
  assert.deepEqual(await axeViolations(page), []);
  const sealed = page.waitForEvent('download');
  await dialog.getByRole('button', { name: 'Export case folder' }).click();
  assert.equal((await sealed).suggestedFilename(), 'case-folder-1.vouchcase');

  await page.getByRole('button', { name: 'All case folders' }).click();
  // Both pages have a field for files: the next page is waited for.
  await page.getByRole('button', { name: 'Open export…' }).waitFor();
  await page.locator('input[type=file]').setInputFiles({
    name: 'ferry.vouchcase',
    mimeType: 'application/octet-stream',
    buffer: Buffer.from('x'),
  });
  const report = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Check and save report' }).click();
  assert.equal((await report).suggestedFilename(), 'ferry.pdf');
});
