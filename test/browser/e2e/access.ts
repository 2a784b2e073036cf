import assert from 'node:assert/strict';
import { hasCount, openPage } from '../browser.ts';
import { COMPANY, openScreen, openSetting, PASSPHRASE, type E2eSession } from './session.ts';

/** A program gets its token, which is shown this once. @returns the token */
export async function makeToken({ page, service }: E2eSession): Promise<string> {
  await openSetting(page, 'Access');
  await page.getByRole('button', { name: 'New credential' }).first().click();
  await page.getByLabel('Name', { exact: true }).fill('turnstile');
  await page.getByLabel('verify', { exact: true }).check();
  await page.getByRole('button', { name: 'Create credential' }).click();
  await page.getByRole('heading', { name: 'turnstile created' }).waitFor();
  const secret = page.locator('.secret', { hasText: /^vouch_/ });
  const token = (await secret.textContent()) ?? '';
  await page.locator('.example', { hasText: service.address }).waitFor();
  await page.getByLabel('I have stored this in a safe place').check();
  await page.getByRole('button', { name: 'Done' }).click();
  await page.getByRole('complementary', { name: 'turnstile' }).getByText('never used').waitFor();
  await hasCount(secret, 0);
  return token;
}

/** The program is seen to have used its token; revoked, it is refused at once. */
export async function revokeToken({ page, service }: E2eSession, token: string): Promise<void> {
  const ask = () =>
    fetch(`${service.address}/api/v3/trust-validations`, { headers: { authorization: `Bearer ${token}` } });
  const before = await ask();
  assert.notEqual(before.status, 401);
  await openSetting(page, 'Access');
  // Of this list: the one that was open before is still there for a moment.
  await page.getByRole('grid', { name: 'API access' }).getByRole('row', { name: 'turnstile' }).click();
  const panel = page.getByRole('complementary');
  await hasCount(panel.getByText('never used'), 0);
  await panel.getByRole('button', { name: 'Revoke' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Type turnstile to confirm').fill('turnstile');
  await dialog.getByRole('button', { name: 'Revoke' }).click();
  await panel.getByText('Revoked').first().waitFor();
  assert.equal((await ask()).status, 401);
}

const REVIEWER = 'Jonas Brandt';

/** A second person signs in, sees what a reviewer may, and is out the moment that is taken away. */
export async function inviteReviewer({ page, service }: E2eSession): Promise<void> {
  await openSetting(page, 'Access', 'Operators');
  await page.getByRole('button', { name: 'New operator' }).click();
  await page.getByLabel('Username').fill(REVIEWER);
  await page.getByLabel('Passphrase', { exact: true }).fill(`${PASSPHRASE} two`);
  await page.getByRole('button', { name: 'Add operator' }).click();
  const panel = page.getByRole('complementary', { name: REVIEWER });
  await panel.getByText('No active sessions.').waitFor();
  const browser = page.context().browser();
  assert.ok(browser);
  const { page: second, complaints } = await openPage(browser, service.address);
  try {
    await second.goto('/');
    await second.getByLabel('Username').fill(REVIEWER);
    await second.getByLabel('Passphrase').fill(`${PASSPHRASE} two`);
    await second.getByRole('button', { name: 'Sign in' }).click();
    await openScreen(second, 'Verify');
    await second.getByRole('heading', { level: 1, name: 'Review' }).waitFor();
    await second.getByText(COMPANY).first().waitFor();
    await hasCount(second.getByRole('link', { name: 'Audit log' }), 0);
    await panel.getByRole('button', { name: 'Deactivate' }).click();
    await panel.getByText(`${REVIEWER} deactivated and signed out`).waitFor();
    await second.reload();
    await second.getByRole('button', { name: 'Sign in' }).waitFor();
    assert.deepEqual(complaints, []);
  } finally {
    await second.context().close();
  }
}
