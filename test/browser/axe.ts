import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { z } from 'zod';
import type { Page } from 'playwright-core';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const report = z.array(z.object({ id: z.string(), nodes: z.array(z.object({ html: z.string() })) }));

/** What axe finds wrong with the page as it is now; one line each. */
export async function axeViolations(page: Page): Promise<string[]> {
  // Evaluated by the debugger, so the page's policy stays as it is.
  await page.evaluate(AXE);
  const found = report.parse(await page.evaluate('axe.run().then(({ violations }) => violations)'));
  return found.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 120)).join(' | ')}`);
}

/** Waits until nothing on the page is still loading. */
export async function settled(page: Page): Promise<void> {
  const loading = page.locator('.skeleton');
  while ((await loading.count()) > 0) await loading.first().waitFor({ state: 'detached', timeout: 20_000 });
}
