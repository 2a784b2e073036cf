/** The hand of an operator in the browser: does one step after another and counts them. */
import type { Locator, Page } from 'playwright-core';
import { arabicPage, wordsInArabic } from './arabic.ts';

/** A file that the operator chooses without it lying in a folder. */
export interface ChosenFile {
  name: string;
  mimeType: string;
  buffer: Buffer;
}

/** How long a page may take for a step, milliseconds. */
const STEP_TIMEOUT_MS = 40_000;

export interface Measured {
  steps: number;
  seconds: number;
}

/** Steps are clicks, filled fields, keys and chosen files or folders. Waiting is none. */
export class Hand {
  readonly page: Page;
  readonly #isArabic: boolean;
  #steps = 0;

  /** @param isArabic the page is in Arabic; the jobs name its texts in English all the same */
  constructor(page: Page, isArabic: boolean) {
    this.page = isArabic ? arabicPage(page) : page;
    this.#isArabic = isArabic;
  }

  async click(target: Locator): Promise<void> {
    this.#steps += 1;
    await target.click();
  }

  /** Clicks the link of this name in the sidebar. */
  async go(name: string): Promise<void> {
    await this.click(
      this.page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name, exact: true }),
    );
  }

  /** Clicks the link of this name on the screen: a tab, or a page of the settings. */
  async open(name: string): Promise<void> {
    await this.click(this.page.getByRole('main').getByRole('link', { name, exact: true }).first());
  }

  /** Clicks a button by its name. */
  async press(name: string | RegExp, within: Locator | Page = this.page): Promise<void> {
    await this.click(within.getByRole('button', { name, exact: typeof name === 'string' }).first());
  }

  async fill(field: Locator, text: string): Promise<void> {
    this.#steps += 1;
    await field.fill(text);
  }

  /** Two steps: the list is opened, and the entry is clicked. */
  async select(list: Locator, label: string): Promise<void> {
    this.#steps += 2;
    await list.selectOption({ label: this.words(label) });
  }

  async check(box: Locator): Promise<void> {
    this.#steps += 1;
    await box.check();
  }

  /** A text of the dashboard in the language of the page. */
  words(text: string): string {
    return this.#isArabic ? wordsInArabic(text) : text;
  }

  /** Presses keys, one step each. */
  async keys(...keys: readonly string[]): Promise<void> {
    for (const key of keys) {
      this.#steps += 1;
      await this.page.keyboard.press(key);
    }
  }

  /** Chooses a file, several files or a folder. */
  async choose(field: Locator, files: string | readonly string[] | ChosenFile): Promise<void> {
    this.#steps += 1;
    await field.setInputFiles(typeof files === 'string' || 'name' in files ? files : [...files]);
  }

  /** Waits until the first element of a selector has another text than before, or is gone. */
  async textChanges(selector: string, before: string): Promise<void> {
    const end = Date.now() + STEP_TIMEOUT_MS;
    while ((await this.page.locator(selector).allTextContents())[0] === before) {
      if (Date.now() > end) throw new Error(`${selector} stays ${before}.`);
      await this.page.waitForTimeout(10);
    }
  }

  /** Waits for long work in front of the screen: without a movement, it locks after ten minutes. */
  async watch(target: Locator, { timeout }: { timeout: number }): Promise<void> {
    const end = Date.now() + timeout;
    for (let at = 0; (await target.count()) === 0; at = 1 - at) {
      if (Date.now() > end) throw new Error(`${String(target)} has not appeared.`);
      await this.page.mouse.move(at, at);
      await this.page.waitForTimeout(100);
    }
  }

  /** A command of the terminal counts as one step. */
  command(): void {
    this.#steps += 1;
  }

  /** Does a job. @returns the steps that it took and the seconds from its first to its last */
  async measure(job: () => Promise<void>): Promise<Measured> {
    const steps = this.#steps;
    const start = performance.now();
    await job();
    return { steps: this.#steps - steps, seconds: (performance.now() - start) / 1000 };
  }
}
