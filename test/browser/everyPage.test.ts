/** Every page of the made-up core under axe, in every look; and how much a browser loads before the first. */
import { test } from 'node:test';
import assert from 'node:assert/strict';
import { axeViolations, goWithin, settled } from './axe.ts';
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
];
/** Those that open beside a list. */
const BESIDE = /\/(\d+|new|key-2|roles|recovery-key)$/;

for (const [name, look] of [
  ['light', { colorScheme: 'light' }],
  ['dark, small, Arabic', { colorScheme: 'dark', arabic: true, viewport: { width: 1024, height: 700 } }],
] as const)
  test(`axe finds nothing on any page: ${name}`, IN_BROWSER, async (t) => {
    const arabic = 'arabic' in look;
    const page = await visit(t, '/no-such-page', look);
    const found: Record<string, string[]> = {};
    const note = (what: string, violations: string[]) => {
      if (violations.length > 0) found[what] = violations;
    };
    for (const path of PAGES) {
      await goWithin(page, path);
      if (BESIDE.test(path)) await page.locator('.panel h2').first().waitFor();
      await settled(page);
      note(path, await axeViolations(page));
    }
    assert.deepEqual(found, {});
    await page.locator(`html[dir=${arabic ? 'rtl' : 'ltr'}]`).waitFor();
  });
