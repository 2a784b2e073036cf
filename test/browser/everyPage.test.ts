/**
 * Every page of the mock API server in every theme and size: under axe, with nothing cut off, in the language that was chosen; and
 * how much a browser loads before the first.
 */
import { test } from 'node:test';
import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { axeViolations, goWithin, settled } from './axe.ts';
import { hasCount } from './browser.ts';
import { initialBytes } from './built.ts';
import { layoutProblems } from './layoutChecks.ts';
import { RECEIPT } from './fixtureErasure.ts';
import { IN_BROWSER, openHarness } from './harness.ts';
import { colourOnlyStates, invisibleFocus } from './focusAndContrastChecks.ts';
import { collectServerWords, untranslatedWords, unresolvedKeys } from './translationChecks.ts';

const INITIAL_LIMIT = 350 * 1024;

const { site, openPageAt } = await openHarness();

test('what a browser loads before the first screen stays under 350 KB gzipped', () => {
  const bytes = initialBytes();
  assert.ok(bytes < INITIAL_LIMIT, `${bytes} bytes`);
});

/** Two neighbours are never of one screen (`goWithin`). */
const PAGES = [
  '/',
  '/enrol/uploads',
  '/enrol/failures',
  '/verify',
  '/compare',
  '/trust-flows/8',
  '/signatures',
  '/validations',
  '/signatures/history',
  '/trust-flows',
  '/signatures/history/6',
  '/review',
  '/signatures/calibration',
  '/review/pairs',
  '/validations/239991',
  '/enrol',
  '/search',
  '/duplicates',
  '/persons',
  '/duplicates/302',
  '/persons/21',
  '/duplicates/sample',
  '/search/history',
  '/compare/history/4',
  '/duplicates/303',
  '/signatures/known',
  '/company/internal-biometrics',
  '/audit',
  '/company/internal-biometrics/11',
  '/exchange/imports/2',
  '/trust-flows/new',
  '/company/internal-biometrics/new',
  '/settings/api-access',
  '/settings/operators/1',
  '/settings/api-access/key-2',
  '/settings/operators/roles',
  '/settings/api-access/new',
  '/settings/operators/recovery-code',
  '/settings',
  '/settings/limits',
  '/settings/company',
  '/settings/retention',
  '/settings/backup',
  '/settings/network',
  '/system',
  '/audit/47990',
  '/settings/pipelines',
  '/settings/calibration',
  '/exchange/installations/own',
  `/erasures/${RECEIPT}`,
];
/** Those that open beside a list. */
const BESIDE = /(?<!duplicates)\/(\d+|new|key-2|roles|recovery-code|own|[0-9a-f-]{36})$/;

const SMALL = { width: 1024, height: 700 };
/** A screen of 1440 × 900 at 200 % zoom: WCAG 1.4.4 and, as far as a list of columns can, 1.4.10. */
const ZOOMED = { viewport: { width: 720, height: 450 }, deviceScaleFactor: 2 };
/** Zoom changes where things are, and nothing else: colours are checked in the other looks. */
const DISPLAYS = {
  light: { look: { colorScheme: 'light' }, axe: true },
  'dark, small, Arabic': { look: { colorScheme: 'dark', arabic: true, viewport: SMALL }, axe: true },
  'at 200 % zoom': { look: { colorScheme: 'light', ...ZOOMED }, axe: false },
} as const;

for (const [name, { look, axe }] of Object.entries(DISPLAYS))
  test(`every page can be read, reached and understood: ${name}`, IN_BROWSER, async (t) => {
    site.duplicates.awaiting = { group: 303, by: 'operator:2' };
    site.behaviour = { ...site.behaviour, services: true };
    const page = await openPageAt(t, '/no-such-page', look);
    const heard = collectServerWords(page);
    const found: Record<string, string[]> = {};
    for (const path of PAGES) {
      await goWithin(page, path);
      if (BESIDE.test(path)) await page.locator('.panel h2').first().waitFor();
      await settled(page);
      const faults = [
        ...(axe ? await axeViolations(page) : []),
        ...(await layoutProblems(page)),
        ...(await colourOnlyStates(page)),
        ...(axe ? await invisibleFocus(page) : []),
        ...('arabic' in look ? await untranslatedWords(page, heard) : []),
        ...(await unresolvedKeys(page)),
        ...(name === 'light' ? await highContrastFaults(page) : []),
      ];
      if (faults.length > 0) found[path] = faults;
    }
    assert.deepEqual(found, {});
    await page.locator(`html[dir=${'arabic' in look ? 'rtl' : 'ltr'}]`).waitFor();
    await page.locator(`html[data-mantine-color-scheme=${look.colorScheme}]`).waitFor();
    await hasCount(page.locator('html[data-contrast=high]'), 0);
  });

test('high contrast is turned on and off in the account menu', IN_BROWSER, async (t) => {
  const page = await openPageAt(t, '/settings');
  for (const count of [1, 0]) {
    await page.getByRole('button', { name: 'Account' }).click();
    await page.getByRole('menuitem', { name: 'High contrast' }).click();
    await hasCount(page.locator('html[data-contrast=high]'), count);
  }
});

/**
 * The page in high contrast, light and dark. It changes colours alone, by an attribute of the document, and promises
 * more of them: WCAG's enhanced contrast, 7 to 1. The page is light again afterwards.
 */
async function highContrastFaults(page: Page): Promise<string[]> {
  const found: string[] = [];
  await page.evaluate("document.documentElement.dataset.contrast = 'high'");
  for (const colorScheme of ['dark', 'light'] as const) {
    await page.emulateMedia({ colorScheme });
    await page.locator(`html[data-mantine-color-scheme=${colorScheme}]`).waitFor();
    const faults = [...(await axeViolations(page, 'colours')), ...(await layoutProblems(page))];
    found.push(...faults.map((fault) => `high contrast, ${colorScheme}: ${fault}`));
  }
  await page.evaluate('delete document.documentElement.dataset.contrast');
  return found;
}

/** Screens without what opens beside them; two neighbours are never of one title. */
const SCREENS = PAGES.filter((path) => !BESIDE.test(path));
/** Bad news, where there is least room for it. */
const STATES = {
  empty: { behaviour: { rows: 0, change: 'none' }, look: { colorScheme: 'light', ...ZOOMED } },
  failing: { behaviour: { answer: 503 }, look: { colorScheme: 'dark', arabic: true, ...ZOOMED } },
  'not allowed': { behaviour: { answer: 403 }, look: { colorScheme: 'light', viewport: SMALL } },
} as const;

for (const [name, { behaviour, look }] of Object.entries(STATES))
  test(`every screen can be read and says what to do next: ${name}`, IN_BROWSER, async (t) => {
    site.behaviour = { ...site.behaviour, ...behaviour };
    const page = await openPageAt(t, '/no-such-page', look);
    const heard = collectServerWords(page);
    const found: Record<string, string[]> = {};
    for (const path of SCREENS) {
      await goWithin(page, path);
      await settled(page);
      const faults = [
        ...(await axeViolations(page)),
        ...(await layoutProblems(page)),
        ...(await invisibleFocus(page)),
        ...('arabic' in look ? await untranslatedWords(page, heard) : []),
        ...(await unresolvedKeys(page)),
      ];
      if (faults.length > 0) found[path] = faults;
    }
    assert.deepEqual(found, {});
  });
