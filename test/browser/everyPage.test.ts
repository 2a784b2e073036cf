/**
 * Every screen and state of the mock API server in each language, theme and size: under axe, with nothing cut off, in the
 * language that was chosen; and how much a browser loads before the first. A state is reached once per language; theme and
 * size change on the loaded page.
 */
import { test } from 'node:test';
import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Page } from 'playwright-core';
import { axeViolations, ColourCheck, goWithin, settled } from './axe.ts';
import { hasCount } from './browser.ts';
import { initialBytes } from './built.ts';
import { layoutProblems } from './layoutChecks.ts';
import { IN_BROWSER, openHarness } from './harness.ts';
import { DEFAULT_BEHAVIOUR, type MockBehaviour } from './mockApiServer.ts';
import { colourOnlyStates, invisibleFocus } from './focusAndContrastChecks.ts';
import { CAMERA, SCREEN_STATES, type ScreenState } from './screenStates.ts';
import { collectServerWords, untranslatedWords, unresolvedKeys } from './translationChecks.ts';

const INITIAL_LIMIT = 350 * 1024;

const { site, openPageAt } = await openHarness(CAMERA);

test('what a browser loads before the first screen stays under 350 KB gzipped', () => {
  const bytes = initialBytes();
  assert.ok(bytes < INITIAL_LIMIT, `${bytes} bytes`);
});

/** Those that open beside a list. */
const BESIDE = /(?<!duplicates|review)\/(\d+|new|key-2|token-7|roles|recovery-code|own|[0-9a-f-]{36})(\?|$)/;
const NOWHERE = '/no-such-page';
/** Between two states of one screen: the operator leaves it and comes back. */
const ELSEWHERE = ['/settings', '/persons'];

const SMALL = { width: 1024, height: 700 };
const TABLET = { width: 768, height: 1024 };
/** A screen of 1440 × 900 at 200 % zoom: WCAG 1.4.4 and, as far as a list of columns can, 1.4.10. */
const ZOOMED = { width: 720, height: 450 };
const SCREEN = { width: 1440, height: 900 };

const LANGUAGES = {
  English: { look: { colorScheme: 'light' }, sizes: [TABLET, ZOOMED, SCREEN] },
  Arabic: { look: { colorScheme: 'dark', arabic: true, viewport: SMALL }, sizes: [ZOOMED, SMALL] },
} as const;

/** The behaviour of the mock API server in answer to an action; all other behaviour shows as soon as a screen opens. */
const OF_ACTIONS: ReadonlySet<string> = new Set<keyof MockBehaviour>([
  ...(['candidates', 'faces', 'frame', 'addition', 'verdict'] as const),
]);
/** Whether only a program that is loaded anew comes from one state to the other. */
function needsLoading(state: ScreenState, before: ScreenState | undefined): boolean {
  const answers = [state, before].flatMap((each) => Object.keys(each?.behaviour ?? {}));
  return before === undefined || before.stays === true || answers.some((answer) => !OF_ACTIONS.has(answer));
}

/** Opens a state after another one. */
async function open(page: Page, state: ScreenState, before: ScreenState | undefined): Promise<void> {
  site.behaviour = { ...DEFAULT_BEHAVIOUR, ...state.behaviour };
  if (needsLoading(state, before)) {
    await page.evaluate("localStorage.removeItem('vouch-unfinished-run')");
    await page.goto(state.path);
    await page.locator('main h1, .center-stage').first().waitFor();
  } else {
    // Closes what opened over the screen before.
    if (before?.reach !== undefined) {
      await page.keyboard.press('Escape');
      await page.mouse.move(-1, -1);
    }
    if (before?.reach !== undefined || state.reach !== undefined) {
      const elsewhere = ELSEWHERE.find((path) => ![before?.path, state.path].includes(path));
      await goWithin(page, elsewhere ?? NOWHERE);
    }
    await goWithin(page, state.path);
  }
  if (BESIDE.test(state.path)) await page.locator('.panel h2').first().waitFor();
  await settled(page);
  await state.reach?.(page);
  await settled(page);
}

