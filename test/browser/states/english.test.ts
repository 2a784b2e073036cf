/** Every state in English, from left to right: in light, and in high contrast. */
import type { Page } from 'playwright-core';
import type { ColourCheck } from '../axe.ts';
import { testStates, ZOOMED } from './checkStates.ts';

const TABLET = { width: 768, height: 1024 };
const SCREEN = { width: 1440, height: 900 };

/**
 * The colours of a page in the light. A page with kinds of texts that no page had before is looked at in high contrast too,
 * dark and light; it is as before afterwards. The dark without high contrast is that of the Arabic pages.
 */
async function colourFaults(page: Page, colours: ColourCheck): Promise<string[]> {
  const { kinds, faults } = await colours.violations(page);
  if (kinds === 0) return [];
  await page.evaluate("document.documentElement.dataset.contrast = 'high'");
  for (const colorScheme of ['dark', 'light'] as const) {
    await page.emulateMedia({ colorScheme });
    await page.locator(`html[data-mantine-color-scheme=${colorScheme}]`).waitFor();
    const found = await colours.violations(page, 'high');
    faults.push(...found.faults.map((fault) => `high contrast, ${colorScheme}: ${fault}`));
  }
  await page.evaluate('delete document.documentElement.dataset.contrast');
  return faults;
}

testStates({
  name: 'English',
  look: { colorScheme: 'light' },
  sizes: [TABLET, ZOOMED, SCREEN],
  colourFaults,
});
