/** The page in Arabic for a script that names what it looks for in English. */
import type { Locator, Page } from 'playwright-core';
import { ar } from '../../renderer/i18n/ar.ts';
import { en } from '../../renderer/i18n/en.ts';
import { screenTexts } from '../../renderer/i18n/screens.en.ts';

interface Texts {
  readonly [key: string]: string | Texts;
}

/** Every text by its key; the forms of a plural have one key together. */
function flat(texts: Texts, path = ''): [key: string, text: string][] {
  return Object.entries(texts).flatMap(([key, text]): [string, string][] => {
    const at = `${path}.${key.replace(/_(zero|one|two|few|many|other)$/, '')}`;
    return typeof text === 'string' ? [[at, text]] : flat(text, at);
  });
}

const ENGLISH = flat({ ...en, ...screenTexts });
const ARABIC = Map.groupBy(flat(ar), ([key]) => key);
const PLACE = /\{\{(\w+)\}\}/g;

const escaped = (text: string) => text.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&');
/** Around a value in a text of another direction. */
const MARK = '[\u2066-\u2069]*';
type Values = ReadonlyMap<string, string>;

/** A text with these values in its places, and anything in the others. */
function pattern(text: string, values: Values): string {
  const parts = text.split(PLACE);
  return parts
    .map((part, at) => {
      const value = at % 2 === 0 ? part : values.get(part);
      return value === undefined ? '(.*)' : at % 2 === 0 ? escaped(part) : `${MARK}${escaped(value)}${MARK}`;
    })
    .join('');
}

interface Meant {
  key: string;
  values: Values;
}

/**
 * The Arabic texts of the English ones that a script means, as patterns; none: it is no text of the dashboard.
 * @param whole not also of a part of a text
 */
function arabicOf(asked: string | RegExp, whole: boolean): string[] {
  const means = (isMeant: (text: string) => boolean): Meant[] =>
    ENGLISH.flatMap(([key, text]) => (isMeant(text) ? [{ key, values: new Map() }] : []));
  const found =
    typeof asked === 'string'
      ? [means((text) => text === asked), mostOf(asked), whole ? [] : means((text) => text.includes(asked))]
      : [means((text) => asked.test(text.replaceAll(PLACE, '1')))];
  const meant = found.find(({ length }) => length > 0) ?? [];
  const patterns = meant.flatMap(({ key, values }) =>
    (ARABIC.get(key) ?? []).map(([, text]) => pattern(text, values).replaceAll('(.*)', '.*')),
  );
  return [...new Set(patterns)];
}

/** The texts with places that make these words with the fewest letters in their places. */
function mostOf(words: string): Meant[] {
  const made = ENGLISH.flatMap(([key, text]) => {
    const literal = text.replaceAll(PLACE, '').length;
    const values = literal > 2 ? new RegExp(`^${pattern(text, new Map())}$`).exec(words) : null;
    const places = [...text.matchAll(PLACE)].map(([, place = '']) => place);
    return values === null
      ? []
      : [{ key, literal, values: new Map(places.map((place, at) => [place, values[at + 1] ?? ''])) }];
  });
  const most = Math.max(...made.map(({ literal }) => literal));
  return made.filter(({ literal }) => literal === most);
}

/** A text that a script looks for, in Arabic. @param whole the text is all that the element has */
function inArabic(asked: string | RegExp, whole: boolean): string | RegExp {
  const patterns = arabicOf(asked, whole);
  if (patterns.length === 0) return asked;
  const any = patterns.join('|');
  return new RegExp(whole ? `^(?:${any})$` : any, 'u');
}

/** One text of the dashboard. */
export function wordsInArabic(english: string): string {
  const key = ENGLISH.find(([, text]) => text === english)?.[0] ?? '';
  return ARABIC.get(key)?.[0]?.[1] ?? english;
}

/** Looks for Arabic texts where a script names the English ones. */
export function arabicPage<T extends Page | Locator>(of: T): T {
  return new Proxy(of, {
    get(target, property) {
      const value: unknown = Reflect.get(target, property, target);
      if (typeof value !== 'function') return value;
      return (...given: unknown[]) => {
        const answer: unknown = value.apply(
          target,
          given.map((each, at) => translated(property, each, given, at)),
        );
        return isLocator(answer) ? arabicPage(answer) : answer;
      };
    },
  });
}

function isLocator(value: unknown): value is Locator {
  return typeof value === 'object' && value !== null && 'getByRole' in value && 'first' in value;
}

function translated(method: string | symbol, given: unknown, all: readonly unknown[], at: number): unknown {
  const options = (typeof given === 'object' ? given : all[1]) as
    | { exact?: boolean; name?: string | RegExp; hasText?: string | RegExp }
    | undefined;
  const isText = typeof given === 'string' || given instanceof RegExp;
  if ((method === 'getByText' || method === 'getByLabel') && at === 0 && isText)
    return inArabic(given, options?.exact === true);
  if (at === 1 && options?.name !== undefined)
    return { ...options, name: inArabic(options.name, options.exact === true) };
  if (at === 1 && options?.hasText !== undefined)
    return { ...options, hasText: inArabic(options.hasText, false) };
  return given;
}
