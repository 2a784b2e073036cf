/** Signature specimens of a person: on the person's page, in a comparison, and in the settings of the company. */
import { test } from 'node:test';
import assert from 'node:assert/strict';
import { hasCount } from './browser.ts';
import { IN_BROWSER, openHarness } from './harness.ts';

const { site, openPageAt } = await openHarness();

test('a specimen is added, erased after a question, and the rest is compared', IN_BROWSER, async (t) => {
  const page = await openPageAt(t, '/persons/21');
  const specimens = page.getByRole('region', { name: 'Signature specimens' });
  await specimens.getByAltText('Specimen 3').waitFor();
  const png = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 13]);
  await specimens.locator('input[type=file]').setInputFiles([
    { name: 'contract.png', mimeType: 'image/png', buffer: png },
    { name: 'note.txt', mimeType: 'text/plain', buffer: Buffer.from('note') },
  ]);
  await specimens.getByAltText('Specimen 4').waitFor();
  await specimens.getByText('only JPEG and PNG are supported: note.txt').waitFor();
  await specimens.getByRole('button', { name: 'Erase specimen 2' }).click();
  await page.getByText('You cannot undo it.').waitFor();
  assert.deepEqual(site.persons.specimens, [1, 2, 3, 4], 'erased before the question was answered');
  await page.getByRole('button', { name: 'Erase specimen', exact: true }).click();
  await specimens.getByAltText('Specimen 4').waitFor({ state: 'detached' });
  assert.deepEqual(site.persons.specimens, [1, 3, 4]);
  await specimens.getByRole('link', { name: 'Compare a signature with these' }).click();
  await page.getByText('3 known signatures', { exact: true }).waitFor();
  await page.waitForURL(/\/signatures\/known$/);
});

test('specimens of a person who is found by name are loaded', IN_BROWSER, async (t) => {
  const page = await openPageAt(t, '/signatures/known');
  await page.getByRole('button', { name: 'Load specimens of a person' }).click();
  await page.getByRole('list', { name: 'Choose a person' }).getByRole('button').first().click();
  await page.getByText('3 known signatures', { exact: true }).waitFor();
});

test('turning specimens off states how many are erased', IN_BROWSER, async (t) => {
  const page = await openPageAt(t, '/settings/company');
  await page.getByLabel('Store signature specimens of persons').uncheck();
  await page.getByText('Saving erases all 12 stored specimens.', { exact: false }).waitFor();
  const sent = page.waitForRequest((request) => request.method() === 'PATCH');
  await page.getByRole('button', { name: 'Erase specimens and save' }).click();
  assert.deepEqual((await sent).postDataJSON(), { signatureSpecimens: false, eraseSpecimens: 12 });
  await page.getByText('The settings are saved.').waitFor();
});

test('the company is renamed with its other settings, by one button', IN_BROWSER, async (t) => {
  const page = await openPageAt(t, '/settings/company');
  await page.getByLabel('Name').fill('Harbour North');
  await page.getByLabel('Confirmation by a second operator').check();
  const sent = page.waitForRequest((request) => request.method() === 'PATCH');
  await hasCount(page.getByRole('button', { name: 'Save changes' }), 1);
  await page.getByRole('button', { name: 'Save changes' }).click();
  assert.deepEqual((await sent).postDataJSON(), { name: 'Harbour North', secondOperator: true });
  await page.getByText('The settings are saved.').waitFor();
});
