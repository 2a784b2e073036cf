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

/** axe on every screen of the rail and on what opens beside lists, as the page looks now; and nothing moves while it loads. */
export async function lookAtEveryPage({ page }: World, look: string): Promise<void> {
  const rail = await page
    .locator('.rail-places a')
    .evaluateAll((links) => links.map((link) => link.getAttribute('href') ?? ''));
  assert.ok(rail.length >= 6, 'the rail leads to the screens');
  for (const path of [...rail, '/pipelines', '/validations/1', '/company/internal-biometrics/1']) {
    await page.goto(path);
    await page.locator('main h1').waitFor();
    await settled(page);
    const shifted = await page.evaluate<number>(SHIFTED);
    assert.ok(shifted < STILL, `${path} ${look} moves by ${shifted}`);
    assert.deepEqual(await axeViolations(page), [], `${path} ${look}`);
  }
}
