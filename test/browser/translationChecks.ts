/** Reads the texts of a page and checks that they are in the chosen language. */
import type { Page, Response } from 'playwright-core';
import { en } from '../../renderer/i18n/en.ts';
import { screenTexts } from '../../renderer/i18n/screens.en.ts';

/** Words of no language, or of all (the last two are kinds of objects as the record names them): names of the product, of formats, of what the field counts in. */
const EVERYWHERE = new Set(
  `Vouch API CLI CSV JSON JSONL PDF URL Bearer TLS JPEG PNG WebP GIF BMP AVIF HEIC TIFF RAW XL SVG MB MiB SHA HMAC OSIA ABIS MOSIP DNS IPv curl Node Python OpenAPI FMR FNMR DET Ctrl Esc ID UTC Enter Tab
   Shift Space English validation blacklist PostgreSQL Perl perl base`.split(/\s+/),
);

/** At least three words, and an end. */
const SENTENCE = /\S\s+\S+\s+\S.*[.!?]$/s;

/** Every text and every label on the page, but what is set apart as not of its language. */
const SAID = `(() => {
  const APART = '.ltr, .mono, code, kbd, pre, [lang]:not(html), svg';
  const said = new Set();
  for (const element of document.body.querySelectorAll('*')) {
    if (element.closest(APART) !== null || element.matches('script, style, noscript')) continue;
    for (const name of ['aria-label', 'title', 'placeholder', 'alt'])
      if (element.hasAttribute(name)) said.add(element.getAttribute(name));
    for (const node of element.childNodes) if (node.nodeType === 3) said.add(node.textContent);
  }
  return [...said].map((text) => text.trim()).filter((text) => text !== '');
})()`;

/**
 * Collects the words of names and notes in the service's answers, which need no translation. What ends with a full stop is a
 * sentence of the service, which is to give a code instead.
 * @param chosen names in the operator's own files, which are words from the beginning
 * @returns the words so far
 */
export function collectServerWords(
  page: Page,
  chosen: readonly string[] = [],
): () => Promise<ReadonlySet<string>> {
  const words = new Set(chosen.flatMap(wordsOf));
  const reading: Promise<unknown>[] = [];
  const read = async (response: Response) => {
    const type = response.headers()['content-type'] ?? '';
    if (!type.includes('json')) return;
    for (const text of textsIn(await response.json()))
      if (!SENTENCE.test(text)) for (const word of wordsOf(text)) words.add(word);
  };
  page.on('response', (response) => {
    // A page that went on before its answer came has none to read.
    reading.push(read(response).catch(() => undefined));
  });
  return async () => {
    await Promise.all(reading.splice(0));
    return words;
  };
}

/** Texts of a page in another script with a Latin word that is in no answer of the service. */
export async function untranslatedWords(
  page: Page,
  heard: () => Promise<ReadonlySet<string>>,
): Promise<string[]> {
  const said = await page.evaluate<string[]>(SAID);
  const known = await heard();
  return said.filter((text) =>
    wordsOf(text).some((word) => word.length > 1 && !known.has(word) && !EVERYWHERE.has(word)),
  );
}

/** Texts that are the name of a text, or still hold a place for a value. */
export async function unresolvedKeys(page: Page): Promise<string[]> {
  return (await page.evaluate<string[]>(SAID)).filter((text) => KEYS.has(text) || /\{\{|\}\}/.test(text));
}

const KEYS = new Set(keysOf({ ...en, ...screenTexts }));

function keysOf(texts: object, before = ''): string[] {
  return Object.entries(texts).flatMap(([key, value]: [string, unknown]) =>
    typeof value === 'object' && value !== null ? keysOf(value, `${before}${key}.`) : [`${before}${key}`],
  );
}

/** The texts of an answer, not the names of its parts. */
function textsIn(answer: unknown): string[] {
  if (typeof answer === 'string') return [answer];
  if (typeof answer !== 'object' || answer === null) return [];
  return Object.values(answer).flatMap(textsIn);
}

function wordsOf(text: string): string[] {
  // The name of a file, a folder or a machine is no word; what is isolated as left to right is copied as it is.
  return (
    text
      .replaceAll(/\S+[/._]\S+|\u2066[^\u2069]*\u2069/g, '')
      // A command with its options.
      .replaceAll(/\b(?:vouch|npm run)(?: -{0,2}[\w-]+)+/g, '')
      .match(/\p{Script=Latin}[\p{Script=Latin}\p{M}'’]*/gu) ?? []
  );
}
