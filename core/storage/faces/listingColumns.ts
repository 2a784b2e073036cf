/** The listing of a face of a blacklist as columns of its row. Worker threads load this file, so it opens no database. */
import {
  LISTING_TEXT_NAMES,
  ofTexts,
  type FaceListing,
  type ListingText,
} from '../../contracts/faceListing.ts';

type SnakeCase<Name extends string> = Name extends `${infer First}${infer Rest}`
  ? `${First extends Lowercase<First> ? First : `_${Lowercase<First>}`}${SnakeCase<Rest>}`
  : Name;
type TextColumn = SnakeCase<ListingText>;
/** The typed fields of a listing as columns of a face, or of a match with it. */
export type TextColumns = Record<TextColumn, string | null>;

const columnOf = (field: ListingText) =>
  field.replace(/[A-Z]/g, (capital) => `_${capital.toLowerCase()}`) as TextColumn;
export const TEXT_COLUMNS = LISTING_TEXT_NAMES.map(columnOf);
export const LISTING_COLUMNS = ['severity', ...TEXT_COLUMNS, 'expires_at'] as const;

/** @param texts null: all are empty */
export function textColumns(texts: Record<ListingText, string | null> | null): TextColumns {
  return Object.fromEntries(
    LISTING_TEXT_NAMES.map((field) => [columnOf(field), texts?.[field] ?? null]),
  ) as TextColumns;
}

export function textsOf(row: TextColumns): Record<ListingText, string | null> {
  return ofTexts((field) => row[columnOf(field)]);
}

interface ListingColumns extends TextColumns {
  severity: FaceListing['severity'] | null;
  expires_at: number | null;
}

/** A listing as its columns; null for a face that is in no blacklist. */
export function listingColumns(listing: FaceListing | null): ListingColumns {
  return {
    severity: listing?.severity ?? null,
    ...textColumns(listing),
    expires_at: listing?.expiresAt == null ? null : Date.parse(listing.expiresAt),
  };
}

export function toListing(row: ListingColumns): FaceListing | null {
  if (row.severity === null) return null;
  const expiresAt = row.expires_at === null ? null : new Date(row.expires_at).toISOString();
  return { severity: row.severity, ...textsOf(row), expiresAt };
}
