import { sql, type RawBuilder } from 'kysely';
import { choose, contains } from '../engine/dialect.ts';

/** Letters that a piece of the index has. */
const PIECE = 3;
/** Enough to leave few names to look at; each further one costs a look-up. */
const MAX_TRIGRAMS = 32;

/**
 * Whether the name of a Trust Validation holds the text: letters of A to Z in either case, all others as they are, as
 * SQLite's `like` has it. From three letters on, an index finds the names that may hold the text.
 * @param number also the validation of this number
 */
export function isNamed(text: string, number?: number): RawBuilder<boolean> {
  const named = contains(sql.ref('trust_validation.name'), text);
  const asked = number === undefined ? named : sql<boolean>`(${named} or trust_validation.id = ${number})`;
  const pieces = piecesOf(text);
  if (pieces === undefined) return asked;
  const found = sql`select rowid from trust_validation_name where trust_validation_name match ${pieces}`;
  const candidates = number === undefined ? found : sql`${found} union all select ${number}`;
  // PostgreSQL finds the names by an index of trigrams on the column itself.
  return choose({
    sqlite: sql<boolean>`(trust_validation.id in (${candidates}) and ${asked})`,
    postgres: asked,
  });
}

/**
 * An FTS5 query for names that hold every piece of the text; undefined when the index cannot answer. What it finds holds
 * all names that hold the text: the index folds more letters together than `like` does, and knows no order of pieces.
 */
function piecesOf(text: string): string | undefined {
  const letters = Array.from(text);
  // SQLite ends a text at its first NUL, in its own way at each place.
  if (letters.length < PIECE || text.includes('\0')) return undefined;
  const pieces = new Set<string>();
  for (let at = 0; at + PIECE <= letters.length && pieces.size < MAX_TRIGRAMS; at++)
    pieces.add(
      `"${letters
        .slice(at, at + PIECE)
        .join('')
        .replaceAll('"', '""')}"`,
    );
  return [...pieces].join(' AND ');
}
