/**
 * `npm run screens`: pictures of the screens on the made-up core into docs/screens, both themes, full, empty and
 * failing. The people in them are drawn: nobody's face. `npm run screens -- review system` takes those that begin so.
 */
import { mkdirSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import sharp from 'sharp';
import type { Page } from 'playwright-core';
import { findChromium, openBrowser, openPage } from './browser.ts';
import { buildDashboard } from './built.ts';
import { drawPhoto } from './drawnFaces.ts';
import { GOOD_MOOD, openFixtureSite, type Mood } from './fixtureSite.ts';

const PROJECT = join(import.meta.dirname, '../..');
const FOLDER = join(PROJECT, 'docs', 'screens');
const ARABIC = `localStorage.setItem('vouch-preferences', '{"state":{"language":"ar","highContrast":false,"railCollapsed":false},"version":0}')`;
const SMALL = { width: 1024, height: 700 };

interface Picture {
  name: string;
  path: string;
  dark?: boolean;
  arabic?: boolean;
  small?: boolean;
  mood?: Partial<Mood>;
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

const PICTURES: readonly Picture[] = [
  { name: 'sign-in', path: '/', mood: { signedIn: false } },
  { name: 'set-up', path: '/', mood: { signedIn: false, setupNeeded: true } },
  { name: 'validations', path: '/validations' },
  { name: 'validations-dark', path: '/validations', dark: true },
  { name: 'validations-arabic', path: '/validations', arabic: true },
  { name: 'validations-empty', path: '/validations', mood: { rows: 0 } },
  { name: 'validations-failing', path: '/validations', mood: { answer: 503 } },
  { name: 'validation', path: '/validations/239991' },
  { name: 'validation-small-dark', path: '/validations/239991', dark: true, small: true },
  { name: 'review', path: '/review' },
  { name: 'review-dark', path: '/review', dark: true },
  { name: 'review-empty', path: '/review', mood: { rows: 0 } },
  { name: 'enrol', path: '/enrol', mood: { rows: 0 } },
  { name: 'enrol-plan', path: '/enrol', act: plan },
  {
    name: 'enrol-done-dark',
    path: '/enrol',
    dark: true,
    act: async (page) => {
      await plan(page);
      await page.getByRole('button', { name: 'Start' }).click();
      await page.getByRole('heading', { name: 'Done' }).waitFor();
    },
  },
  { name: 'search', path: '/search', act: search },
  { name: 'search-no-match-dark', path: '/search', dark: true, mood: { candidates: 'none' }, act: search },
  { name: 'blacklists', path: '/company/internal-biometrics' },
  { name: 'blacklist-faces', path: '/company/internal-biometrics/11' },
  { name: 'blacklist-faces-dark', path: '/company/internal-biometrics/11', dark: true },
  { name: 'system', path: '/system', mood: { waiting: 320 } },
  { name: 'system-failing-dark', path: '/system', dark: true, mood: { waiting: 320, health: 'bad' } },
  { name: 'api-access', path: '/api-access/token-7' },
  { name: 'api-access-new-dark', path: '/api-access/new', dark: true },
  { name: 'operators', path: '/operators/1' },
  { name: 'operators-roles-arabic', path: '/operators/roles', arabic: true },
  { name: 'audit', path: '/audit' },
  {
    name: 'audit-damaged-small-dark',
    path: '/audit',
    dark: true,
    small: true,
    mood: { whole: false },
    act: (page) => page.getByRole('button', { name: 'Verify now' }).click(),
  },
  { name: 'not-allowed', path: '/company/internal-biometrics', mood: { answer: 403 }, small: true },
  { name: 'keys', path: '/review', act: (page) => page.keyboard.press('?') },
];

const wanted = process.argv.slice(2);
const chromium = findChromium();
if (chromium === undefined)
  throw new Error('No Chromium on this machine: install one, or name it in VOUCH_CHROMIUM.');
await buildDashboard();
mkdirSync(FOLDER, { recursive: true });
const site = await openFixtureSite();
const browser = await openBrowser(chromium);
try {
  for (const picture of PICTURES) {
    if (wanted.length > 0 && !wanted.some((name) => picture.name.startsWith(name))) continue;
    site.mood = { ...GOOD_MOOD, ...picture.mood };
    const { page } = await openPage(browser, site.address, {
      colorScheme: picture.dark === true ? 'dark' : 'light',
      ...(picture.small === true ? { viewport: SMALL } : {}),
    });
    if (picture.arabic === true) await page.addInitScript(ARABIC);
    await page.goto(picture.path);
    await page.waitForTimeout(900);
    await picture.act?.(page);
    await page.waitForTimeout(700);
    const png = await sharp(await page.screenshot())
      .png({ palette: true, colours: 160, effort: 8 })
      .toBuffer();
    await writeFile(join(FOLDER, `${picture.name}.png`), png);
    console.log(`${picture.name}: ${Math.round(png.length / 1024)} KB`);
    await page.context().close();
  }
} finally {
  await browser.close();
  await site.close();
}
