/** The same keys as the English texts, with other texts. */
export type Translation<T> = {
  readonly [Key in keyof T]: T[Key] extends string ? string : Translation<T[Key]>;
};

/** A text for each Arabic plural form of a key. */
export function plural<Key extends string>(
  key: Key,
  forms: Record<'zero' | 'one' | 'two' | 'few' | 'many' | 'other', string>,
) {
  const texts = Object.entries(forms).map(([form, text]) => [`${key}_${form}`, text]);
  return Object.fromEntries(texts) as Record<`${Key}_one` | `${Key}_other`, string>;
}

/** One text for all Arabic plural forms of a key: the number follows the noun and a colon. */
export function samePlural<Key extends string>(key: Key, text: string) {
  return plural(key, { zero: text, one: text, two: text, few: text, many: text, other: text });
}
