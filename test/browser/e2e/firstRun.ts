import assert from 'node:assert/strict';
import { eventually } from '../browser.ts';
import { COMPANY, OPERATOR, PASSPHRASE, type E2eSession } from './session.ts';

/** A new installation, from its address to the dashboard. */
export async function firstRun({ page }: E2eSession): Promise<void> {
  await page.goto('/');
  await page.getByLabel('Company').fill(COMPANY);
  const folder = page.getByLabel('Folder for the encrypted images');
  await eventually(async () => assert.notEqual(await folder.inputValue(), ''));
  await page.getByRole('button', { name: 'Next' }).click();
  await page.getByLabel('Internal Blacklists').waitFor();
  await page.getByRole('button', { name: 'Next' }).click();
  await page.getByLabel('Your name').fill(OPERATOR);
  await page.getByLabel('Passphrase', { exact: true }).fill(PASSPHRASE);
  await page.getByLabel('Passphrase again').fill('something else entirely');
  await page.getByText('The two passphrases differ.').waitFor();
  await page.getByLabel('Passphrase again').fill(PASSPHRASE);
  await page.getByRole('button', { name: 'Finish the set-up' }).click();
  await page.getByRole('heading', { name: 'Recovery key' }).waitFor();
  const enter = page.getByRole('button', { name: 'Open the dashboard' });
  await eventually(async () => assert.ok(await enter.isDisabled(), 'the key must be stored first'));
  await page.getByLabel('I have stored it').check();
  await enter.click();
  await page.getByRole('navigation', { name: 'Main' }).waitFor();
}
