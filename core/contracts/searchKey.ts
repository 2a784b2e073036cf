/**
 * The key by which people find a name, a reference or the name of a file, and what of a text a search matched. Texts that
 * a clerk would take for one spelling have one key. The service and the dashboard fold by these functions, so SQLite and
 * PostgreSQL compare the same letters.
 */
import hanVariants from './hanVariants.json' with { type: 'json' };

/** Version of the folding. The next start makes the keys of an earlier version again. Raise it with every change of a key. */
export const FOLDING = 5;

/** Stands before and after each field of a key. No folded text contains it, so a match never spans two fields. */
const FIELD = '\n';

/**
 * A number in Ethiopic numerals, or a character with the marks, joiners and jamo that combine with it; also the half-width
 * voicing marks of kana.
 */
const CHARACTER = /[\u1369-\u137c]+|.(?:\p{Join_Control}|[\p{M}\uff9e\uff9f\u1160-\u11ff\ud7b0-\ud7fb])*/gsu;
/** Blanks, punctuation, the minus sign, invisible characters, tatweel, and the letters that serve as apostrophes or as hamza. */
const IGNORED =
  /[\p{P}\p{Z}\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}`\u00b4\u02b9-\u02bf\u02c8\u02ca\u02cb\u02d7\u02ee\u2212\u0621\u0640\u0674\ua78b\ua78c]/gu;
/**
 * Letters of a key that do not repeat. One blank stands between two syllables: an index of three letters then knows each
 * syllable and each pair. One waw stands for two and for the one that carries a hamza: داود, داوود and داؤد are one name.
 */
const ONCE: ReadonlySet<string> = new Set([' ', 'و']);
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
  // Arabic, Persian, Urdu, Pashto, Kurdish, Uyghur, Sindhi. A letter that an Arabic keyboard lacks is the one that stands for it.
  ...each('ا', 'ٱٲٳ'),
  ...each('ي', 'ىیېۍێےۑؠؽؾؿ'),
  ...each('ك', 'کڪڬػؼگګ'),
  ...each('ب', 'پ'),
  ...each('ت', 'ٹټ'),
  ...each('ج', 'چ'),
  ...each('د', 'ڈډ'),
  ...each('ز', 'ژ'),
  ...each('ف', 'ڤ'),
  ...each('ه', 'ةۃہھە'),
  ...each('و', 'ۆۇۈۋۏۅۉۊۄ'),
  ...each('ر', 'ڕڑړ'),
  ...each('ل', 'ڵ'),
  ...each('ن', 'ںڼ'),
  // Hebrew and Yiddish.
  ...each('כ', 'ך'),
  ...each('מ', 'ם'),
  ...each('נ', 'ן'),
  ...each('פ', 'ף'),
  ...each('צ', 'ץ'),
  ...each('וו', 'װ'),
  ...each('וי', 'ױ'),
  ...each('יי', 'ײ'),
  // Cyrillic beside the Russian letters: Kazakh, Kyrgyz, Tatar, Bashkir, Uzbek, Tajik, Ukrainian.
  ...each('г', 'ґғҕ'),
  ...each('к', 'қҝҡ'),
  ...each('н', 'ңҥ'),
  ...each('о', 'ө'),
  ...each('у', 'үұ'),
  ...each('а', 'ә'),
  ...each('х', 'һҳ'),
  ...each('ж', 'җ'),
  ...each('з', 'ҙ'),
  ...each('с', 'ҫ'),
  ...each('ч', 'ҷҹ'),
  // Devanagari writes a nasal before a consonant in several ways.
  ...each('ं', 'ँ'),
  // Malayalam letters without a vowel, as they were written before Unicode 5.1.
  ...{ ൺ: 'ണ്', ൻ: 'ന്', ർ: 'ര്', ൽ: 'ല്', ൾ: 'ള്', ൿ: 'ക്' },
  // Ethiopic rows that Amharic pronounces alike, and their first and fourth orders.
  ...rows(0x1200, [0x1210, 0x1280, 0x12b8]),
  ...rows(0x1230, [0x1220]),
  ...rows(0x12a0, [0x12d0]),
  ...rows(0x1338, [0x1340]),
  ...each('ሀ', 'ሃሓኃኻ'),
  ...each('አ', 'ኣዓ'),
};

/** Traditional, Japanese and regional forms of Han characters, to the key of their class, which is the simplified form. */
const HAN: ReadonlyMap<string, string> = new Map(
  hanVariants.classes.split(' ').flatMap((letters) => {
    const [key = '', ...variants] = Array.from(letters);
    return variants.map((variant) => [variant, key] as const);
  }),
);

/** The seven orders of Ethiopic rows as those of another row. */
function rows(key: number, others: readonly number[]): Record<string, string> {
  const orders = Array.from({ length: 7 }, (_none, order) => order);
  return Object.fromEntries(
    others.flatMap((other) =>
      orders.map((order) => [String.fromCodePoint(other + order), String.fromCodePoint(key + order)]),
    ),
  );
}

/**
 * The long transliterations of ICAO Doc 9303-3 beside the letters without their marks. A passport has one, a clerk types the
 * other, so the key of a name has the forms in further fields.
 */
const LONG_FORMS: readonly (readonly [letters: RegExp, long: string, pair: RegExp, short: string])[] = [
  [/ä/g, 'ae', /ae/g, 'a'],
  [/[öø]/g, 'oe', /oe/g, 'o'],
  [/ü/g, 'ue', /ue/g, 'u'],
  [/å/g, 'aa', /aa/g, 'a'],
  [/đ/g, 'dj', /dj/g, 'd'],
  [/ə/g, 'a', /ə/g, 'a'],
];

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
  const keys = fields.flatMap((field) => keysOf(field ?? '')).filter((key) => key !== '');
  return `${FIELD}${keys.map((key) => `${key}${FIELD}`).join('')}`;
}

/** The key of a text, and those of its forms with long and with short transliterations where they differ. */
function keysOf(text: string): string[] {
  const small = text.normalize('NFC').toLowerCase();
  const long = LONG_FORMS.reduce((form, [letters, pair]) => form.replace(letters, pair), small);
  const short = LONG_FORMS.reduce((form, [, , pair, letter]) => form.replace(pair, letter), small);
  const others = [long, short].filter((form) => form !== small);
  return [...new Set([text, ...others].map(foldText))];
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
  const words = searchWords(query);
  // A word of another transliteration has no place of its own.
  if (words.some((word) => !key.includes(word)) && isFound(text, query))
    return [{ from: 0, to: text.length }];
  for (const word of words)
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
  let last = '';
  for (const { 0: character, index } of text.toWellFormed().matchAll(CHARACTER)) {
    const folded = foldCharacter(character);
    const key: string = ONCE.has(last) && folded.startsWith(last) ? folded.slice(1) : folded;
    last = key.at(-1) ?? last;
    parts.push({ key, from: index, to: index + character.length });
  }
  return parts;
}

function foldCharacter(character: string): string {
  if (/^[a-z0-9]$/.test(character)) return character;
  if (/^[\u1369-\u137c]/.test(character)) return String(ethiopicNumber(character));
  const bare = withoutMarks(character.normalize('NFKD'));
  // Lower, upper, lower case: only so do ẞ, ß and ss meet, and the small sigmas, and the four letters i of Turkish.
  const small = Array.from(bare, (letter) => letter.toLowerCase().toUpperCase().toLowerCase()).join('');
  const folded = Array.from(withoutMarks(small.normalize('NFKD')), foldLetter)
    .join('')
    .replaceAll(IGNORED, '')
    .replace(/^\u094d/, '')
    .replaceAll(/[ङञणनम]\u094d/g, 'ं')
    // Only hangul is composed: its letters combine across characters.
    .replaceAll(/[\u1100-\u11ff]+/g, (jamo) => jamo.normalize('NFC'));
  return folded.replaceAll(SYLLABLE, ' $& ').replaceAll('  ', ' ');
}

function foldLetter(letter: string): string {
  if (/\p{Nd}/u.test(letter)) return String(digitOf(letter));
  // Katakana, to the hiragana of the same sound.
  if (/[\u30a1-\u30f6]/u.test(letter)) return String.fromCodePoint(letter.codePointAt(0)! - 0x60);
  return Object.hasOwn(LETTERS, letter) ? LETTERS[letter]! : (HAN.get(letter) ?? letter);
}

/** Digits of each script have ten code points in order (https://www.unicode.org/policies/stability_policy.html). */
function digitOf(digit: string): number {
  let before = 0;
  const code = digit.codePointAt(0)!;
  while (/\p{Nd}/u.test(String.fromCodePoint(code - before - 1))) before++;
  return before % 10;
}

/** Ethiopic numerals are 1 to 9, 10 to 90, 100 and 10,000: the last two multiply the number before them. */
function ethiopicNumber(numerals: string): number {
  let [whole, part] = [0, 0];
  for (const numeral of numerals) {
    const place = numeral.codePointAt(0)! - 0x1369;
    if (place < 9) part += place + 1;
    else if (place < 18) part += (place - 8) * 10;
    else if (place === 18) part = Math.max(1, part) * 100;
    else [whole, part] = [Math.max(1, whole + part) * 10_000, 0];
  }
  return whole + part;
}

/** Whether each mark is left out, by the mark. */
const DROPPED = new Map<string, boolean>();

/** Leaves out the marks whose combining class is neither 0 nor 9 (virama): a clerk types no nukta either. @param text in NFKD */
function withoutMarks(text: string): string {
  return text.replaceAll(/\p{M}/gu, (mark) => {
    const isDropped = DROPPED.get(mark) ?? (isReordered(mark) && !hasClassOf(mark, '\u094d'));
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
