/** Every page of the made-up core under axe, in every look; and how much a browser loads before the first. */
import { test } from 'node:test';
import assert from 'node:assert/strict';
import { axeViolations, goWithin, settled } from './axe.ts';
import { hasCount } from './browser.ts';
import { initialBytes } from './built.ts';
import { IN_BROWSER, openMadeUpSite } from './madeUpSite.ts';

const INITIAL_LIMIT = 350 * 1024;

const { visit } = await openMadeUpSite();

test('what a browser loads before the first screen stays under 350 KB gzipped', () => {
  const bytes = initialBytes();
  assert.ok(bytes < INITIAL_LIMIT, `${bytes} bytes`);
});

/** Two neighbours are never of one screen (`goWithin`). */
const PAGES = [
  '/',
  '/enrol/uploads',
  '/trust-flows/8',
  '/signatures',
  '/validations',
  '/signatures/history/6',
  '/review',
  '/validations/239991',
  '/enrol',
  '/search',
  '/company/internal-biometrics/11',
  '/trust-flows/new',
  '/company/internal-biometrics/new',
  '/api-access',
  '/operators/1',
  '/api-access/key-2',
  '/operators/roles',
  '/api-access/new',
  '/operators/recovery-key',
  '/audit',
  '/system',
  '/audit/47990',
  '/pipelines',
  '/calibration',
];
/** Those that open beside a list. */
const BESIDE = /\/(\d+|new|key-2|roles|recovery-key)$/;

const SMALL = { width: 1024, height: 700 };
const LOOKS = {
  light: { colorScheme: 'light' },
  'dark, small, Arabic': { colorScheme: 'dark', arabic: true, viewport: SMALL },
  'high contrast': { colorScheme: 'light', highContrast: true },
  'high contrast, dark': { colorScheme: 'dark', highContrast: true },
} as const;

for (const [name, look] of Object.entries(LOOKS))
  test(`axe finds nothing on any page: ${name}`, IN_BROWSER, async (t) => {
    const page = await visit(t, '/no-such-page', look);
    const found: Record<string, string[]> = {};
    for (const path of PAGES) {
      await goWithin(page, path);
      if (BESIDE.test(path)) await page.locator('.panel h2').first().waitFor();
      await settled(page);
      // High contrast changes colours alone, and promises more of them: WCAG's enhanced contrast, 7 to 1.
      const violations = await axeViolations(page, 'highContrast' in look ? 'colours' : 'all');
      if (violations.length > 0) found[path] = violations;
    }
    assert.deepEqual(found, {});
    await page.locator(`html[dir=${'arabic' in look ? 'rtl' : 'ltr'}]`).waitFor();
    await page.locator(`html[data-mantine-color-scheme=${look.colorScheme}]`).waitFor();
    await hasCount(page.locator('html[data-contrast=high]'), 'highContrast' in look ? 1 : 0);
  });
