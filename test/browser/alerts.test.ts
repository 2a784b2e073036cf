/** Alerts for blacklist matches: banner, sound and notification, as the operator chose. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { axeViolations } from './axe.ts';
import { choose, eventually, follow, hasCount } from './browser.ts';
import { IN_BROWSER, openHarness, PIXEL } from './harness.ts';
import { REVIEWED } from './mockApiServer.ts';

const { site, openPageAt } = await openHarness();

interface Heard {
  tones: number;
  notifications: { title: string; body: string }[];
}
declare global {
  interface Window {
    heard: Heard;
  }
}

/** Records sounds and notifications in place of the browser's own, in a window without the focus. */
const RECORD = `
  window.heard = { tones: 0, notifications: [] };
  document.hasFocus = () => false;
  window.Notification = class {
    static permission = 'granted';
    static requestPermission = () => Promise.resolve('granted');
    constructor(title, { body }) { window.heard.notifications.push({ title, body }); }
    close() {}
  };
  const start = OscillatorNode.prototype.start;
  OscillatorNode.prototype.start = function (at) { window.heard.tones += 1; return start.call(this, at); };`;
const heard = (page: Page) => page.evaluate(() => window.heard);

const hit = (validation: number, severity: 'information' | 'caution' | 'stop') => ({
  validation,
  blacklistName: 'Refused entry 2025',
  severity,
});

test(
  'hits are alerted from the chosen severity on, several as one, without a name',
  IN_BROWSER,
  async (t) => {
    const page = await openPageAt(t, '/signatures');
    await page.evaluate(RECORD);
    await page.getByRole('button', { name: 'Account and settings' }).click();
    await page.getByRole('menuitem', { name: 'Alerts for blacklist matches…' }).click();
    const dialog = page.getByRole('dialog');
    await choose(dialog.getByRole('combobox', { name: 'Alert by' }), 'Sound and notification');
    await choose(dialog.getByRole('combobox', { name: 'From severity' }), 'Caution');
    await dialog.getByRole('button', { name: 'Test alert' }).click();
    await eventually(async () => assert.equal((await heard(page)).tones, 3));
    await dialog.getByRole('button', { name: 'Close' }).last().click();
    await eventually(() =>
      assert.deepEqual(site.behaviour.appearance?.alerts, {
        way: 'both',
        from: 'caution',
        whileFocused: false,
        listName: false,
      }),
    );
    site.behaviour.hits = [hit(239_970, 'information'), hit(239_980, 'caution'), hit(239_991, 'stop')];
    site.report('validations');
    await page.getByText('2 blacklist matches').first().waitFor();
    const { notifications } = await heard(page);
    assert.deepEqual(notifications.slice(1), [{ title: '2 blacklist matches', body: '' }]);
    assert.deepEqual(await axeViolations(page), []);
    await page.getByRole('link', { name: 'Open validation 239991' }).press('Enter');
    await page.waitForURL('**/validations/239991?tab=matches');
    await page.getByRole('link', { name: 'Open validation 239980' }).waitFor();
    await page.getByRole('button', { name: 'Dismiss' }).click();
    await page.getByRole('link', { name: 'Open validation 239980' }).waitFor({ state: 'detached' });
  },
);

test('a hit has no banner over the page that shows it', IN_BROWSER, async (t) => {
  const page = await openPageAt(t, '/verify?flow=7');
  await page
    .locator('input[type=file]')
    .setInputFiles({ name: 'a.png', mimeType: 'image/png', buffer: PIXEL });
  await page.getByRole('button', { name: 'Run verification' }).click();
  await page.getByRole('region', { name: 'Result' }).getByText('Review Needed').waitFor();
  site.behaviour.hits = [hit(REVIEWED, 'stop'), hit(239_980, 'caution')];
  site.report('validations');
  await page.getByRole('link', { name: 'Open validation 239980' }).waitFor();
  await follow(page, '/review/239980');
  await page.locator('.case-head').waitFor();
  await hasCount(page.getByRole('link', { name: 'Open validation 239980' }), 0);
});

test('a refused permission has its sentence, in Arabic too', IN_BROWSER, async (t) => {
  const page = await openPageAt(t, '/validations', { arabic: true, colorScheme: 'dark' });
  await page.evaluate(`${RECORD} window.Notification.permission = 'denied';`);
  await page.locator('header.top button').last().click();
  await page.getByRole('menuitem', { name: 'تنبيهات مطابقات القوائم السوداء…' }).click();
  const dialog = page.getByRole('dialog');
  await choose(dialog.getByRole('combobox', { name: 'طريقة التنبيه' }), /^إشعار$/);
  await dialog.getByRole('alert').waitFor();
  assert.match(await dialog.getByRole('alert').innerText(), /يحظر هذا المتصفح/);
  assert.deepEqual(await axeViolations(page), []);
});
