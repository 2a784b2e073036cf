/** The size of the program before the first screen, and its contrast. */
import { test } from 'node:test';
import assert from 'node:assert/strict';
import { eventually, focused, hasCount } from './browser.ts';
import { initialBytes } from './built.ts';
import { IN_BROWSER, openHarness } from './harness.ts';
import { unresolvedKeys } from './translationChecks.ts';

const INITIAL_LIMIT = 280 * 1024;

const { site, openPageAt } = await openHarness();

test('what a browser loads before the first screen stays under 280 KB as it is sent', () => {
  const bytes = initialBytes();
  assert.ok(bytes < INITIAL_LIMIT, `${bytes} bytes`);
});

test('Settings opens its first page, and no page that repeats the menu', IN_BROWSER, async (t) => {
  const page = await openPageAt(t, '/settings');
  await page.waitForURL(/\/settings\/company$/);
  await page.getByRole('heading', { level: 1, name: 'Company' }).waitFor();
  // A screen that is opened is read from its heading.
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Overview' }).press('Enter');
  await eventually(async () => assert.equal(await focused(page), 'h1 Overview'));
});

test('high contrast is turned on and off in the account menu', IN_BROWSER, async (t) => {
  const page = await openPageAt(t, '/settings');
  for (const count of [1, 0]) {
    await page.getByRole('button', { name: 'Account' }).click();
    await page.getByRole('menuitemradio', { name: 'English', checked: true }).waitFor();
    await page.getByRole('menuitemcheckbox', { name: 'High contrast', checked: count === 0 }).click();
    await hasCount(page.locator('html[data-contrast=high]'), count);
  }
});

test('after the decision “different person” the overview states no severity', IN_BROWSER, async (t) => {
  const page = await openPageAt(t, '/');
  const hits = page.locator('.newest-hits li').filter({ hasText: 'Refused entry 2025' });
  await hits.first().waitFor();
  await hasCount(hits.filter({ hasText: 'Verified' }), 2);
  await hasCount(hits.filter({ hasText: 'Verified' }).filter({ hasText: 'Stop' }), 0);
  await hasCount(hits.filter({ hasText: 'Review Needed' }).filter({ hasText: 'Stop' }), 1);
});

test('Ctrl K before the palette has loaded opens it when it arrives', IN_BROWSER, async (t) => {
  const page = await openPageAt(t, '/');
  const { promise: held, resolve: arrive } = Promise.withResolvers<null>();
  await page.route(/CommandPalette/, async (route) => {
    await held;
    await route.continue();
  });
  await page.reload();
  await page.locator('.newest-hit-facts').first().waitFor();
  await page.keyboard.press('Control+k');
  arrive(null);
  await page.getByRole('dialog').waitFor();
});

test('the first page and what opens over it need no texts of other screens', IN_BROWSER, async (t) => {
  const page = await openPageAt(t, '/');
  await page.locator('.newest-hit-facts').first().waitFor();
  assert.deepEqual(await unresolvedKeys(page), []);
  const dialog = page.getByRole('dialog');
  await page.keyboard.press('?');
  await dialog.waitFor();
  assert.deepEqual(await unresolvedKeys(page), []);
  await page.keyboard.press('Escape');
  await hasCount(dialog, 0);
  await page.keyboard.press('Control+k');
  await page.keyboard.type('re');
  await dialog.getByText('Review').first().waitFor();
  await dialog.getByRole('status').getByText('Review').waitFor();
  assert.deepEqual(await unresolvedKeys(page), []);
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Account' }).click();
  await page.getByRole('menuitem', { name: /^Alerts/ }).click();
  await dialog.waitFor();
  assert.deepEqual(await unresolvedKeys(page), []);
  for (const setupNeeded of [false, true]) {
    site.behaviour.signedIn = false;
    site.behaviour.setupNeeded = setupNeeded;
    await page.goto('/');
    await page.locator('form input').first().waitFor();
    assert.deepEqual(await unresolvedKeys(page), []);
  }
});
