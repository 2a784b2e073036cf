/** Every state in Arabic, from right to left, in dark; and every screen with bad news. */
import { SMALL, testBadNews, testStates, ZOOMED } from './checkStates.ts';

testStates({
  name: 'Arabic',
  look: { colorScheme: 'dark', arabic: true, viewport: SMALL },
  sizes: [ZOOMED, SMALL],
  colourFaults: async (page, colours) => (await colours.violations(page)).faults,
});

testBadNews('empty', { rows: 0, change: 'none' }, { colorScheme: 'light', viewport: ZOOMED });
testBadNews('failing', { answer: 503 }, { colorScheme: 'dark', arabic: true, viewport: ZOOMED });
testBadNews('not allowed', { answer: 403 }, { colorScheme: 'light', viewport: SMALL });
