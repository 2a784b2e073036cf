/**
 * A name as it is compared: compatibility forms and case folded, runs of blanks as one. What a person would read as the
 * same name is the same name.
 */
export function nameKey(name: string): string {
  return name.normalize('NFKC').toLowerCase().normalize('NFKC').replaceAll(/\s+/gu, ' ').trim();
}
