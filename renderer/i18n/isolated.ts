/** A plain number, with separators and a percent sign: it reads the same in both directions. */
const NUMBER = /^[\d.,]+%?$/;
/** A number with a sign, a range or a unit in symbols: it is read from left to right. */
const SIGNED = /^[\d.,\s%°+\-–−×:]+$/;
const FROM_THE_RIGHT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff]/;
const ISOLATE = /^[\u2066-\u2068]/;

/**
 * Isolates a value from the direction of the text around it, so that a name, a path or a time keeps its own order. In a
 * left-to-right text only a value with right-to-left letters needs that. A list of isolated values has the direction of the
 * text, so it stays as it is.
 */
export function isolated(value: string, rightToLeft: boolean): string {
  if (ISOLATE.test(value)) return value;
  if (!(rightToLeft ? !NUMBER.test(value) : FROM_THE_RIGHT.test(value))) return value;
  return `${SIGNED.test(value) ? '\u2066' : '\u2068'}${value}\u2069`;
}
