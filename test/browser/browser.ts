import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  chromium,
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  type Locator,
  type Page,
} from 'playwright-core';

/** How long a page may take for anything, on the slowest machine that runs the tests; milliseconds. */
const TIMEOUT_MS = 40_000;

/** Takes three quarters of the processor time of Chromium, but draws fewer frames while a list scrolls. */
const HEADLESS_SHELL = '/usr/bin/chromium-headless-shell';
/** The system's browser: nothing is downloaded. */
const PLACES = [
  process.env.VOUCH_CHROMIUM,
  HEADLESS_SHELL,
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
];

/**
 * @param options.complete false accepts a browser that cannot open a window; a measurement of what an operator sees must not
 * @returns undefined where there is none: the tests that need it are skipped
 * @throws in CI, where skipped browser tests would look like passed ones
 */
export function findChromium({ complete = false } = {}): string | undefined {
  const found = PLACES.find(
    (place) => place !== undefined && !(complete && place === HEADLESS_SHELL) && existsSync(place),
  );
  if (found === undefined && process.env.CI !== undefined)
    throw new Error('CI must have Chromium: install it, or name it in VOUCH_CHROMIUM.');
  return found;
}

/** Arguments of a browser that has a camera; Chromium's headless shell cannot ask the operator for the permission. */
export const CAMERA = ['--use-fake-device-for-media-stream', '--use-fake-ui-for-media-stream'];

/** @param more arguments of the browser, e.g. for a camera */
export async function openBrowser(executablePath: string, more: readonly string[] = []): Promise<Browser> {
  // No sandbox of its own as root: containers run the tests so, and the pages are ours.
  const args = [...(process.getuid?.() === 0 ? ['--no-sandbox'] : []), ...more];
  return chromium.launch({ executablePath, args });
}

export interface WatchedPage {
  page: Page;
  /** The page's errors, policy violations and requests to another origin. */
  complaints: string[];
}

/**
 * Runs in the page: what goes away by itself (the bar that says what was done) counts its seconds so many times slower.
 * A test on a busy machine may look late.
 */
const SLOW_READER = `{
  const { setInterval } = window;
  window.setInterval = (run, every, ...rest) => setInterval(run, every === 1000 ? 10 * every : every, ...rest);
}`;

/** A page of a profile of its own, with every complaint remembered. */
export async function openPage(
  browser: Browser,
  address: string,
  options: BrowserContextOptions = {},
): Promise<WatchedPage> {
  return openPageIn(await openProfile(browser, address, options), address);
}

/** The window of a test that states no other, CSS pixels. */
export const VIEWPORT = { width: 1440, height: 900 };

/** A browser profile: cookies, storage and caches that no other profile sees. */
export async function openProfile(
  browser: Browser,
  address: string,
  options: BrowserContextOptions = {},
): Promise<BrowserContext> {
  return browser.newContext({
    baseURL: address,
    viewport: VIEWPORT,
    reducedMotion: 'reduce',
    timezoneId: 'UTC',
    locale: 'en-GB',
    ...options,
  });
}

/** A page that remembers every complaint. */
export async function openPageIn(profile: BrowserContext, address: string): Promise<WatchedPage> {
  const page = await profile.newPage();
  // Also what a library tries and catches: it is a complaint in an auditor's console.
  await page.addInitScript(
    `addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) =>
       console.error('policy: ' + violatedDirective + ' ' + blockedURI))`,
  );
  await page.addInitScript(SLOW_READER);
  page.setDefaultTimeout(TIMEOUT_MS);
  return watch(page, address);
}

/** Remembers every complaint of a page from now on. */
export function watch(page: Page, address: string): WatchedPage {
  const complaints: string[] = [];
  page.on('pageerror', (error) => complaints.push(`error: ${error.message}`));
  page.on('console', (message) => {
    const text = message.text();
    // A request that the mock API server rejects on purpose is no fault of the page.
    if (message.type() === 'error' && !text.includes('Failed to load resource')) complaints.push(text);
  });
  page.on('request', (request) => {
    const url = new URL(request.url());
    if (url.protocol.startsWith('http') && url.origin !== address)
      complaints.push(`left the origin: ${url.href}`);
  });
  return { page, complaints };
}

/**
 * Asks again until the check passes: what a page shows follows what happened, it does not come with it.
 * @throws what the check failed with last, when it has not passed for as long as a page may take
 */
export async function eventually<T>(check: () => T | Promise<T>): Promise<T> {
  const end = Date.now() + TIMEOUT_MS;
  for (;;)
    try {
      return await check();
    } catch (error) {
      if (Date.now() > end) throw error;
      await sleep(20);
    }
}

/**
 * Holds back whatever the page wants to do a moment later, as a machine does that is too busy to come to it: keys then
 * arrive before it. @returns lets it happen
 */
export async function holdTimers(page: Page): Promise<() => Promise<void>> {
  await page.evaluate(HELD_TIMERS);
  return () => page.evaluate('releaseTimers()');
}

/** Runs in the page. */
const HELD_TIMERS = `{
  const { setTimeout, clearTimeout, requestAnimationFrame, cancelAnimationFrame } = window;
  const held = new Map();
  const hold = (run) => (held.set(-held.size - 1, run), -held.size);
  const drop = (id) => held.has(id) && held.set(id, () => {});
  window.setTimeout = (run, ms = 0, ...rest) => (ms < 1000 ? hold(() => run(...rest)) : setTimeout(run, ms, ...rest));
  window.requestAnimationFrame = (run) => hold(() => run(performance.now()));
  window.clearTimeout = (id) => drop(id) || clearTimeout(id);
  window.cancelAnimationFrame = (id) => drop(id) || cancelAnimationFrame(id);
  window.releaseTimers = () => {
    Object.assign(window, { setTimeout, clearTimeout, requestAnimationFrame, cancelAnimationFrame });
    for (const run of held.values()) run();
  };
}`;

/** Goes to another screen as a link does: loading the program again takes ten times the processor time. */
export async function follow(page: Page, path: string): Promise<void> {
  await page.evaluate(
    `history.pushState(null, '', ${JSON.stringify(path)}); dispatchEvent(new PopStateEvent('popstate'))`,
  );
}

/** The element with the focus, by its tag and name; `body`: no element has it. */
export async function focused(page: Page): Promise<string> {
  return page.evaluate<string>(`{
    const { activeElement: at } = document;
    const words = at?.getAttribute('aria-label') ?? at?.innerText ?? '';
    at === null || at === document.body ? 'body' : at.tagName.toLowerCase() + ' ' + words.replace(/\\s+/g, ' ').trim().slice(0, 60);
  }`);
}

/** Chooses from a list by what stands there. */
export async function choose(list: Locator, words: string | RegExp): Promise<void> {
  const value = await list.locator('option', { hasText: words }).getAttribute('value');
  await list.selectOption(value);
}

/** Waits until there are exactly so many; for none, first wait for what proves that loading is over. */
export async function hasCount(locator: Locator, count: number): Promise<void> {
  await eventually(async () => assert.equal(await locator.count(), count, String(locator)));
}
