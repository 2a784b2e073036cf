/** Opens a text, a list or an object, or separates two values. */
const STRUCTURE = /["[{,]/g;

/**
 * Whether a JSON text has more lists, objects, texts and commas than this, found without parsing it: a parsed list of
 * small values takes a hundred times the memory of its text, and the check of each value stops all other requests.
 */
export function hasMoreValues(text: string, most: number): boolean {
  let count = 0;
  for (let at = 0; ;) {
    STRUCTURE.lastIndex = at;
    const found = STRUCTURE.exec(text);
    if (found === null) return false;
    count += 1;
    if (count > most) return true;
    at = found[0] === '"' ? endOfText(text, STRUCTURE.lastIndex) : STRUCTURE.lastIndex;
  }
}

/** Where the text ends whose first character is at `from`; an image in base64 is passed over in one step. */
function endOfText(text: string, from: number): number {
  for (let quote = text.indexOf('"', from); quote >= 0; quote = text.indexOf('"', quote + 1)) {
    let slashes = 0;
    while (text[quote - 1 - slashes] === '\\') slashes += 1;
    if (slashes % 2 === 0) return quote + 1;
  }
  return text.length;
}
