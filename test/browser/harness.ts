/** The mock API server, one browser, and pages that must not report errors, shared by the tests of a file. */
import { after, beforeEach, type TestContext } from 'node:test';
import assert from 'node:assert/strict';
import type { Browser, BrowserContextOptions, Disposable, Page } from 'playwright-core';
import {
  findChromium,
  openBrowser,
  openPageIn,
  openProfile,
  VIEWPORT,
  watch,
  type WatchedPage,
} from './browser.ts';
import { buildDashboard } from './built.ts';
import { appendSnapshotOnFailure } from './failureSnapshot.ts';
import { newCaseFolderState } from './fixtureCaseFolders.ts';
import { newExaminationState } from './fixtureExaminations.ts';
import { newDuplicateState } from './fixtureDuplicates.ts';
import { newPersonState } from './fixturePersons.ts';
import { DEFAULT_BEHAVIOUR, startMockApiServer, type MockApiServer } from './mockApiServer.ts';

const CHROMIUM = findChromium();

/** Options of a test that needs a browser; every single wait in it ends sooner, and says what was waited for. */
export const IN_BROWSER =
  CHROMIUM === undefined
    ? { skip: 'no Chromium on this machine: install one, or name it in VOUCH_CHROMIUM' }
    : { timeout: 900_000 };

/** A PNG of one pixel. */
export const PIXEL = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGNgAAAAAgABSK+kcQAAAABJRU5ErkJggg==',
  'base64',
);

export type Look = Omit<BrowserContextOptions, 'viewport'> & {
  viewport?: typeof VIEWPORT;
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

/** Has no program: a page that waits there sends no requests, and prepares there what the program is to find. */
export const RESTING_PLACE = '/api/rest';

/**
 * The pages of a browser, each in a profile of its own. A page that a test left serves the next test with the same options: its
 * process has compiled the program already, which is half the cost of opening a page.
 */
class Pages {
  readonly #browser: Browser;
  readonly #address: string;
  /** Those in no test's use, by their options. */
  readonly #free = new Map<string, WatchedPage[]>();

  constructor(browser: Browser, address: string) {
    this.#browser = browser;
    this.#address = address;
  }

  async open(options: BrowserContextOptions): Promise<WatchedPage> {
    const opened = this.#free.get(JSON.stringify(options))?.pop() ?? (await this.#openNew(options));
    const { page } = opened;
    const profile = page.context();
    if (options.permissions !== undefined) await profile.grantPermissions(options.permissions);
    const debuggerOfPage = await profile.newCDPSession(page);
    await debuggerOfPage.send('Storage.clearDataForOrigin', {
      origin: this.#address,
      storageTypes: 'cookies,local_storage,indexeddb,file_systems,service_workers,cache_storage',
    });
    await debuggerOfPage.detach();
    return opened;
  }

  async #openNew(options: BrowserContextOptions): Promise<WatchedPage> {
    return openPageIn(await openProfile(this.#browser, this.#address, options), this.#address);
  }

  /** Keeps a page for tests with the same options, without what a test may have set for it or for its profile. */
  async keep({ page }: WatchedPage, options: BrowserContextOptions): Promise<void> {
    const profile = page.context();
    if (page.isClosed()) return profile.close();
    for (const other of profile.pages()) if (other !== page) await other.close();
    await profile.unrouteAll();
    await profile.clearPermissions();
    await profile.setOffline(false);
    await page.unrouteAll({ behavior: 'ignoreErrors' });
    page.removeAllListeners();
    await page.goto(RESTING_PLACE);
    await page.evaluate('sessionStorage.clear()');
    await page.mouse.move(-1, -1);
    const key = JSON.stringify(options);
    this.#free.set(key, [...(this.#free.get(key) ?? []), watch(page, this.#address)]);
  }
}

/** A page of a test lives for seconds: to optimise its code takes more processor time, a sixth of Chromium's, than it saves. */
const UNOPTIMISED = '--js-flags=--no-maglev --no-turbofan';

interface Opened {
  site: MockApiServer;
  /** Undefined: no Chromium on this machine. */
  browser: Browser | undefined;
  pages: Pages | undefined;
}

/** The open browsers of this process by their arguments, with the number of test files that use each: several files run in one process. */
const inUse = new Map<string, { opened: Promise<Opened>; files: number }>();

async function open(browserArguments: readonly string[]): Promise<Opened> {
  await buildDashboard();
  const site = await startMockApiServer();
  const browser =
    CHROMIUM === undefined ? undefined : await openBrowser(CHROMIUM, [UNOPTIMISED, ...browserArguments]);
  return { site, browser, pages: browser && new Pages(browser, site.address) };
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
      ...[site.decisions, site.received, site.receivedHeads, site.exports, site.additions],
      ...[site.verifications, site.searches],
    ])
      kept.length = 0;
    for (const kept of [site.fixes, site.unfixable, site.decided, site.uploads]) kept.clear();
    site.examinations = newExaminationState();
    site.caseFolders = newCaseFolderState();
    site.duplicates = newDuplicateState();
    site.persons = newPersonState();
  });
  const { site, pages } = await used.opened;
  return {
    site,
    openPageAt: async (t, path, look = {}) => {
      const { arabic = false, slowestFirst = false, viewport, colorScheme, ...options } = look;
      assert.ok(pages);
      const watched = await pages.open(options);
      const { page, complaints } = watched;
      // A profile of its own for each size and theme would load and compile the program anew.
      await page.setViewportSize(viewport ?? VIEWPORT);
      await page.emulateMedia({ colorScheme: colorScheme ?? 'light' });
      // The page serves later tests too: these must not run the scripts of this one.
      const scripts: Disposable[] = [];
      const add = page.addInitScript.bind(page);
      page.addInitScript = async (...script: Parameters<typeof add>) => {
        const added = await add(...script);
        scripts.push(added);
        return added;
      };
      const state = { language: arabic ? 'ar' : 'en', highContrast: false, sidebarCollapsed: false };
      const kept = JSON.stringify(JSON.stringify({ state, version: 0 }));
      await page.addInitScript(`localStorage.setItem('vouch-preferences', ${kept})`);
      if (slowestFirst) await page.addInitScript(SLOWEST_FIRST);
      t.after(async () => {
        await appendSnapshotOnFailure(t, page, complaints);
        page.addInitScript = add;
        await Promise.all(scripts.map((script) => script.dispose()));
        await pages.keep(watched, options);
        assert.deepEqual(complaints, []);
      });
      await page.goto(path);
      return page;
    },
  };
}
