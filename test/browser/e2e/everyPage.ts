import assert from 'node:assert/strict';
import { DECLARED } from '../../../renderer/state/navigation.ts';
import { axeViolations, settled } from '../axe.ts';
import type { E2eSession } from './session.ts';

/** Cumulative layout shift that Google's Web Vitals call good. */
const STILL = 0.05;
/** The sum of what moved by itself since the page was opened (Layout Instability API). */
const SHIFTED = `new Promise((resolve) => {
  const observer = new PerformanceObserver((list) => {
    resolve(list.getEntries().reduce((sum, entry) => sum + (entry.hadRecentInput ? 0 : entry.value), 0));
    observer.disconnect();
  });
  observer.observe({ type: 'layout-shift', buffered: true });
  setTimeout(() => resolve(0), 200);
})`;

/** Every screen, its forms, and a record beside two lists. */
const PAGES = [...DECLARED, '/validations/1', '/company/internal-biometrics/1'];

/** Nothing moves while a page loads; axe on every page, light and from left to right. */
export async function loadEveryPage({ page }: E2eSession): Promise<void> {
  for (const path of PAGES) {
    await page.goto(path);
    await page.locator('main h1').waitFor();
    await settled(page);
    const shifted = await page.evaluate<number>(SHIFTED);
    assert.ok(shifted < STILL, `${path} moves by ${shifted}`);
    assert.deepEqual(await axeViolations(page), [], path);
  }
}
