import assert from 'node:assert/strict';
import { axeViolations } from '../axe.ts';
import type { World } from './world.ts';

/** axe on every screen of the rail and on what opens beside lists, as the page looks now. */
export async function axeOnEveryPage({ page }: World, look: string): Promise<void> {
  const rail = await page
    .locator('.rail-places a')
    .evaluateAll((links) => links.map((link) => link.getAttribute('href') ?? ''));
  assert.ok(rail.length >= 6, 'the rail leads to the screens');
  for (const path of [...rail, '/validations/1', '/company/internal-biometrics/1']) {
    await page.goto(path);
    await page.locator('main h1').waitFor();
    await page.locator('.skeleton').first().waitFor({ state: 'detached', timeout: 20_000 });
    assert.deepEqual(await axeViolations(page), [], `${path} ${look}`);
  }
}
