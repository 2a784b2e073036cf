import { sql, type RawBuilder } from 'kysely';
import { exactWord, searchWords } from '../../contracts/searchKey.ts';
import { choose } from './dialect.ts';

/** Letters that a piece of the index has. */
const PIECE = 3;
/** Enough to leave few keys to compare; each further one costs a look-up. */
const MAX_TRIGRAMS = 32;

/** The tables whose keys have an index. */
type Indexed = 'trust_validation' | 'person';

/**
 * Whether the key of a row has every word of the text. Nothing is found by a text without words.
 * @param alias the name of the table in the query
 */
export function hasWords(alias: string, text: string): RawBuilder<boolean> {
  return allWords(alias, searchWords(text));
}

/**
 * As {@link hasWords}, by the index of the table. Words of one or two letters are compared with each key that the other
 * conditions leave; a syllable of a script such as Han counts as three letters.
 * @param number also the row of this id
 */
export function isNamed(table: Indexed, text: string, number?: number): RawBuilder<boolean> {
  return byIndex(table, searchWords(text), number);
}

/** Whether a field of a row is the text as a whole, by the index of the table at any length. */
export function isExactly(table: Indexed, text: string): RawBuilder<boolean> {
  return byIndex(table, exactWords(text));
}

/** 1 for a row whose field is the text as a whole, 0 for another. */
export function exactness(table: Indexed, text: string): RawBuilder<number> {
  return sql<number>`(case when ${allWords(table, exactWords(text))} then 1 else 0 end)`;
}

/** Whether the index can find the rows of a text. */
export function isIndexed(text: string): boolean {
  return piecesOf(searchWords(text)).length > 0;
}

function exactWords(text: string): string[] {
  const word = exactWord(text);
  return word === undefined ? [] : [word];
}

function allWords(alias: string, words: readonly string[]): RawBuilder<boolean> {
  const key = sql.ref(`${alias}.search_key`);
  const each = words.map((word) =>
    choose({
      sqlite: sql<boolean>`instr(${key}, ${word}) > 0`,
      postgres: sql<boolean>`strpos(${key}, ${word}) > 0`,
    }),
  );
  return each.length === 0 ? sql<boolean>`false` : sql<boolean>`(${sql.join(each, sql` and `)})`;
}

function byIndex(table: Indexed, words: readonly string[], number?: number): RawBuilder<boolean> {
  const named = allWords(table, words);
  const pieces = piecesOf(words);
  const id = sql.ref(`${table}.id`);
  const orNumber = (found: RawBuilder<boolean>) =>
    number === undefined ? found : sql<boolean>`(${found} or ${id} = ${number})`;
  if (pieces.length === 0) return orNumber(named);
  const index = sql.table(`${table}_name`);
  const found = sql`select rowid from ${index} where ${index} match ${pieces.map((piece) => `"${piece}"`).join(' AND ')}`;
  const candidates = number === undefined ? found : sql`${found} union all select ${number}`;
  const trigrams = sql.join(pieces);
  return choose({
    sqlite: sql<boolean>`(${id} in (${candidates}) and ${orNumber(named)})`,
    postgres: orNumber(
      sql<boolean>`(search_trigrams(${sql.ref(`${table}.search_key`)}) @> array[${trigrams}]::text[] and ${named})`,
    ),
  });
}

/** The pieces of three letters of the words; the keys that have all of them are candidates. */
function piecesOf(words: readonly string[]): string[] {
  const pieces = new Set<string>();
  for (const word of words) {
    const letters = Array.from(word);
    for (let at = 0; at + PIECE <= letters.length && pieces.size < MAX_TRIGRAMS; at++)
      pieces.add(letters.slice(at, at + PIECE).join(''));
  }
  return [...pieces];
}