/** The texts and controls that do not fit in a size. A page that is still being arranged is looked at again. */
async function misfits(page: Page, viewport: { width: number; height: number }): Promise<string[]> {
  await page.setViewportSize(viewport);
  await page.evaluate('new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))');
  let faults = await layoutProblems(page);
  for (let time = 0; time < 3 && faults.length > 0; time++) {
    await sleep(300);
    faults = await layoutProblems(page);
  }
  return faults.map((fault) => `${viewport.width} × ${viewport.height}: ${fault}`);
}

const colours = new ColourCheck();

/**
 * The colours of a page in the light. A page with kinds of texts that no page had before is looked at in high contrast too,
 * dark and light; it is as before afterwards. The dark without high contrast is that of the Arabic pages.
 */
async function colourFaults(page: Page): Promise<string[]> {
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

for (const [name, { look, sizes }] of Object.entries(LANGUAGES))
  test(`every state can be read, reached and understood: ${name}`, IN_BROWSER, async (t) => {
    site.duplicates.awaiting = { group: 303, by: 'operator:2' };
    const page = await openPageAt(t, NOWHERE, look);
    const heard = collectServerWords(page);
    const found: Record<string, string[]> = {};
    let before: ScreenState | undefined;
    for (const state of SCREEN_STATES) {
      await open(page, state, before);
      before = state;
      const faults = [
        ...('arabic' in look ? await untranslatedWords(page, heard) : []),
        ...(await unresolvedKeys(page)),
        ...(await axeViolations(page, 'structure')),
        ...(await colourOnlyStates(page)),
        ...('arabic' in look ? (await colours.violations(page)).faults : await colourFaults(page)),
      ];
      for (const size of sizes) faults.push(...(await misfits(page, size)));
      // Last: a focus opens lists.
      if (!('arabic' in look)) faults.push(...(await invisibleFocus(page)));
      if (faults.length > 0) found[state.name] = faults;
    }
    assert.deepEqual(found, {});
    await page.locator(`html[dir=${'arabic' in look ? 'rtl' : 'ltr'}]`).waitFor();
  });

test('high contrast is turned on and off in the account menu', IN_BROWSER, async (t) => {
  const page = await openPageAt(t, '/settings');
  for (const count of [1, 0]) {
    await page.getByRole('button', { name: 'Account' }).click();
    await page.getByRole('menuitem', { name: 'High contrast' }).click();
    await hasCount(page.locator('html[data-contrast=high]'), count);
  }
});

/** Screens without what opens beside them; two neighbours are never of one title. */
const SCREENS = SCREEN_STATES.filter(
  ({ path, behaviour, reach }) => behaviour === undefined && reach === undefined && !BESIDE.test(path),
);
/** Bad news, where there is least room for it. */
const BAD_NEWS = {
  empty: { behaviour: { rows: 0, change: 'none' }, look: { colorScheme: 'light', viewport: ZOOMED } },
  failing: { behaviour: { answer: 503 }, look: { colorScheme: 'dark', arabic: true, viewport: ZOOMED } },
  'not allowed': { behaviour: { answer: 403 }, look: { colorScheme: 'light', viewport: SMALL } },
} as const;

for (const [name, { behaviour, look }] of Object.entries(BAD_NEWS))
  test(`every screen can be read and says what to do next: ${name}`, IN_BROWSER, async (t) => {
    site.behaviour = { ...site.behaviour, ...behaviour };
    const page = await openPageAt(t, NOWHERE, look);
    const heard = collectServerWords(page);
    const found: Record<string, string[]> = {};
    for (const { path } of SCREENS) {
      await goWithin(page, path);
      await settled(page);
      const faults = [
        ...(await axeViolations(page, 'structure')),
        ...(await colours.violations(page)).faults,
        ...(await layoutProblems(page)),
        ...(await invisibleFocus(page)),
        ...('arabic' in look ? await untranslatedWords(page, heard) : []),
        ...(await unresolvedKeys(page)),
      ];
      if (faults.length > 0) found[path] = faults;
    }
    assert.deepEqual(found, {});
  });
