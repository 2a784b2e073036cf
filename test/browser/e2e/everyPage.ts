import assert from 'node:assert/strict';
import { DECLARED } from '../../../renderer/state/navigation.ts';
import { axeViolations, goWithin } from '../axe.ts';
import { SCREEN_STATES } from '../screenStates.ts';
import type { E2eSession } from './session.ts';

/** Cumulative layout shift that Google's Web Vitals call good. */
const STILL = 0.05;
/** Runs in the page. The sum of what moved by itself since a moment of the page (Layout Instability API). */
const shiftedSince = (moment: number) => `new Promise((resolve) => {
  const observer = new PerformanceObserver((list) => {
    const moved = list.getEntries().filter(({ hadRecentInput, startTime }) => !hadRecentInput && startTime > ${moment});
    resolve(moved.reduce((sum, { value }) => sum + value, 0));
    observer.disconnect();
  });
  observer.observe({ type: 'layout-shift', buffered: true });
  setTimeout(() => resolve(0), 200);
})`;

/** Every screen but the address that leads to another one, its forms, and a record beside two lists. */
const PAGES = [...DECLARED, '/validations/1', '/company/internal-biometrics/1'].filter(
  (path) => path !== '/settings',
);
/** Each third page, then the others: some neighbours have the same title, by which a page is known to have come. */
const IN_ORDER = [0, 1, 2].flatMap((first) => PAGES.filter((_, index) => index % 3 === first));

/** `npm run test:states` runs axe on these, in every size and theme. */
const STATES = new Set(SCREEN_STATES.map(({ path }) => path));

/** Nothing moves while a page comes; axe on the pages of which no state is checked. */
export async function showEveryPage({ page }: E2eSession): Promise<void> {
  await goWithin(page, '/audit');
  for (const path of IN_ORDER) {
    const moment = await page.evaluate<number>('performance.now()');
    await goWithin(page, path);
    const shifted = await page.evaluate<number>(shiftedSince(moment));
    assert.ok(shifted < STILL, `${path} moves by ${shifted}`);
    if (!STATES.has(path)) assert.deepEqual(await axeViolations(page), [], path);
  }
}
