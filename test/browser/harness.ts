/** The mock API server, one browser, and pages that must not report errors, shared by the tests of a file. */
import { after, beforeEach, type TestContext } from 'node:test';
import assert from 'node:assert/strict';
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core';
import { findChromium, openBrowser, openPageIn, openProfile, type WatchedPage } from './browser.ts';
import { buildDashboard } from './built.ts';
import { appendSnapshotOnFailure } from './failureSnapshot.ts';
import { newDuplicateState } from './fixtureDuplicates.ts';
import { newPersonState } from './fixturePersons.ts';
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

/**
 * The browser profiles of a file. A profile that a test left is emptied of everything but its caches and serves the next
 * test: the browser then neither fetches nor compiles the program again, which is a third of opening a page.
 */
class Profiles {
  readonly #browser: Browser;
  readonly #address: string;
  /** Those in no test's use, by their options. */
  readonly #free = new Map<string, BrowserContext[]>();
  readonly #optionsOf = new WeakMap<BrowserContext, string>();

  constructor(browser: Browser, address: string) {
    this.#browser = browser;
    this.#address = address;
  }

  async openPage(options: BrowserContextOptions): Promise<WatchedPage> {
    const key = JSON.stringify(options);
    const profile = this.#free.get(key)?.pop() ?? (await openProfile(this.#browser, this.#address, options));
    this.#optionsOf.set(profile, key);
    if (options.permissions !== undefined) await profile.grantPermissions(options.permissions);
    const opened = await openPageIn(profile, this.#address);
    const debuggerOfPage = await profile.newCDPSession(opened.page);
    await debuggerOfPage.send('Storage.clearDataForOrigin', {
      origin: this.#address,
      storageTypes: 'cookies,local_storage,indexeddb,file_systems,service_workers,cache_storage',
    });
    await debuggerOfPage.detach();
    return opened;
  }

  /** Closes the pages, and undoes what a test may have set for the profile. */
  async leave(profile: BrowserContext): Promise<void> {
    await Promise.all(profile.pages().map((page) => page.close()));
    await profile.unrouteAll();
    await profile.clearPermissions();
    await profile.setOffline(false);
    const key = this.#optionsOf.get(profile) ?? '';
    this.#free.set(key, [...(this.#free.get(key) ?? []), profile]);
  }
}

interface Opened {
  site: MockApiServer;
  /** Undefined: no Chromium on this machine. */
  browser: Browser | undefined;
  profiles: Profiles | undefined;
}

/** What is open in this process, by the arguments of the browser, and how many test files use it: several files run in one process. */
const inUse = new Map<string, { opened: Promise<Opened>; files: number }>();

async function open(browserArguments: readonly string[]): Promise<Opened> {
  await buildDashboard();
  const site = await startMockApiServer();
  const browser = CHROMIUM === undefined ? undefined : await openBrowser(CHROMIUM, browserArguments);
  return { site, browser, profiles: browser && new Profiles(browser, site.address) };
}

/** Opens the site and the browser unless another file has; both end with the tests of the last file that uses them. */
export async function openHarness(browserArguments: readonly string[] = []): Promise<Harness> {
  const key = JSON.stringify(browserArguments);
  const used = inUse.get(key) ?? { opened: open(browserArguments), files: 0 };
  inUse.set(key, used);
  used.files += 1;
  // Before waiting: what follows a promise of another file counts as that file's.
  after(async () => {
    used.files -= 1;
    if (used.files > 0) return;
    inUse.delete(key);
    const { site, browser } = await used.opened;
    await browser?.close();
    await site.close();
  });
  beforeEach(async () => {
    const { site } = await used.opened;
    site.behaviour = { ...DEFAULT_BEHAVIOUR };
    site.frames = 0;
    for (const kept of [
      ...[site.decisions, site.received, site.exports, site.additions],
      ...[site.verifications, site.searches],
    ])
      kept.length = 0;
    site.fixes.clear();
    site.duplicates = newDuplicateState();
    site.persons = newPersonState();
  });
  const { site, profiles } = await used.opened;
  return {
    site,
    openPageAt: async (t, path, look = {}) => {
      const { arabic = false, slowestFirst = false, ...options } = look;
      assert.ok(profiles);
      const { page, complaints } = await profiles.openPage(options);
      const state = { language: arabic ? 'ar' : 'en', highContrast: false, sidebarCollapsed: false };
      const kept = JSON.stringify(JSON.stringify({ state, version: 0 }));
      await page.addInitScript(`localStorage.setItem('vouch-preferences', ${kept})`);
      if (slowestFirst) await page.addInitScript(SLOWEST_FIRST);
      t.after(async () => {
        await appendSnapshotOnFailure(t, page, complaints);
        await profiles.leave(page.context());
        assert.deepEqual(complaints, []);
      });
      await page.goto(path);
      return page;
    },
  };
}
