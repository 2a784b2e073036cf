/** Lock and sign-in: the operator's work survives them, and the next operator sees none of it. */
import { test } from 'node:test';
import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page, Route } from 'playwright-core';
import { eventually, hasCount } from './browser.ts';
import { dropFromOutside } from './dragAndDrop.ts';
import { IN_BROWSER, openHarness, PIXEL } from './harness.ts';

const { site, openPageAt } = await openHarness();

const locked = (page: Page) => page.getByRole('heading', { name: 'Locked' });
async function account(page: Page, choice: string): Promise<void> {
  await page.getByRole('button', { name: 'Account and settings' }).click();
  await page.getByRole('menuitem', { name: choice }).click();
}
async function unlock(page: Page): Promise<void> {
  await page.getByLabel('Passphrase').fill('four unrelated harbour words');
  await page.getByRole('button', { name: 'Unlock' }).click();
  await locked(page).waitFor({ state: 'detached' });
}

test('a locked page shows no face, opens by no reload, and keeps what was typed', IN_BROWSER, async (t) => {
  const page = await openPageAt(t, '/trust-flows/7');
  const panel = page.getByRole('complementary', { name: 'Border desk' });
  await panel.getByRole('checkbox', { name: /Document fraud/ }).click();
  await panel.getByText('Unsaved changes.').waitFor();
  await account(page, 'Lock screen');
  await locked(page).waitFor();
  await panel.waitFor({ state: 'hidden' });
  // No key acts on what is not seen.
  await page.locator('body').click({ position: { x: 5, y: 5 } });
  await page.keyboard.press('Escape');
  const refuse = (route: Route) =>
    route.request().method() === 'POST'
      ? route.fulfill({ status: 401, json: { success: false } })
      : route.continue();
  await page.route('**/api/dashboard/session', refuse);
  await page.getByLabel('Passphrase').fill('another one');
  await page.getByRole('button', { name: 'Unlock' }).click();
  await page.getByRole('alert').getByText('Incorrect passphrase.').waitFor();
  await page.unroute('**/api/dashboard/session', refuse);
  await unlock(page);
  await panel.getByText('Unsaved changes.').waitFor();
  await panel.getByRole('button', { name: 'Cancel' }).click();
  await account(page, 'Lock screen');
  await locked(page).waitFor();
  await page.goto('/validations');
  await locked(page).waitFor();
  await hasCount(page.locator('img:visible'), 0);
  await unlock(page);
  await page.getByRole('row').nth(3).waitFor();
});

test('one tab that locks covers the others, also where a dialog shows a face', IN_BROWSER, async (t) => {
  const page = await openPageAt(t, '/search');
  await page.setInputFiles('input[type=file]', { name: 'one.png', mimeType: 'image/png', buffer: PIXEL });
  await page.getByRole('button', { name: 'Add to blacklist' }).click();
  await page.getByRole('dialog').locator('img').waitFor();
  const other = await page.context().newPage();
  await other.goto('/validations');
  await account(other, 'Lock screen');
  await locked(page).waitFor();
  await hasCount(page.locator('img:visible'), 0);
  await hasCount(page.getByRole('dialog'), 0);
});

test('an idle tab locks no tab in use; when all are idle all lock', IN_BROWSER, async (t) => {
  const page = await openPageAt(t, '/validations');
  const clock = page.context().clock;
  await clock.install();
  await page.reload();
  await page.getByRole('row').nth(3).waitFor();
  const idle = await page.context().newPage();
  await idle.goto('/validations');
  await idle.getByRole('row').nth(3).waitFor();
  for (let minutes = 0; minutes < 24; minutes += 8) {
    await clock.fastForward('08:00');
    await page.keyboard.press('Shift');
  }
  await clock.fastForward('08:00');
  await hasCount(locked(page), 0);
  await hasCount(locked(idle), 0);
  await clock.fastForward('02:01');
  await locked(page).waitFor();
  await locked(idle).waitFor();
  await unlock(page);
  await locked(idle).waitFor({ state: 'detached' });
});

test('input after a sleep of the machine does not keep the page open', IN_BROWSER, async (t) => {
  const page = await openPageAt(t, '/validations');
  await page.getByRole('row').nth(3).waitFor();
  await page.evaluate(`localStorage.setItem('vouch-last-input', String(Date.now() - 11 * 60_000))`);
  await page.keyboard.press('Shift');
  await locked(page).waitFor();
});

