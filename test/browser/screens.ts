/**
 * `npm run screens`: pictures of the screens on the mock API server into docs/screens, both themes, full, empty and
 * failing. The people in them are drawn. `npm run screens -- review system` takes those that begin so.
 */
import assert from 'node:assert/strict';
import { mkdirSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import sharp from 'sharp';
import type { Page } from 'playwright-core';
import { settled } from './axe.ts';
import { choose, eventually, findChromium, openBrowser, openPage } from './browser.ts';
import { buildDashboard } from './built.ts';
import { drawPhoto } from './drawnFaces.ts';
import { drawnSignature } from './drawnSignatures.ts';
import { RECEIPT } from './fixtureErasure.ts';
import { SESSION } from './fixtures.ts';
import { drawnGroup } from './fixtureSearch.ts';
import { DEFAULT_BEHAVIOUR, startMockApiServer, type MockBehaviour } from './mockApiServer.ts';

const PROJECT = join(import.meta.dirname, '../..');
const FOLDER = join(PROJECT, 'docs', 'screens');
const ARABIC = `localStorage.setItem('vouch-preferences', '{"state":{"language":"ar","highContrast":false,"sidebarCollapsed":false},"version":0}')`;
const UNFINISHED = `localStorage.setItem('vouch-unfinished-run', JSON.stringify({ run: '0d1f5a3e-6c0b-4c57-9d0a-5f0f5e3f2a11', companyId: ${SESSION.company.id}, blacklistId: null, listing: null, severalFaces: 'refuse', personSource: 'none', startedAt: Date.parse('2026-03-02T07:12:00Z'), total: 20480, sent: 7650, list: '' }))`;
const SMALL = { width: 1024, height: 700 };
const WIDE = { width: 1920, height: 1080 };

interface Picture {
  name: string;
  path: string;
  dark?: boolean;
  arabic?: boolean;
  small?: boolean;
  /** As wide as the comparison needs for its third pane. */
  wide?: boolean;
  behaviour?: Partial<MockBehaviour>;
  /** A window was closed in the middle of a run. */
  unfinished?: boolean;
  act?: (page: Page) => Promise<unknown>;
}

const probe = {
  name: 'probe.png',
  mimeType: 'image/png',
  buffer: await sharp(Buffer.from(drawPhoto(21, 2).svg))
    .png()
    .toBuffer(),
};
const search = (page: Page) => page.setInputFiles('input[type=file]', probe);
const comparePhotos = async (page: Page) => {
  // The field of a side goes once it has its photo, so the next one is always the first that is left.
  for (const _side of [1, 2]) await page.locator('input[type=file]').first().setInputFiles(probe);
  await page.locator('.photo-field img').nth(1).waitFor();
  await page.locator('main form button[type=submit]').click();
  await page.locator('.face-result-side, .face-choice').first().waitFor();
};
const measureLine = async (page: Page) => {
  await page.keyboard.press('m');
  const face = page.locator('.measure-field').first();
  await face.click({ position: { x: 60, y: 80 } });
  await face.click({ position: { x: 120, y: 80 } });
};
const moveFace = async (page: Page) => {
  await page.locator('.face-cell').nth(1).waitFor();
  await page.keyboard.press('j');
  await page.keyboard.press('x');
  await page.locator('main button:has(.tabler-icon-arrow-move-right)').click();
};
const live = async (page: Page) => {
  await page.context().grantPermissions(['camera']);
  await page.locator('.drop-ways button').nth(1).click();
  await page.locator('.camera-check-good').first().waitFor();
};
const verify = async (page: Page) => {
  await page.setInputFiles('input[type=file]', probe);
  await page.locator('.verify-form input').first().fill('Ahmed Haddad');
  await page.locator('.verify-form button[type=submit]').click();
  await page.locator('.verify-outcome h2').first().waitFor();
};
const searchGroup = async (page: Page) =>
  page.setInputFiles('input[type=file]', {
    ...probe,
    buffer: await sharp(Buffer.from(drawnGroup())).png().toBuffer(),
  });
const sign = async (page: Page) => {
  for (const [variation, side] of ['First signature', 'Second signature'].entries())
    await page
      .getByLabel(side)
      .locator('input[type=file]')
      .setInputFiles({
        name: `signature-${variation + 1}.png`,
        mimeType: 'image/png',
        buffer: await sharp(Buffer.from(drawnSignature(variation)))
          .png()
          .toBuffer(),
      });
  await page.getByRole('button', { name: 'Compare', exact: true }).click();
  await page.locator('.signature-result').waitFor();
};
const signKnown = async (page: Page) => {
  const drawn = async (variation: number) => ({
    name: `specimen-${variation}.png`,
    mimeType: 'image/png',
    buffer: await sharp(Buffer.from(drawnSignature(variation)))
      .png()
      .toBuffer(),
  });
  await page
    .locator('.specimens input[type=file]')
    .first()
    .setInputFiles(await drawn(0));
  await page
    .locator('.known-drop input[type=file]')
    .setInputFiles(await Promise.all([1, 1.5, 2, 3, 2.5].map(drawn)));
  await page.locator('.strip .specimen').nth(4).waitFor();
};
const compareKnown = async (page: Page) => {
  await signKnown(page);
  await page.locator('.page-body button.mantine-Button-root[data-size=md]').click();
  await page.locator('.signature-result').waitFor();
};
const photos = await Promise.all(
  Array.from({ length: 44 }, async (_, person) => ({
    name: `photo-${String(person + 1).padStart(3, '0')}.jpg`,
    mimeType: 'image/jpeg',
    buffer: await sharp(Buffer.from(drawPhoto(person).svg))
      .resize(240)
      .jpeg()
      .toBuffer(),
  })),
);
const plan = (page: Page) =>
  page.setInputFiles('input[type=file] >> nth=0', [
    ...photos,
    { name: 'notes.txt', mimeType: 'text/plain', buffer: Buffer.from('no image') },
  ]);

/** The plan with a table of persons, two rows of which name none. */
const planPersons = async (page: Page) => {
  await plan(page);
  await page.locator('.plan-persons select').selectOption('file');
  const rows = [
    'file,name,external id',
    `${photos[0]?.name ?? ''},Ada Brandt,E-1042`,
    `${photos[1]?.name ?? ''},Ada Brandt,E-1042`,
    'gone.jpg,Jonas Weil,E-1043',
    `${photos[1]?.name ?? ''},Maren Holt,E-1044`,
  ];
  await page.setInputFiles('.plan-persons input[type=file]', {
    name: 'persons.csv',
    mimeType: 'text/csv',
    buffer: Buffer.from(rows.join('\r\n')),
  });
  await page.locator('.plan-person-summary summary').click();
};

/** The last but one button of the top bar, in both languages. */
const openManual = async (page: Page) => {
  await page.locator('header.top button').nth(-2).click();
  await page.frameLocator('iframe.manual').locator('h1').waitFor();
};
const handIn = (page: Page) =>
  page.setInputFiles('.package-drop input[type=file]', {
    name: 'ferry-thieves.vouchlist',
    mimeType: 'application/octet-stream',
    buffer: Buffer.from('age-encryption.org/v1'),
  });

const PICTURES: readonly Picture[] = [
  { name: 'sign-in', path: '/', behaviour: { signedIn: false } },
  { name: 'set-up', path: '/', behaviour: { signedIn: false, setupNeeded: true } },
  { name: 'validations', path: '/validations' },
  {
    name: 'palette',
    path: '/validations',
    act: async (page) => {
      await page.keyboard.press('Control+k');
      await page.getByPlaceholder('Name, number, ID').fill('haddad');
      await page.locator('.mantine-Spotlight-action', { hasText: 'Refused entry 2025' }).first().waitFor();
    },
  },
  {
    name: 'validations-preview-dark',
    path: '/validations',
    dark: true,
    act: async (page) => {
      await page.locator('.rows-row .face-thumbnail').nth(2).hover();
      await page.locator('.hover-preview').waitFor();
    },
  },
  { name: 'validations-dark', path: '/validations', dark: true },
  { name: 'validations-arabic', path: '/validations', arabic: true },
  { name: 'validations-empty', path: '/validations', behaviour: { rows: 0 } },
  { name: 'validations-failing', path: '/validations', behaviour: { answer: 503 } },
  { name: 'validation', path: '/validations/239991' },
  { name: 'validation-small-dark', path: '/validations/239991', dark: true, small: true },
  { name: 'review', path: '/review' },
  { name: 'review-overlay-wide', path: '/review', wide: true },
  { name: 'review-measured', path: '/review', act: measureLine },
  {
    name: 'review-measured-small-dark-arabic',
    path: '/review',
    dark: true,
    small: true,
    arabic: true,
    act: measureLine,
  },
  { name: 'review-pairs', path: '/review/pairs' },
  {
    name: 'review-pairs-small-dark-arabic',
    path: '/review/pairs?band=strong',
    dark: true,
    small: true,
    arabic: true,
  },
  { name: 'review-dark', path: '/review', dark: true },
  { name: 'review-empty', path: '/review', behaviour: { rows: 0 } },
  { name: 'enrol', path: '/enrol', behaviour: { rows: 0 } },
  { name: 'enrol-plan', path: '/enrol', act: plan },
  { name: 'enrol-persons', path: '/enrol', act: planPersons },
  {
    name: 'enrol-persons-small-dark-arabic',
    path: '/enrol',
    dark: true,
    small: true,
    arabic: true,
    act: planPersons,
  },
  { name: 'enrol-unfinished', path: '/enrol', unfinished: true },
  {
    name: 'enrol-done-dark',
    path: '/enrol',
    dark: true,
    act: async (page) => {
      await plan(page);
      await page.getByRole('button', { name: 'Start upload' }).click();
      await page.getByRole('heading', { name: 'Done' }).waitFor();
    },
  },
  { name: 'duplicates', path: '/duplicates' },
  { name: 'duplicates-find', path: '/duplicates/find' },
  { name: 'duplicates-group', path: '/duplicates/302' },
  {
    name: 'duplicates-group-small-dark-arabic',
    path: '/duplicates/302',
    dark: true,
    small: true,
    arabic: true,
  },
  { name: 'duplicates-empty', path: '/duplicates', behaviour: { rows: 0 } },
  { name: 'persons', path: '/persons/21' },
  { name: 'persons-arabic', path: '/persons/21', arabic: true, dark: true },
  { name: 'persons-small-dark', path: '/persons/21', dark: true, small: true },
  { name: 'search', path: '/search', behaviour: { candidates: 'group' }, act: searchGroup },
  {
    name: 'search-side-by-side',
    path: '/search',
    act: async (page) => {
      await search(page);
      await page.keyboard.press('c');
    },
  },
  {
    name: 'search-below-small-dark',
    path: '/search?oneIn=1000&below=true',
    dark: true,
    small: true,
    act: search,
  },
  {
    name: 'search-arabic',
    path: '/search',
    arabic: true,
    behaviour: { candidates: 'group' },
    act: searchGroup,
  },
  { name: 'search-history', path: '/search/history' },
  {
    name: 'search-no-match-dark',
    path: '/search',
    dark: true,
    behaviour: { candidates: 'none' },
    act: search,
  },
  { name: 'search-no-face', path: '/search', behaviour: { candidates: 'refused' }, act: search },
  {
    name: 'search-add',
    path: '/search',
    act: async (page) => {
      await search(page);
      await page.getByRole('button', { name: 'Add to blacklist' }).click();
    },
  },
  {
    name: 'search-add-refused-arabic',
    path: '/search',
    arabic: true,
    behaviour: { addition: 'refused' },
    act: async (page) => {
      await search(page);
      await page.locator('.found-report').getByRole('button').first().click();
      const dialog = page.getByRole('dialog');
      await choose(dialog.getByRole('combobox').first(), 'Document fraud');
      await dialog.getByRole('textbox').first().fill('فلان');
      await dialog.locator('button[type=submit]').click();
    },
  },
  { name: 'verify', path: '/verify?flow=7' },
  {
    name: 'verify-camera',
    path: '/verify?flow=7',
    behaviour: { frame: ['FACE_TOO_SMALL', 'TOO_DARK'] },
    act: live,
  },
  { name: 'verify-camera-good-small-dark', path: '/verify?flow=7', dark: true, small: true, act: live },
  { name: 'verify-camera-arabic', path: '/verify?flow=7', arabic: true, act: live },
  { name: 'verify-result', path: '/verify?flow=7', act: verify },
  {
    name: 'verify-clear-small-dark',
    path: '/verify?flow=7',
    dark: true,
    small: true,
    behaviour: { candidates: 'none' },
    act: verify,
  },
  {
    name: 'verify-refused-arabic',
    path: '/verify?flow=7',
    arabic: true,
    behaviour: { candidates: 'refused' },
    act: verify,
  },
  { name: 'blacklists', path: '/company/internal-biometrics' },
  { name: 'blacklist-faces', path: '/company/internal-biometrics/11' },
  { name: 'blacklist-move', path: '/company/internal-biometrics/11', act: moveFace },
  {
    name: 'blacklist-move-small-dark-arabic',
    path: '/company/internal-biometrics/11',
    dark: true,
    small: true,
    arabic: true,
    act: moveFace,
  },
  { name: 'blacklist-face', path: '/company/internal-biometrics/11?face=5002' },
  {
    name: 'alerts',
    path: '/signatures',
    act: async (page) => {
      await page.getByRole('button', { name: 'Account and settings' }).click();
      await page.getByRole('menuitem', { name: 'Alerts for blacklist hits…' }).click();
    },
  },
  { name: 'blacklist-faces-dark', path: '/company/internal-biometrics/11', dark: true },
  { name: 'exchange', path: '/exchange/imports/2' },
  { name: 'exchange-installations-dark', path: '/exchange/installations/own', dark: true },
  { name: 'exchange-empty-small', path: '/exchange', behaviour: { rows: 0 }, small: true },
  {
    name: 'exchange-new-installation-small-arabic',
    path: '/exchange/installations/new',
    arabic: true,
    small: true,
  },
  { name: 'exchange-plan', path: '/exchange/import', act: handIn },
  // The transfer package that was handed in waits at the service.
  { name: 'exchange-plan-small-dark', path: '/exchange/import', dark: true, small: true },
  { name: 'erasures', path: `/erasures/${RECEIPT}` },
  { name: 'erasures-small-dark', path: '/erasures', dark: true, small: true },
  { name: 'erasures-empty-arabic', path: '/erasures', arabic: true, behaviour: { rows: 0 } },
  { name: 'settings', path: '/settings' },
  { name: 'company', path: '/settings/company' },
  { name: 'limits', path: '/settings/limits' },
  { name: 'retention', path: '/settings/retention' },
  { name: 'backup', path: '/settings/backup' },
  { name: 'network', path: '/settings/network' },
  { name: 'limits-small-dark-arabic', path: '/settings/limits', dark: true, small: true, arabic: true },
  { name: 'system', path: '/system', behaviour: { waiting: 320 } },
  { name: 'system-services', path: '/system', behaviour: { waiting: 320, services: true } },
  {
    name: 'system-services-small-dark-arabic',
    path: '/system',
    dark: true,
    small: true,
    arabic: true,
    behaviour: { waiting: 320, services: true },
  },
  { name: 'system-failing-dark', path: '/system', dark: true, behaviour: { waiting: 320, health: 'bad' } },
  { name: 'api-access', path: '/settings/api-access/token-7' },
  { name: 'api-access-new-dark', path: '/settings/api-access/new', dark: true },
  { name: 'operators', path: '/settings/operators/1' },
  { name: 'operators-roles-arabic', path: '/settings/operators/roles', arabic: true },
  { name: 'audit', path: '/audit' },
  {
    name: 'audit-damaged-small-dark',
    path: '/audit',
    dark: true,
    small: true,
    behaviour: { whole: false },
    act: (page) => page.getByRole('button', { name: 'Verify now' }).click(),
  },
  { name: 'overview', path: '/', behaviour: { waiting: 212 } },
  { name: 'overview-empty-dark', path: '/', dark: true, behaviour: { rows: 0 } },
  { name: 'overview-small-arabic', path: '/', arabic: true, small: true, behaviour: { paused: true } },
  { name: 'uploads', path: '/enrol/uploads/6f4d7a52-1f0e-4c7c-9d9e-0a2b8f1c3d55' },
  { name: 'flows', path: '/trust-flows' },
  { name: 'flow-draft', path: '/trust-flows/8' },
  { name: 'flow-small-dark', path: '/trust-flows/7', dark: true, small: true },
  { name: 'flow-arabic', path: '/trust-flows/8', arabic: true },
  { name: 'flows-empty', path: '/trust-flows', behaviour: { rows: 0 } },
  { name: 'flows-failing', path: '/trust-flows', behaviour: { answer: 503 }, small: true },
  { name: 'compare', path: '/compare' },
  { name: 'compare-result', path: '/compare', act: comparePhotos },
  { name: 'compare-history', path: '/compare/history/2' },
  {
    name: 'compare-history-small-dark-arabic',
    path: '/compare/history',
    dark: true,
    small: true,
    arabic: true,
  },
  {
    name: 'compare-choose-small-dark-arabic',
    path: '/compare',
    dark: true,
    small: true,
    arabic: true,
    behaviour: { faces: 'several' },
    act: comparePhotos,
  },
  { name: 'signatures', path: '/signatures' },
  { name: 'signatures-compared', path: '/signatures', act: sign },
  {
    name: 'signatures-aligned-dark',
    path: '/signatures',
    dark: true,
    behaviour: { verdict: 'MATCH' },
    act: async (page) => {
      await sign(page);
      await page.getByText('Aligned overlay').click();
    },
  },
  {
    name: 'signatures-unusable-small',
    path: '/signatures',
    small: true,
    behaviour: { verdict: 'INCONCLUSIVE' },
    act: sign,
  },
  { name: 'signatures-known', path: '/signatures/known', act: signKnown },
  { name: 'signatures-known-compared', path: '/signatures/known', act: compareKnown },
  {
    name: 'signatures-known-small-dark-arabic',
    path: '/signatures/known',
    dark: true,
    small: true,
    arabic: true,
    act: compareKnown,
  },
  { name: 'signature-history', path: '/signatures/history/6' },
  { name: 'signature-history-empty-dark', path: '/signatures/history', dark: true, behaviour: { rows: 0 } },
  { name: 'pipelines', path: '/settings/pipelines', behaviour: { change: 'extracting' } },
  {
    name: 'pipelines-refused-dark',
    path: '/settings/pipelines',
    dark: true,
    behaviour: { change: 'refused' },
  },
  { name: 'pipelines-small-arabic', path: '/settings/pipelines', arabic: true, small: true },
  { name: 'calibration', path: '/settings/calibration' },
  {
    name: 'calibration-shipped-dark',
    path: '/settings/calibration',
    dark: true,
    behaviour: { calibrated: false },
  },
  { name: 'calibration-small-arabic', path: '/settings/calibration', arabic: true, small: true },
  { name: 'signature-calibration', path: '/signatures/calibration' },
  {
    name: 'signature-calibration-shipped-small-dark-arabic',
    path: '/signatures/calibration',
    dark: true,
    small: true,
    arabic: true,
    behaviour: { signaturesCalibrated: false },
  },
  { name: 'not-allowed', path: '/company/internal-biometrics', behaviour: { answer: 403 }, small: true },
  { name: 'keys', path: '/review', act: (page) => page.keyboard.press('?') },
  { name: 'manual', path: '/review', act: openManual },
  {
    name: 'manual-small-dark-arabic',
    path: '/settings/calibration',
    dark: true,
    small: true,
    arabic: true,
    act: openManual,
  },
];

const wanted = process.argv.slice(2);
const chromium = findChromium();
if (chromium === undefined)
  throw new Error('No Chromium on this machine: install one, or name it in VOUCH_CHROMIUM.');
await buildDashboard();
mkdirSync(FOLDER, { recursive: true });
const site = await startMockApiServer();
/** Waits until nothing loads, every image is drawn and no animation with an end runs. */
async function still(page: Page): Promise<void> {
  await page.locator('main h1, .center-stage').first().waitFor();
  await settled(page);
  const isStill = `document.fonts.status === 'loaded' && document.querySelector('[aria-busy="true"], .pane-loading') === null &&
    [...document.images].every((image) => image.complete || image.getBoundingClientRect().top > innerHeight) &&
    document.getAnimations().every(({ effect }) => effect.getComputedTiming().endTime === Infinity)`;
  // Twice: what arrives in one moment can ask for more in the next, such as a photo for the pane that was just measured.
  for (const _time of [1, 2]) {
    await eventually(async () => assert.equal(await page.evaluate(isStill), true));
    await page.waitForTimeout(200);
  }
}

/** Opens a screen in its state and saves its picture. */
async function take(picture: (typeof PICTURES)[number]): Promise<void> {
  site.behaviour = { ...DEFAULT_BEHAVIOUR, ...picture.behaviour };
  const { page } = await openPage(browser, site.address, {
    colorScheme: picture.dark === true ? 'dark' : 'light',
    ...(picture.small === true ? { viewport: SMALL } : {}),
    ...(picture.wide === true ? { viewport: WIDE } : {}),
  });
  if (picture.arabic === true) await page.addInitScript(ARABIC);
  if (picture.unfinished === true) await page.addInitScript(UNFINISHED);
  // The drawn site's day, so that the pictures do not change with the calendar.
  await page.clock.setSystemTime(new Date('2026-03-02T09:30:00.000Z'));
  await page.goto(picture.path);
  await still(page);
  await picture.act?.(page);
  await still(page);
  const png = await sharp(await page.screenshot())
    .png({ palette: true, colours: 160, effort: 8 })
    .toBuffer();
  await writeFile(join(FOLDER, `${picture.name}.png`), png);
  console.log(`${picture.name}: ${Math.round(png.length / 1024)} KB`);
  await page.context().close();
}

/** The pictures that could not be taken, with the reason; the others are taken all the same. */
const failed: string[] = [];
const browser = await openBrowser(chromium, ['--use-fake-device-for-media-stream']);
try {
  for (const picture of PICTURES) {
    if (wanted.length > 0 && !wanted.some((name) => picture.name.startsWith(name))) continue;
    try {
      await take(picture);
    } catch (error) {
      failed.push(`${picture.name}: ${String(error).split('\n')[0] ?? ''}`);
    }
  }
} finally {
  await browser.close();
  await site.close();
}
if (failed.length > 0) throw new Error(`Not taken:\n${failed.join('\n')}`);
