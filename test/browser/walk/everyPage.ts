import assert from 'node:assert/strict';
import { axeViolations, settled } from '../axe.ts';
import type { World } from './world.ts';

/** Google's measure: below this nobody notices that anything moved. */
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

/** Every screen of the rail, and what opens beside lists. */
async function everyPage({ page }: World): Promise<string[]> {
  const rail = await page
    .locator('.rail-places a')
    .evaluateAll((links) => links.map((link) => link.getAttribute('href') ?? ''));
  assert.ok(rail.length >= 6, 'the rail leads to the screens');
  return [...rail, '/pipelines', '/validations/1', '/company/internal-biometrics/1'];
}

/** Nothing moves while a page loads; axe on every page, light and from left to right. */
export async function loadEveryPage(world: World): Promise<void> {
  const { page } = world;
  for (const path of await everyPage(world)) {
    await page.goto(path);
    await page.locator('main h1').waitFor();
    await settled(page);
    const shifted = await page.evaluate<number>(SHIFTED);
    assert.ok(shifted < STILL, `${path} moves by ${shifted}`);
    assert.deepEqual(await axeViolations(page), [], path);
  }
}
