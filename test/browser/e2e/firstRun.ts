import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { eventually } from '../browser.ts';
import { COMPANY, OPERATOR, PASSPHRASE, type E2eSession } from './session.ts';

/** A new installation, from its address to the dashboard. */
export async function firstRun({ page }: E2eSession): Promise<void> {
  await page.goto('/');
  await page.getByLabel('Company').fill(COMPANY);
  const folder = page.getByLabel('Folder for encrypted images');
  await eventually(async () => assert.notEqual(await folder.inputValue(), ''));
  await page.getByRole('button', { name: 'Next' }).click();
  await page.getByLabel('Internal Blacklists').waitFor();
  await page.getByRole('button', { name: 'Next' }).click();
  await page.getByLabel('Username').fill(OPERATOR);
  await page.getByLabel('Passphrase', { exact: true }).fill(PASSPHRASE);
  await page.getByLabel('Confirm passphrase').fill('something else entirely');
  await page.getByText('The passphrases do not match.').waitFor();
  await page.getByLabel('Confirm passphrase').fill(PASSPHRASE);
  await page.getByRole('button', { name: 'Finish setup' }).click();
  await page.getByRole('heading', { name: 'Sign-in recovery code' }).waitFor();
  const next = page.getByRole('button', { name: 'Next' });
  await eventually(async () => assert.ok(await next.isDisabled(), 'the code must be stored first'));
  await page.getByLabel('I have stored this in a safe place').check();
  const code = await page.locator('.secret').textContent();
  await next.click();
  await page.getByRole('heading', { name: 'Backup key' }).waitFor();
  await page.locator('.secret', { hasText: /^AGE-SECRET-KEY-1/ }).waitFor();
  await page.getByLabel('I have stored this in a safe place').check();
  await page.getByRole('button', { name: 'Go to dashboard' }).click();
  await page.getByRole('navigation', { name: 'Main' }).waitFor();
  await recoverAccess(page, code ?? '');
}

/** An administrator who lost the passphrase gets back in with the code alone. */
async function recoverAccess(page: Page, code: string): Promise<void> {
  await page.getByRole('button', { name: 'Account and settings' }).click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  await page.getByRole('button', { name: 'Forgot your passphrase?' }).click();
  await page.getByLabel('Username').fill(OPERATOR);
  await page.getByLabel('Sign-in recovery code').fill(code.toLowerCase());
  await page.getByLabel('New passphrase').fill(PASSPHRASE);
  await page.getByLabel('Confirm passphrase').fill(PASSPHRASE);
  await page.getByRole('button', { name: 'Set new passphrase' }).click();
  await page.getByRole('heading', { name: 'New recovery code' }).waitFor();
  assert.notEqual(await page.locator('.secret').textContent(), code);
  await page.getByLabel('I have stored this in a safe place').check();
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('navigation', { name: 'Main' }).waitFor();
}
