/**
 * A name as it is compared: compatibility forms and case folded, invisible characters left out, runs of blanks as one.
 * Names that a person would read as the same are the same. Upper before lower case: only so do "Straße" and
 * "STRASSE" meet, and the two small sigmas.
 */
export function nameKey(name: string): string {
  return name
    .normalize('NFKC')
    .toUpperCase()
    .toLowerCase()
    .normalize('NFKC')
    .replaceAll(/\p{Default_Ignorable_Code_Point}/gu, '')
    .replaceAll(/[\s\p{Cc}]+/gu, ' ')
    .trim();
}