test(
  'who signs out takes along what was under way; the next one finds nothing of it',
  IN_BROWSER,
  async (t) => {
    site.behaviour.paused = true;
    const page = await openPageAt(t, '/enrol');
    const jpeg = Buffer.concat([Buffer.from([0xff, 0xd8, 0xff]), Buffer.alloc(900)]);
    const files = Array.from({ length: 4 }, (_, n) => ({
      name: `p${n}.jpg`,
      mimeType: 'image/jpeg',
      buffer: jpeg,
    }));
    await page.setInputFiles('input[type=file] >> nth=0', files);
    await page.getByRole('button', { name: 'Start upload' }).click();
    await page.getByRole('row', { name: /p3\.jpg/ }).waitFor();
    await account(page, 'Sign out');
    await page.getByRole('button', { name: 'Sign in' }).waitFor();
    await page.getByLabel('Username').fill('Somebody else');
    await page.getByLabel('Passphrase').fill('four unrelated harbour words');
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByText('Drop photos or whole folders here').waitFor();
    await hasCount(page.getByRole('row', { name: /p3\.jpg/ }), 0);
  },
);

test('a session that has ended leads to the sign-in, and back to where it was', IN_BROWSER, async (t) => {
  const page = await openPageAt(t, '/validations?status=2');
  await page.getByText('1,031 validations').waitFor();
  site.behaviour.signedIn = false;
  site.behaviour.answer = 401;
  await page.getByLabel('Name, reference or number').fill('zzz');
  await page.getByRole('button', { name: 'Sign in' }).waitFor();
  assert.equal(await page.title(), 'Sign in · Vouch');
  site.behaviour.answer = 200;
  await page.getByLabel('Username').fill('Maren Holt');
  await page.getByLabel('Passphrase').fill('four unrelated harbour words');
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByText('No matching validations').waitFor();
});

test('a page that is only read follows the end of the session and a new role', IN_BROWSER, async (t) => {
  const page = await openPageAt(t, '/audit');
  await page.getByRole('heading', { name: 'Audit log' }).waitFor();
  site.behaviour.role = 'operator';
  site.endStreams();
  await page.getByRole('heading', { name: 'Not allowed' }).waitFor();
  site.behaviour.signedIn = false;
  await page.route('**/events', (route) => route.fulfill({ status: 401, json: { success: false } }));
  site.endStreams();
  await page.getByRole('button', { name: 'Sign in' }).waitFor();
});

test('after two searches in a row, the result is that of the photo shown', IN_BROWSER, async (t) => {
  const page = await openPageAt(t, '/search');
  await page.getByText('Drop a photo here').waitFor();
  // The first takes long to read, the second does not.
  await page.evaluate(() => {
    File.prototype.slice = function (this: File, ...range) {
      const part = Blob.prototype.slice.apply(this, range);
      if (this.name === 'slow.png')
        part.arrayBuffer = async () => {
          await new Promise((resolve) => document.addEventListener('slow-is-read', resolve, { once: true }));
          return Blob.prototype.arrayBuffer.call(part);
        };
      return part;
    };
  });
  const choose = (name: string) =>
    page.evaluate(
      ([fileName, content]) => {
        const bytes = Uint8Array.from(atob(content), (letter) => letter.charCodeAt(0));
        const data = new DataTransfer();
        data.items.add(new File([bytes], fileName, { type: 'image/png' }));
        window.dispatchEvent(new ClipboardEvent('paste', { clipboardData: data }));
      },
      [name, PIXEL.toString('base64')] as const,
    );
  await choose('slow.png');
  await choose('quick.png');
  const facts = page.locator('.search-photo');
  await facts.getByText('quick.png').waitFor();
  const searched = page.waitForResponse((response) => response.url().includes('/search?'));
  await page.evaluate(() => document.dispatchEvent(new Event('slow-is-read')));
  await searched;
  await facts.getByText('quick.png').waitFor();
  await hasCount(facts.getByText('slow.png'), 0);
});

test('a photo that falls beside its place is not opened instead of the page', IN_BROWSER, async (t) => {
  const photo = join(tmpdir(), `vouch-beside-${process.pid}.png`);
  await writeFile(photo, PIXEL);
  const page = await openPageAt(t, '/search');
  await page.getByText('Drop a photo here').waitFor();
  await dropFromOutside(page, 'h1', photo);
  await page.getByText('Drop a photo here').waitFor();
  await eventually(() => assert.equal(page.context().pages().length, 1));
  assert.match(page.url(), /\/search$/);
});

test('a report that needs the passphrase is saved after it was given', IN_BROWSER, async (t) => {
  site.behaviour.asksPassphrase = true;
  const page = await openPageAt(t, '/signatures/history/6');
  await page.getByRole('button', { name: 'PDF report' }).click();
  const dialog = page.getByRole('dialog');
  const again = dialog.getByRole('button', { name: 'Continue' });
  await dialog.getByText('Exports of personal data need your passphrase', { exact: false }).waitFor();
  await eventually(async () => assert.ok(await again.isDisabled(), 'nothing is sent without it'));
  // Put away, it asks again from the start.
  await dialog.getByRole('button', { name: 'Close' }).click();
  await dialog.waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'PDF report' }).click();
  await dialog.getByLabel('Passphrase').fill('four unrelated harbour words');
  const saved = page.waitForEvent('download');
  await again.click();
  assert.equal((await saved).suggestedFilename(), 'signature-comparison-6.pdf');
  await dialog.waitFor({ state: 'detached' });
});
