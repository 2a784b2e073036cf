/** The fonts that a report embeds: Noto Sans, which has Latin, Greek, Cyrillic and Arabic letters. */
import { fileURLToPath } from 'node:url';

/**
 * WOFF, not WOFF2: subsets that are cut out of the latter lose the parts of composed letters.
 * In the order in which a letter is looked for.
 */
const FILES = [
  ['latin', '@fontsource/noto-sans/files/noto-sans-latin'],
  ['latin-ext', '@fontsource/noto-sans/files/noto-sans-latin-ext'],
  ['arabic', '@fontsource/noto-sans-arabic/files/noto-sans-arabic-arabic'],
  ['cyrillic', '@fontsource/noto-sans/files/noto-sans-cyrillic'],
  ['greek', '@fontsource/noto-sans/files/noto-sans-greek'],
  ['vietnamese', '@fontsource/noto-sans/files/noto-sans-vietnamese'],
] as const;
/** The font of the substitute for a letter that no embedded font has. */
export const FIRST_FONT = 'latin';
const WEIGHTS = { regular: 400, bold: 700 } as const;
export type Weight = keyof typeof WEIGHTS;

export interface FontFile {
  /** Names it in the document. */
  name: string;
  path: string;
}

/** The files of a weight, in the order in which a letter is looked for. */
export function fontFiles(weight: Weight): FontFile[] {
  return FILES.map(([name, file]) => ({
    name: `${name} ${weight}`,
    path: fileURLToPath(import.meta.resolve(`${file}-${WEIGHTS[weight]}-normal.woff`)),
  }));
}
