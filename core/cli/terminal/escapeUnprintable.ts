/** Control characters, line and paragraph separators, and characters that change the direction of the text around them. */
const UNPRINTABLE = /[\p{Cc}\u2028\u2029\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;

/** A file name on one line of a terminal: unprintable characters are written as `\n` or `\u{202e}`. */
export function escapeUnprintable(name: string): string {
  return name.replaceAll(UNPRINTABLE, (character) =>
    character === '\n' ? '\\n' : `\\u{${character.codePointAt(0)!.toString(16)}}`,
  );
}
