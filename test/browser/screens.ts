/**
 * `npm run screens`: the pictures of docs/screens, which the pages show, on the mock API server. The people are drawn.
 * `--to FOLDER` takes a picture of every state into another folder; `--looks light,small-dark-arabic` in these looks instead
 * of its own. `npm run screens -- --to FOLDER review system` takes those that begin so.
 */
import assert from 'node:assert/strict';
import { existsSync, mkdirSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import sharp from 'sharp';
import type { Page } from 'playwright-core';
import { settled } from './axe.ts';
import { CAMERA, eventually, findChromium, openBrowser, openPage } from './browser.ts';
import { buildDashboard } from './built.ts';
import { DEFAULT_BEHAVIOUR, startMockApiServer } from './mockApiServer.ts';
import { BAD_STATES, pictureFile, SCREEN_STATES, type ScreenState } from './screenStates.ts';

const SHOWN = join(import.meta.dirname, '../../docs/screens');
const ARABIC = `localStorage.setItem('vouch-preferences', '{"state":{"language":"ar","highContrast":false,"sidebarCollapsed":false},"version":0}')`;
const VIEWPORTS = { small: { width: 1024, height: 700 }, wide: { width: 1920, height: 1080 } };

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { looks: { type: 'string' }, to: { type: 'string' } },
});

const chromium = findChromium();
if (chromium === undefined)
  throw new Error('No Chromium on this machine: install one, or name it in VOUCH_CHROMIUM.');
await buildDashboard();
const to = values.to ?? SHOWN;
mkdirSync(to, { recursive: true });
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
async function take(state: ScreenState, look: string): Promise<void> {
  const has = (word: string) => look.split('-').includes(word);
  site.behaviour = { ...DEFAULT_BEHAVIOUR, ...state.behaviour };
  const { page } = await openPage(browser, site.address, {
    colorScheme: has('dark') ? 'dark' : 'light',
    ...(has('small') ? { viewport: VIEWPORTS.small } : {}),
    ...(has('wide') ? { viewport: VIEWPORTS.wide } : {}),
  });
  if (has('arabic')) await page.addInitScript(ARABIC);
  // The drawn site's day, so that the pictures do not change with the calendar.
  await page.clock.setSystemTime(new Date('2026-03-02T09:30:00.000Z'));
  await page.goto(state.path);
  await still(page);
  await state.reach?.(page);
  await still(page);
  const png = await sharp(await page.screenshot())
    .png({ palette: true, colours: 160, effort: 8 })
    .toBuffer();
  const file = pictureFile(state, look);
  await writeFile(join(to, file), png);
  console.log(`${file}: ${Math.round(png.length / 1024)} KB`);
  await page.context().close();
}

/** The pictures that could not be taken, with the reason; the others are taken all the same. */
const failed: string[] = [];
const browser = await openBrowser(chromium, CAMERA);
try {
  for (const state of [...SCREEN_STATES, ...BAD_STATES])
    for (const look of values.looks?.split(',') ?? state.pictures ?? []) {
      const isWanted = positionals.some((name) => `${state.name}-${look}`.startsWith(name));
      if (positionals.length > 0 && !isWanted) continue;
      if (to === SHOWN && !existsSync(join(SHOWN, pictureFile(state, look)))) continue;
      try {
        await take(state, look);
      } catch (error) {
        failed.push(`${state.name}, ${look}: ${String(error).split('\n')[0] ?? ''}`);
      }
    }
} finally {
  await browser.close();
  await site.close();
}
if (failed.length > 0) throw new Error(`Not taken:\n${failed.join('\n')}`);
