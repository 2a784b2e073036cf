/** Checks states of the dashboard on the mock API server; a state is reached once, and its size changes on the loaded page. */
import { test } from 'node:test';
import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Page } from 'playwright-core';
import { axeViolations, ColourCheck, goWithin, settled } from '../axe.ts';
import { CAMERA } from '../browser.ts';
import { colourOnlyStates, invisibleFocus } from '../focusAndContrastChecks.ts';
import { IN_BROWSER, openHarness, type Look } from '../harness.ts';
import { layoutProblems } from '../layoutChecks.ts';
import { DEFAULT_BEHAVIOUR, type MockBehaviour } from '../mockApiServer.ts';
import { CHOSEN_NAMES, SCREEN_STATES, type ScreenState } from '../screenStates.ts';
import { collectServerWords, untranslatedWords, unresolvedKeys } from '../translationChecks.ts';

/** Those that open beside a list. */
const BESIDE =
  /(?<!duplicates|review|examinations|case-folders)\/(\d+|new|key-2|token-7|roles|recovery-code|own|[0-9a-f-]{36})(\?|$)/;
const NOWHERE = '/no-such-page';
/** Between two states of one screen: the operator leaves it and comes back. */
const ELSEWHERE = ['/settings/limits', '/persons'];

export const SMALL = { width: 1024, height: 700 };
/** A screen of 1440 × 900 at 200 % zoom: WCAG 1.4.4 and, as far as a list of columns can, 1.4.10. */
export const ZOOMED = { width: 720, height: 450 };

const { site, openPageAt } = await openHarness(CAMERA);

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
  for (let time = 0; time < 10 && faults.length > 0; time++) {
    await sleep(500);
    faults = await layoutProblems(page);
  }
  return faults.map((fault) => `${viewport.width} × ${viewport.height}: ${fault}`);
}

/** States of one test: few enough that a slow machine checks them within the time of a test. */
const STATES = 20;

interface Language {
  name: string;
  look: Look;
  /** Each is checked on the loaded page. */
  sizes: readonly { width: number; height: number }[];
  colourFaults: (page: Page, colours: ColourCheck) => Promise<string[]>;
}

/** Tests every state under axe, in each size, and in the chosen language; in English also the focus. */
export function testStates({ name, look, sizes, colourFaults }: Language): void {
  const colours = new ColourCheck();
  for (let first = 0; first < SCREEN_STATES.length; first += STATES) {
    const states = SCREEN_STATES.slice(first, first + STATES);
    const last = first + states.length;
    test(`states ${first + 1} to ${last} can be read and understood: ${name}`, IN_BROWSER, async (t) => {
      site.duplicates.awaiting = { group: 303, by: 'operator:2' };
      const page = await openPageAt(t, NOWHERE, look);
      const heard = collectServerWords(page, CHOSEN_NAMES);
      const found: Record<string, string[]> = {};
      let before: ScreenState | undefined;
      for (const state of states) {
        await open(page, state, before);
        before = state;
        const faults = [
          ...(look.arabic === true ? await untranslatedWords(page, heard) : []),
          ...(await unresolvedKeys(page)),
          ...(await axeViolations(page, 'structure')),
          ...(await colourOnlyStates(page)),
          ...(await colourFaults(page, colours)),
        ];
        for (const size of sizes) faults.push(...(await misfits(page, size)));
        // Last: a focus opens lists.
        if (look.arabic !== true) faults.push(...(await invisibleFocus(page)));
        if (faults.length > 0) found[state.name] = faults;
      }
      assert.deepEqual(found, {});
      await page.locator(`html[dir=${look.arabic === true ? 'rtl' : 'ltr'}]`).waitFor();
    });
  }
}

/** Screens without what opens beside them; two neighbours are never of one title. */
const SCREENS = SCREEN_STATES.filter(
  ({ path, behaviour, reach }) => behaviour === undefined && reach === undefined && !BESIDE.test(path),
);

/** Tests every screen when the service has bad news, which has the least room. */
export function testBadNews(name: string, behaviour: Partial<MockBehaviour>, look: Look): void {
  const colours = new ColourCheck();
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
        ...(look.arabic === true ? await untranslatedWords(page, heard) : []),
        ...(await unresolvedKeys(page)),
      ];
      if (faults.length > 0) found[path] = faults;
    }
    assert.deepEqual(found, {});
  });
}
