/** The measurements in the page. The scripts are text because they run in the browser, not in this process. */
import type { Browser, Page } from 'playwright-core';
import { openPage } from '../../test/browser/browser.ts';

export interface Frames {
  p50: number;
  p95: number;
  p99: number;
  /** Share of frames that came within one refresh of 60 Hz. */
  inTime: number;
}

/** Processor time of the page's main thread, milliseconds. */
export interface Work {
  script: number;
  /** Style and layout. */
  layout: number;
  /** All tasks: the two above, garbage collection, what is drawn being written down. Not drawing itself. */
  all: number;
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

/** From just before a header is clicked to the frame after its rows are painted; also what the server took of it. */
const SORT = `(async (act) => {
  performance.clearResourceTimings();
  const from = performance.now();
  act();
  const answer = () => performance.getEntriesByType('resource')
    .find(({ name, responseEnd }) => /validations\\?.*(sort|order)=/.test(name) && responseEnd > 0);
  while (answer() === undefined) await new Promise(requestAnimationFrame);
  for (let frame = 0; frame < 3; frame++) await new Promise(requestAnimationFrame);
  const { responseEnd, requestStart } = answer();
  return { painted: performance.now() - from, server: responseEnd - requestStart };
})`;

/** A browser of an operator, its cookie taken from a page that signed in. */
export async function signedInPage(
  browser: Browser,
  address: string,
  who: { operator: string; passphrase: string },
): Promise<Page> {
  const { page } = await openPage(browser, address);
  // Every column that sorts has room and is shown.
  await page.setViewportSize({ width: 1920, height: 900 });
  await page.addInitScript(WATCH_FIRST_ROW);
  await page.goto('/validations');
  await page.getByLabel('Username').fill(who.operator);
  await page.getByLabel('Passphrase').fill(who.passphrase);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.locator('.rows-row').first().waitFor();
  await page.getByRole('button', { name: 'Columns' }).click();
  await page.getByRole('menuitemcheckbox', { name: 'Finalised' }).click();
  await page.locator('.rows-sort', { hasText: 'Finalised' }).waitFor();
  await page.keyboard.press('Escape');
  await page.waitForTimeout(1_000);
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

export async function scrollFrames(page: Page, frames: number): Promise<Frames & { work: Work }> {
  const [times, work] = await workOf(page, () => page.evaluate<number[]>(`${SCROLL}(${frames})`));
  const sorted = times.toSorted((a, b) => a - b);
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
  // A refresh is 16.67 ms; the clock of the page is coarser than that.
  const inTime = times.filter((time) => time <= 17.5).length / times.length;
  const each = (value: number) => value / times.length;
  return {
    p50: at(0.5),
    p95: at(0.95),
    p99: at(0.99),
    inTime,
    work: { script: each(work.script), layout: each(work.layout), all: each(work.all) },
  };
}

/**
 * The processor time of the main thread during the action: other processes on the machine, and drawing without a
 * graphics card, which other threads do, are not in it.
 */
async function workOf<T>(page: Page, act: () => Promise<T>): Promise<[T, Work]> {
  const session = await page.context().newCDPSession(page);
  await session.send('Performance.enable', { timeDomain: 'threadTicks' });
  const read = async () => {
    const { metrics } = await session.send('Performance.getMetrics');
    const of = (name: string) => (metrics.find((metric) => metric.name === name)?.value ?? 0) * 1000;
    const layout = of('LayoutDuration') + of('RecalcStyleDuration');
    return { script: of('ScriptDuration'), layout, all: of('TaskDuration') };
  };
  const before = await read();
  const result = await act();
  const after = await read();
  await session.detach();
  return [
    result,
    {
      script: after.script - before.script,
      layout: after.layout - before.layout,
      all: after.all - before.all,
    },
  ];
}

export interface Filtered {
  painted: number;
  server: number;
  /** Of the main thread. */
  work: number;
}

/** @param act script that sets the filter, or with `sorts` clicks a header */
export async function filterTime(page: Page, act: string, sorts = false): Promise<Filtered> {
  await page.goto('/validations');
  await page.locator('.rows-row').first().waitFor();
  await page.waitForTimeout(200);
  const [times, work] = await workOf(page, () =>
    page.evaluate<Omit<Filtered, 'work'>>(`${sorts ? SORT : FILTER}(() => { ${act} })`),
  );
  return { ...times, work: work.all };
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
