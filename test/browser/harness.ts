/** The mock API server, one browser, and pages that must not report errors, shared by the tests of a file. */
import { after, beforeEach, type TestContext } from 'node:test';
import assert from 'node:assert/strict';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { findChromium, openBrowser, openPage } from './browser.ts';
import { buildDashboard } from './built.ts';
import { appendSnapshotOnFailure } from './failureSnapshot.ts';
import { DEFAULT_BEHAVIOUR, startMockApiServer, type MockApiServer } from './mockApiServer.ts';

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

interface Harness {
  /** In its good behaviour, and with nothing received, at the beginning of each test. */
  site: MockApiServer;
  /** A page of the site; at the end of the test it must have had nothing to complain about. */
  openPageAt: (t: TestContext, path: string, look?: Look) => Promise<Page>;
}

/** Opens the site and the browser; both end with the file's tests. */
export async function openHarness(browserArguments: readonly string[] = []): Promise<Harness> {
  await buildDashboard();
  const site = await startMockApiServer();
  const browser = CHROMIUM === undefined ? undefined : await openBrowser(CHROMIUM, browserArguments);
  beforeEach(() => {
    site.behaviour = { ...DEFAULT_BEHAVIOUR };
    site.frames = 0;
    for (const kept of [
      ...[site.decisions, site.received, site.exports, site.additions],
      ...[site.verifications, site.searches],
    ])
      kept.length = 0;
    site.fixes.clear();
  });
  after(async () => {
    await browser?.close();
    await site.close();
  });
  return {
    site,
    openPageAt: async (t, path, look = {}) => {
      assert.ok(browser);
      const { arabic = false, highContrast = false, slowestFirst = false, ...context } = look;
      const { page, complaints } = await openPage(browser, site.address, context);
      const state = { language: arabic ? 'ar' : 'en', highContrast, sidebarCollapsed: false };
      const kept = JSON.stringify(JSON.stringify({ state, version: 0 }));
      await page.addInitScript(`localStorage.setItem('vouch-preferences', ${kept})`);
      if (slowestFirst) await page.addInitScript(SLOWEST_FIRST);
      t.after(async () => {
        await appendSnapshotOnFailure(t, page, complaints);
        await page.context().close();
        assert.deepEqual(complaints, []);
      });
      await page.goto(path);
      return page;
    },
  };
}
