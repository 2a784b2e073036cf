import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { z } from 'zod';
import type { Page } from 'playwright-core';
import { eventually } from './browser.ts';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const report = z.array(z.object({ id: z.string(), nodes: z.array(z.object({ html: z.string() })) }));

/** A contrast of 7:1 includes 4.5:1, so the weaker rule is not measured. */
const COLOURS = { type: 'rule', values: ['color-contrast-enhanced', 'link-in-text-block'] };

/**
 * The violations that axe finds on the page in its present state; one line each.
 * @param part everything, or only the colours, and those by the stricter measure (WCAG 1.4.6, 7:1)
 */
export async function axeViolations(page: Page, part: 'all' | 'colours' = 'all'): Promise<string[]> {
  // Evaluated by the debugger, so the page's policy stays as it is.
  if (!(await page.evaluate<boolean>("'axe' in window"))) await page.evaluate(AXE);
  const options = {
    resultTypes: ['violations'],
    // The element itself is reported.
    selectors: false,
    // Preloading fetches style sheets and media, which no rule in use reads.
    preload: false,
    ...(part === 'all' ? {} : { runOnly: COLOURS }),
  };
  const found = report.parse(
    await page.evaluate(`axe.run(${JSON.stringify(options)}).then(({ violations }) => violations)`),
  );
  return found.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 120)).join(' | ')}`);
}

/** Waits until nothing on the page is still loading. */
export async function settled(page: Page): Promise<void> {
  const loading = page.locator('.skeleton');
  while ((await loading.count()) > 0) await loading.first().waitFor({ state: 'detached' });
}

/**
 * Goes to another screen as a link does, without loading the program again, and waits until it is there. Two visits
 * in a row must be of screens with different titles: a changed title shows that the screen before is gone.
 */
export async function goWithin(page: Page, path: string): Promise<void> {
  const before = await page.title();
  await page.evaluate((to) => {
    history.pushState(null, '', to);
    dispatchEvent(new PopStateEvent('popstate'));
  }, path);
  await eventually(async () => assert.notEqual(await page.title(), before, `${path} has not come`));
  await page.locator('main h1').waitFor();
  await settled(page);
  assert.equal(new URL(page.url()).pathname, path);
}
