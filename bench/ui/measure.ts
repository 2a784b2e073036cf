/** What is measured in the page. The scripts are text: they run in the browser, not here. */
import type { Browser, Page } from 'playwright-core';
import { openPage } from '../../test/browser/browser.ts';

export interface Frames {
  p50: number;
  p95: number;
  p99: number;
  /** Share of frames that came within one refresh of 60 Hz. */
  inTime: number;
}

/** When the first row stands in the page, milliseconds since the navigation began. */
const WATCH_FIRST_ROW = `
  const seen = new MutationObserver(() => {
    if (document.querySelector('.rows-row') === null) return;
    seen.disconnect();
    requestAnimationFrame(() => requestAnimationFrame(() => { window.firstRow = performance.now(); }));
  });
  seen.observe(document, { childList: true, subtree: true });`;

/** Scrolls by a screen's third in every frame and keeps the time between the frames. */
const SCROLL = `(async (frames) => {
  const rows = document.querySelector('.rows');
  const times = [];
  if (rows === null) return times;
  let before = await new Promise(requestAnimationFrame);
  for (let frame = 0; frame < frames; frame++) {
    rows.scrollTop += 240;
    const now = await new Promise(requestAnimationFrame);
    times.push(now - before);
    before = now;
  }
  return times;
})`;

/** From just before a filter is set to the frame after its rows are painted; also what the server took of it. */
const FILTER = `(async (act) => {
  performance.clearResourceTimings();
  const text = () => document.querySelector('.page-title .soft')?.textContent;
  const before = text();
  const from = performance.now();
  act();
  while (text() === before || document.querySelector('.rows-row') === null)
    await new Promise(requestAnimationFrame);
  await new Promise(requestAnimationFrame);
  const painted = performance.now() - from;
  const [asked] = performance.getEntriesByType('resource').filter(({ name }) => name.includes('/validations?'));
  return { painted, server: asked.responseEnd - asked.requestStart };
})`;

/** A browser of an operator, its cookie taken from a page that signed in. */
export async function signedInPage(
  browser: Browser,
  address: string,
  who: { operator: string; passphrase: string },
): Promise<Page> {
  const { page } = await openPage(browser, address);
  await page.addInitScript(WATCH_FIRST_ROW);
  await page.goto('/validations');
  await page.getByLabel('Name').fill(who.operator);
  await page.getByLabel('Passphrase').fill(who.passphrase);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.locator('.rows-row').first().waitFor();
  return page;
}

/** @returns milliseconds to the first row after a reload */
export async function timeToFirstRow(page: Page): Promise<number> {
  await page.goto('/validations');
  return page.evaluate<number>(`new Promise((resolve) => {
    const look = () => (window.firstRow === undefined ? requestAnimationFrame(look) : resolve(window.firstRow));
    look();
  })`);
}

export async function scrollFrames(page: Page, frames: number): Promise<Frames> {
  const times = await page.evaluate<number[]>(`${SCROLL}(${frames})`);
  const sorted = times.toSorted((a, b) => a - b);
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
  // A refresh is 16.67 ms; the clock of the page is coarser than that.
  const inTime = times.filter((time) => time <= 17.5).length / times.length;
  return { p50: at(0.5), p95: at(0.95), p99: at(0.99), inTime };
}

/** @param act script that sets the filter */
export async function filterTime(page: Page, act: string): Promise<{ painted: number; server: number }> {
  await page.goto('/validations');
  await page.locator('.rows-row').first().waitFor();
  await page.waitForTimeout(200);
  return page.evaluate<{ painted: number; server: number }>(`${FILTER}(() => { ${act} })`);
}

/** Bytes of the page's heap after a full collection. */
export async function heapAfterCollection(page: Page): Promise<number> {
  const session = await page.context().newCDPSession(page);
  await session.send('HeapProfiler.collectGarbage');
  await session.send('HeapProfiler.collectGarbage');
  const { usedSize } = await session.send('Runtime.getHeapUsage');
  await session.detach();
  return usedSize;
}
