/** The same keys, any words. */
export type Words<T> = { readonly [Key in keyof T]: T[Key] extends string ? string : Words<T[Key]> };

/** One sentence for every Arabic plural form: it is worded so that the number stands apart. */
export function counted<Key extends string>(key: Key, text: string) {
  const forms = ['zero', 'one', 'two', 'few', 'many', 'other'].map((form) => [`${key}_${form}`, text]);
  return Object.fromEntries(forms) as Record<`${Key}_one` | `${Key}_other`, string>;
}
