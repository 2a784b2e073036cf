/** The size of the program before the first screen, and its contrast. */
import { test } from 'node:test';
import assert from 'node:assert/strict';
import { hasCount } from './browser.ts';
import { initialBytes } from './built.ts';
import { IN_BROWSER, openHarness } from './harness.ts';

const INITIAL_LIMIT = 350 * 1024;

const { openPageAt } = await openHarness();

test('what a browser loads before the first screen stays under 350 KB gzipped', () => {
  const bytes = initialBytes();
  assert.ok(bytes < INITIAL_LIMIT, `${bytes} bytes`);
});

test('high contrast is turned on and off in the account menu', IN_BROWSER, async (t) => {
  const page = await openPageAt(t, '/settings');
  for (const count of [1, 0]) {
    await page.getByRole('button', { name: 'Account' }).click();
    await page.getByRole('menuitem', { name: 'High contrast' }).click();
    await hasCount(page.locator('html[data-contrast=high]'), count);
  }
});
