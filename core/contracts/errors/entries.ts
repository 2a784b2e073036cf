/** One error of the catalogue. */
export interface ErrorEntry {
  /** The event and its remedy, in English; `{{name}}` stands for a parameter. */
  text: string;
  /** The HTTP status of an answer with this code; absent: 422 where a route answers with it. */
  status?: number;
  /** The remedy, where `text` does not state it. */
  remedy?: string;
  /** The text is part of the public interface and clients may compare it: do not reword. */
  frozen?: true;
}

type Texts = string | readonly [text: string, remedy: string];
type EntryOf<T extends Texts, S> = S &
  (T extends readonly [infer Text, infer Remedy]
    ? { readonly text: Text; readonly remedy: Remedy }
    : { readonly text: T });

/**
 * Makes entries of the catalogue that are alike but for their texts.
 * @param shared by all of them
 * @returns takes the texts by code: the text alone, or the text and its remedy
 */
export const errorsWith =
  <const S extends Omit<ErrorEntry, 'text'>>(shared: S) =>
  <const T extends Record<string, Texts>>(texts: T): { readonly [C in keyof T]: EntryOf<T[C], S> } =>
    Object.fromEntries(
      Object.entries(texts).map(([code, given]) => {
        const [text, remedy] = typeof given === 'string' ? [given] : given;
        return [code, { ...shared, text, ...(remedy !== undefined && { remedy }) }];
      }),
    ) as { readonly [C in keyof T]: EntryOf<T[C], S> };

/** Entries of a text alone, or of a text and its remedy. */
export const errors = errorsWith({});
