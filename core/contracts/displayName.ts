/** Endings of image files, behind at least one character. Any other ending is part of a name: "J. R. Smith". */
const EXTENSION = /(?<=.)\.(jpe?g|jpe|jfif|png|webp|avif|hei[cf]|tiff?|bmp|gif|jp2|j2[kc]|jp[xf])$/i;

/** A face's Name: the uploaded file's name without folder and extension. */
export function nameOf(fileName: string): string {
  const base = fileName.slice(Math.max(fileName.lastIndexOf('/'), fileName.lastIndexOf('\\')) + 1);
  const extension = EXTENSION.exec(base);
  return (extension === null ? base : base.slice(0, extension.index)).trim() || base;
}

/**
 * Characters that a terminal, a page or a printout would obey instead of show: control characters, marks that reorder the text
 * around them (bidirectional embeddings, overrides, isolates and direction marks), and characters of no width. The two
 * joiners U+200C and U+200D stay: Persian, Indic scripts and many symbols are spelt with them.
 */
const UNSHOWN =
  /[\p{Cc}\u061c\u200b\u200e\u200f\u2028\u2029\u202a-\u202e\u2060-\u2064\u2066-\u206f\ufeff\ufff9-\ufffb]/gu;
const BLANKS = /[\t\n\v\f\r\u2028\u2029]+/gu;

/** A name or note as it is stored and shown everywhere: one line, well-formed, without characters that are not shown. */
export function displayName(text: string): string {
  return text.toWellFormed().replace(BLANKS, ' ').replace(UNSHOWN, '').trim();
}

/** Text for a terminal: the same, but for its own line ends and tabs. Escape sequences of data cannot take effect. */
export function printable(text: string): string {
  return text.toWellFormed().replace(UNSHOWN, (mark) => (mark === '\n' || mark === '\t' ? mark : ''));
}

/**
 * A name as it is compared: compatibility forms and case folded, invisible characters left out, runs of blanks as one.
 * Names that a person would read as the same are the same. Upper before lower case: only so do "Straße" and
 * "STRASSE" meet, and the two small sigmas.
 */
export function nameKey(name: string): string {
  return name
    .normalize('NFKC')
    .toUpperCase()
    .toLowerCase()
    .normalize('NFKC')
    .replaceAll(/\p{Default_Ignorable_Code_Point}/gu, '')
    .replaceAll(/[\s\p{Cc}]+/gu, ' ')
    .trim();
}
