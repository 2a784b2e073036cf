/**
 * The key by which people find a name, a reference or the name of a file, and what of a text a search matched. Texts that
 * a clerk would take for one spelling have one key. The service and the dashboard fold by these functions, so SQLite and
 * PostgreSQL compare the same letters.
 */

/** Version of the folding. The next start makes the keys of an earlier version again. Raise it with every change of a key. */
export const FOLDING = 1;

/** Stands before and after each field of a key. No folded text contains it, so a match never spans two fields. */
const FIELD = '\n';

/** A character with the marks and the jamo that combine with it; also the half-width voicing marks of kana. */
const CHARACTER = /.[\p{M}\uff9e\uff9f\u1160-\u11ff\ud7b0-\ud7fb]*/gsu;
/** Blanks, punctuation, invisible characters, tatweel, and the letters that serve as apostrophes or as hamza. */
const IGNORED =
  /[\p{P}\p{Z}\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}`\u00b4\u02b9-\u02bf\u02c8\u02ca\u02cb\u02ee\u0621\u0640\u0674\ua78b\ua78c]/gu;
/** Scripts in which one or two letters are a name. */
const SYLLABLE = /[\p{sc=Han}\p{sc=Hangul}\p{sc=Hiragana}\p{sc=Katakana}]/gu;

/**
 * Letters that no normal form of Unicode takes apart. Latin follows the transliterations of ICAO Doc 9303-3, section 6, with
 * the short forms that clerks type (ø as o, ð as d).
 */
const LETTERS: Readonly<Record<string, string>> = {
  ...each('o', 'øɵ'),
  ...each('l', 'łƚɫ'),
  ...each('d', 'đðɖɗ'),
  ...each('h', 'ħɦ'),
  ...each('t', 'ŧƭʈ'),
  ...each('n', 'ŋɲƞ'),
  ...each('b', 'ƀɓ'),
  ...each('g', 'ǥɠ'),
  ...each('k', 'ĸƙ'),
  ...each('z', 'ƶ'),
  ...each('y', 'ƴ'),
  ...each('i', 'ɨ'),
  ...each('u', 'ʉ'),
  ...each('v', 'ʋ'),
  ...each('p', 'ƥ'),
  ...each('f', 'ƒ'),
  ...each('e', 'əǝɛ'),
  ...each('th', 'þ'),
  ...each('ae', 'æ'),
  ...each('oe', 'œ'),
  // Arabic, Persian, Urdu, Pashto, Kurdish, Uyghur, Sindhi.
  ...each('ا', 'ٱٲٳ'),
  ...each('ي', 'ىیېۍێےۑؠؽؾؿ'),
  ...each('ك', 'کڪڬػؼ'),
  ...each('گ', 'ګ'),
  ...each('ه', 'ةۃہھە'),
  ...each('و', 'ۆۇۈۋۏۅۉۊۄ'),
  ...each('ر', 'ڕ'),
  ...each('ل', 'ڵ'),
  ...each('ن', 'ں'),
  // Hebrew and Yiddish.
  ...each('כ', 'ך'),
  ...each('מ', 'ם'),
  ...each('נ', 'ן'),
  ...each('פ', 'ף'),
  ...each('צ', 'ץ'),
  ...each('וו', 'װ'),
  ...each('וי', 'ױ'),
  ...each('יי', 'ײ'),
  ...each('г', 'ґ'),
};

function each(key: string, letters: string): Record<string, string> {
  return Object.fromEntries(Array.from(letters, (letter) => [letter, key]));
}

/**
 * A text as searches compare it: compatibility forms, letter case, marks, variants of letters, digits, width, blanks,
 * punctuation and invisible characters make no difference. Folding a key again changes nothing.
 */
export function foldText(text: string): string {
  return foldedParts(text)
    .map(({ key }) => key)
    .join('');
}

/** The words of a query as keys, each once. Every one of them must occur; without any, nothing is found. */
export function searchWords(query: string): string[] {
  return [...new Set(query.split(/[\p{Z}\p{Cc}]+/u).map(foldText))].filter((word) => word !== '');
}

/** The key of a record. @param fields the texts by which it is found */
export function searchKey(fields: readonly (string | null | undefined)[]): string {
  const keys = fields.map((field) => foldText(field ?? '')).filter((key) => key !== '');
  return `${FIELD}${keys.map((key) => `${key}${FIELD}`).join('')}`;
}

/** The text that the key of a record contains if one of its fields is the query as a whole; undefined for a query without words. */
export function exactWord(query: string): string | undefined {
  const key = foldText(query);
  return key === '' ? undefined : `${FIELD}${key}${FIELD}`;
}

/** Whether a text has every word of a query. */
export function isFound(text: string, query: string): boolean {
  const key = searchKey([text]);
  const words = searchWords(query);
  return words.length > 0 && words.every((word) => key.includes(word));
}

/**
 * The places of a text that the words of a query matched.
 * @returns places in UTF-16 units, from (inclusive) and to (exclusive), rising, that neither overlap nor touch
 */
export function matchedPlaces(text: string, query: string): { from: number; to: number }[] {
  const parts = foldedParts(text);
  const key = parts.map((part) => part.key).join('');
  const marked = new Set<number>();
  for (const word of searchWords(query))
    for (let at = key.indexOf(word); at >= 0; at = key.indexOf(word, at + 1))
      for (let unit = at; unit < at + word.length; unit++) marked.add(unit);
  const places: { from: number; to: number }[] = [];
  let unit = 0;
  let continues = false;
  for (const { key: own, from, to } of parts) {
    // A part without letters is marked between two letters that are.
    if (own === '') continue;
    const isMarked = Array.from({ length: own.length }, (_none, index) => unit + index).some(
      (index) => key[index] !== ' ' && marked.has(index),
    );
    unit += own.length;
    if (isMarked && continues) places.at(-1)!.to = to;
    else if (isMarked) places.push({ from, to });
    continues = isMarked;
  }
  return places;
}

/** A text or a number within JSON of any shape, such as the reference that a caller sends as metadata. */
export function textsIn(value: unknown): string[] {
  if (typeof value === 'string' || typeof value === 'number') return [String(value)];
  if (typeof value !== 'object' || value === null) return [];
  return Object.values(value).flatMap(textsIn);
}

interface Part {
  key: string;
  /** The place in the text, in UTF-16 units. */
  from: number;
  to: number;
}

/** The parts of the key, in order. A part without letters has an empty key. */
function foldedParts(text: string): Part[] {
  const parts: Part[] = [];
  let isBlank = false;
  for (const { 0: character, index } of text.toWellFormed().matchAll(CHARACTER)) {
    const folded = foldCharacter(character);
    // One blank between two syllables: an index of three letters then knows each syllable and each pair.
    const key: string = isBlank && folded.startsWith(' ') ? folded.slice(1) : folded;
    if (key !== '') isBlank = key.endsWith(' ');
    parts.push({ key, from: index, to: index + character.length });
  }
  return parts;
}

function foldCharacter(character: string): string {
  if (/^[a-z0-9]$/.test(character)) return character;
  const bare = withoutMarks(character.normalize('NFKD'));
  // Lower, upper, lower case: only so do ẞ, ß and ss meet, and the small sigmas, and the four letters i of Turkish.
  const small = Array.from(bare, (letter) => letter.toLowerCase().toUpperCase().toLowerCase()).join('');
  const folded = Array.from(withoutMarks(small.normalize('NFKD')), foldLetter)
    .join('')
    .replaceAll(IGNORED, '')
    // Only hangul is composed: its letters combine across characters.
    .replaceAll(/[\u1100-\u11ff]+/g, (jamo) => jamo.normalize('NFC'));
  return folded.replaceAll(SYLLABLE, ' $& ').replaceAll('  ', ' ');
}

function foldLetter(letter: string): string {
  if (/\p{Nd}/u.test(letter)) return String(digitOf(letter));
  // Katakana, to the hiragana of the same sound.
  if (/[\u30a1-\u30f6]/u.test(letter)) return String.fromCodePoint(letter.codePointAt(0)! - 0x60);
  return Object.hasOwn(LETTERS, letter) ? LETTERS[letter]! : letter;
}

/** Digits of each script have ten code points in order (https://www.unicode.org/policies/stability_policy.html). */
function digitOf(digit: string): number {
  let before = 0;
  const code = digit.codePointAt(0)!;
  while (/\p{Nd}/u.test(String.fromCodePoint(code - before - 1))) before++;
  return before % 10;
}

/** Whether each mark is left out, by the mark. */
const DROPPED = new Map<string, boolean>();

/** Leaves out the marks whose combining class is neither 0, nor 7 (nukta), nor 9 (virama). @param text in NFKD */
function withoutMarks(text: string): string {
  return text.replaceAll(/\p{M}/gu, (mark) => {
    const isDropped =
      DROPPED.get(mark) ?? (isReordered(mark) && !hasClassOf(mark, '\u093c') && !hasClassOf(mark, '\u094d'));
    DROPPED.set(mark, isDropped);
    return isDropped ? '' : mark;
  });
}

/** Whether the combining class is not 0: canonical order moves the mark before class 240, or after class 1. */
function isReordered(mark: string): boolean {
  return !inOrder(mark, '\u0334') || !inOrder('\u0345', mark);
}

/** Whether two marks, neither of class 0, have the same combining class: canonical order keeps them as they are. */
function hasClassOf(mark: string, other: string): boolean {
  return inOrder(mark, other) && inOrder(other, mark);
}

function inOrder(first: string, second: string): boolean {
  return `${first}${second}`.normalize('NFD') === `${first}${second}`;
}
