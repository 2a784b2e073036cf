/** What each file of tests on the made-up core stands on: the site, one browser, and pages that may not complain. */
import { after, beforeEach, type TestContext } from 'node:test';
import assert from 'node:assert/strict';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { findChromium, openBrowser, openPage } from './browser.ts';
import { buildDashboard } from './built.ts';
import { explainFailure } from './explain.ts';
import { GOOD_MOOD, openFixtureSite, type FixtureSite } from './fixtureSite.ts';

const CHROMIUM = findChromium();

/** Options of a test that needs a browser; every single wait in it ends sooner, and says what was waited for. */
export const IN_BROWSER =
  CHROMIUM === undefined
    ? { skip: 'no Chromium on this machine: install one, or name it in VOUCH_CHROMIUM' }
    : { timeout: 280_000 };

/** A PNG of one pixel. */
export const PIXEL = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGNgAAAAAgABSK+kcQAAAABJRU5ErkJggg==',
  'base64',
);

type Look = BrowserContextOptions & {
  arabic?: boolean;
  highContrast?: boolean;
  /** Images take their time to open, each less than the one before. */
  slowestFirst?: boolean;
};

/** Runs in the page. */
const SLOWEST_FIRST = `{
  const { decode } = HTMLImageElement.prototype;
  let wait = 1600;
  HTMLImageElement.prototype.decode = async function () {
    await new Promise((done) => setTimeout(done, (wait /= 2)));
    return decode.call(this);
  };
}`;

interface MadeUpSite {
  /** In its good mood, and with nothing received, at the beginning of each test. */
  site: FixtureSite;
  /** A page of the site; at the end of the test it must have had nothing to complain about. */
  visit: (t: TestContext, path: string, look?: Look) => Promise<Page>;
}

/** Opens the site and the browser; both end with the file's tests. */
export async function openMadeUpSite(): Promise<MadeUpSite> {
  await buildDashboard();
  const site = await openFixtureSite();
  const browser = CHROMIUM === undefined ? undefined : await openBrowser(CHROMIUM);
  beforeEach(() => {
    site.mood = { ...GOOD_MOOD };
    for (const kept of [site.decisions, site.received, site.exports, site.additions]) kept.length = 0;
  });
  after(async () => {
    await browser?.close();
    await site.close();
  });
  return {
    site,
    visit: async (t, path, look = {}) => {
      assert.ok(browser);
      const { arabic = false, highContrast = false, slowestFirst = false, ...context } = look;
      const { page, complaints } = await openPage(browser, site.address, context);
      const state = { language: arabic ? 'ar' : 'en', highContrast, railCollapsed: false };
      const kept = JSON.stringify(JSON.stringify({ state, version: 0 }));
      await page.addInitScript(`localStorage.setItem('vouch-preferences', ${kept})`);
      if (slowestFirst) await page.addInitScript(SLOWEST_FIRST);
      t.after(async () => {
        await explainFailure(t, page, complaints);
        await page.context().close();
        assert.deepEqual(complaints, []);
      });
      await page.goto(path);
      return page;
    },
  };
}
