import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { z } from 'zod';
import type { Page } from 'playwright-core';
import { eventually, follow } from './browser.ts';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const report = z.array(z.object({ id: z.string(), nodes: z.array(z.object({ html: z.string() })) }));

const OPTIONS = {
  resultTypes: ['violations'],
  // The element itself is reported.
  selectors: false,
  // Preloading fetches style sheets and media, which no rule in use reads.
  preload: false,
};
/** A menu, a list or a tooltip belongs to the landmark of its button or field, wherever it stands in the document. */
const CONFIGURE = `axe.configure({ checks: [{ id: 'region', options: { regionMatcher: 'dialog, [role=dialog], [role=alertdialog], svg, [role=menu], [role=listbox], [role=tooltip]' } }] })`;
/** The rules that depend on the colours of a page. */
const CONTRASTS = {
  /** WCAG 1.4.3. */
  normal: ['color-contrast', 'link-in-text-block'],
  /** WCAG 1.4.6, 7:1, which includes 4.5:1. */
  high: ['color-contrast-enhanced', 'link-in-text-block'],
};
const WITHOUT_COLOURS = {
  rules: Object.fromEntries(
    Object.values(CONTRASTS)
      .flat()
      .map((rule) => [rule, { enabled: false }]),
  ),
};

/**
 * The violations that axe finds on the page in its present state; one line each.
 * @param part everything, or everything but what depends on colours
 */
export async function axeViolations(page: Page, part: 'all' | 'structure' = 'all'): Promise<string[]> {
  return run(page, 'document', { ...OPTIONS, ...(part === 'all' ? {} : WITHOUT_COLOURS) });
}

/**
 * Texts by what decides about their contrast: the colours, sizes and backgrounds of the text and of all around it. Of
 * texts that are alike in this, the first one is checked: most texts of a page are like those of the page before.
 */
const NEW_TEXTS = `(known) => {
  // FNV-1a, twice with other beginnings: 53 bits, so that few of some thousand kinds can be taken for another.
  const digest = (text) => {
    let [high, low] = [0x811c9dc5, 0x01000193];
    for (let i = 0; i < text.length; i += 1) {
      high = Math.imul(high ^ text.charCodeAt(i), 0x01000193);
      low = Math.imul(low ^ text.charCodeAt(i), 0x85ebca6b);
    }
    return (high >>> 11) * 2 ** 32 + (low >>> 0);
  };
  const styles = new Map();
  const around = (element) => {
    if (element === null) return '';
    let style = styles.get(element);
    if (style === undefined) {
      const { color, backgroundColor, backgroundImage, opacity } = getComputedStyle(element);
      const own = [color, backgroundColor, backgroundImage, opacity].join();
      const outer = around(element.parentElement);
      style = outer.endsWith('>' + own) ? outer : outer + '>' + own;
      styles.set(element, style);
    }
    return style;
  };
  const seen = new Set(known);
  const fresh = [];
  window.newTexts = [];
  for (const element of document.body.querySelectorAll('*')) {
    const said = element.matches('input, select, textarea') ||
      [...element.childNodes].some((node) => node.nodeType === 3 && node.textContent.trim() !== '');
    if (!said || element.closest('svg') !== null || !element.checkVisibility({ visibilityProperty: true })) continue;
    const { fontSize, fontWeight } = getComputedStyle(element);
    const kind = digest([element.tagName, fontSize, fontWeight, element.matches(':disabled, :disabled *'), around(element)].join());
    if (seen.has(kind)) continue;
    seen.add(kind);
    fresh.push(kind);
    window.newTexts.push(element);
  }
  return fresh;
}`;

/** Checks the colours of texts, each kind of text once over all pages. */
export class ColourCheck {
  readonly #known = { normal: new Set<number>(), high: new Set<number>() };

  /**
   * Checks the kinds of texts that no page had before.
   * @returns their number, and the violations, one line each
   */
  async violations(
    page: Page,
    contrast: keyof typeof CONTRASTS = 'normal',
  ): Promise<{ kinds: number; faults: string[] }> {
    const known = this.#known[contrast];
    const runOnly = { type: 'rule', values: CONTRASTS[contrast] };
    // Found and checked in one step: a page that draws itself anew in between would take the elements away.
    const include = `{ include: (window.fresh = (${NEW_TEXTS})(${JSON.stringify([...known])}), newTexts) }`;
    const faults = await run(page, include, { ...OPTIONS, runOnly });
    const fresh = await page.evaluate<number[]>('fresh');
    if (faults.length === 0) for (const kind of fresh) known.add(kind);
    return { kinds: fresh.length, faults };
  }
}

async function run(page: Page, context: string, options: object): Promise<string[]> {
  // Evaluated by the debugger, so the page's policy stays as it is.
  if (!(await page.evaluate<boolean>("'axe' in window"))) await page.evaluate(`${AXE};${CONFIGURE}`);
  const found = report.parse(
    await page.evaluate(
      `((context) => context.include?.length === 0 ? [] :
        axe.run(context, ${JSON.stringify(options)}).then(({ violations }) => violations))(${context})`,
    ),
  );
  return found.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 120)).join(' | ')}`);
}

/** Waits until nothing on the page is still loading. */
export async function settled(page: Page): Promise<void> {
  const loading = page.locator('.skeleton');
  while ((await loading.count()) > 0) await loading.first().waitFor({ state: 'detached' });
}

/**
 * Follows a link to another screen, and waits until it is there. Two visits
 * in a row must be of screens with different titles: a changed title shows that the screen before is gone.
 */
export async function goWithin(page: Page, path: string): Promise<void> {
  const before = await page.title();
  await follow(page, path);
  await eventually(async () => assert.notEqual(await page.title(), before, `${path} has not come`));
  await page.locator('main h1').waitFor();
  await settled(page);
  assert.equal(new URL(page.url()).pathname, path.split('?')[0]);
}
