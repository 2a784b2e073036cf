/** Which columns of PostgreSQL are sealed, by what they are bound to their row, and which rows have a code: see `cells.ts`. */
import type { Selectable } from 'kysely';
import type { Sealed } from './migrations/table.ts';
import type { Schema } from './schema.ts';

/** The columns that say where the cells of a table are: its primary key, and the company. */
export const PLACES = {
  audit_entry: ['company_id', 'sequence'],
  audit_head: ['id'],
  audit_key: ['id'],
  erasure: ['company_id', 'id'],
  row_total: ['company_id'],
  installation_settings: ['id'],
  installation_key: ['purpose'],
  network_listener: ['service'],
  mosip_connection: ['company_id'],
  mosip_answer: ['company_id', 'digest'],
  operator: ['company_id', 'name_key'],
  hmac_key: ['company_id', 'user_id'],
  image: ['company_id', 'id'],
  upload: ['company_id', 'id'],
  upload_item: ['company_id', 'id'],
  face: ['company_id', 'id'],
  template: ['company_id', 'face_id', 'pipeline_id'],
  face_thumbnail: ['company_id', 'face_id'],
  screening_match: ['company_id', 'id'],
  comparison: ['company_id', 'id'],
  examination: [
    ...(['company_id', 'id', 'first_face', 'second_face'] as const),
    ...(['comparison_id', 'first_image', 'second_image'] as const),
  ],
  case_entry: ['company_id', 'id'],
  person: ['company_id', 'id'],
  person_decision: ['company_id', 'id'],
  validation_history: ['company_id', 'id', 'trust_validation_id'],
  gallery_snapshot: ['company_id', 'pipeline_id', 'node', 'up_to_face'],
  trusted_installation: ['company_id'],
} as const satisfies { [T in keyof Schema]?: readonly (keyof Schema[T])[] };

/**
 * The columns by whose values rows are found. Equal values of such a column have equal ciphertexts, and are bound to the column
 * alone, those of images also to their company; the code of their row binds them to it.
 */
export const SEARCHED = {
  operator_session: ['hash'],
  operator_recovery_code: ['hash'],
  sign_in_attempt: ['name_hash', 'source_hash'],
  api_token: ['hash'],
  replay_nonce: ['signature'],
  image: ['sha256'],
  trusted_installation: ['signing_key'],
} as const satisfies { [T in keyof Schema]?: readonly (keyof Schema[T])[] };

/** The columns that show a person, each value under a key of its face that an erasure destroys. */
export const OF_FACES: ReadonlySet<string> = new Set([
  'face.reason',
  'template.vector',
  'face_thumbnail.jpeg',
]);
/** The same for what belongs to no face or to several: each value has a key of its own, whose leaf comes before it in the cell. */
export const OF_CELLS = {
  image: ['key', 'original'],
  upload: ['listing'],
  upload_item: ['unfixable_note'],
  screening_match: ['reason'],
  comparison: ['content'],
  examination: ['content'],
  case_entry: ['content', 'file'],
  person: ['note'],
  person_decision: ['reason'],
  validation_history: ['note'],
  gallery_snapshot: ['content'],
} as const satisfies { [T in PlacedTable]?: readonly SealedColumn<T>[] };

/** The columns that decide about rights and about what matches, with the key of their rows. */
export const CODED = {
  operator: [
    'id',
    'company_id',
    'name_key',
    'role',
    'active',
    'passphrase_hash',
    'passphrase_given_by',
    'passphrase_given_at',
  ],
  operator_session: ['hash', 'company_id', 'operator_id', 'opened_at', 'confirmed_at'],
  operator_recovery_code: ['company_id', 'hash', 'created_at'],
  api_token: [
    'id',
    'company_id',
    'hash',
    'scopes',
    'created_by',
    'created_at',
    'expires_at',
    'revoked_at',
    'for_one_run',
  ],
  hmac_key: [
    'id',
    'company_id',
    'user_id',
    'profile',
    'scopes',
    'created_by',
    'created_at',
    'expires_at',
    'revoked_at',
  ],
  trusted_installation: ['id', 'company_id', 'name_key', 'signing_key', 'receiving_key'],
  company: ['id', 'name', 'storage_folder', 'settings'],
  face: [
    'id',
    'company_id',
    'kind',
    'blacklist_id',
    'trust_validation_id',
    'image_id',
    'matchable',
    'superseded',
    'severity',
    'expires_at',
  ],
  installation_settings: ['id', 'installation_id', 'settings'],
  blacklist: ['id', 'company_id', 'status'],
  trust_flow_version: ['id', 'company_id', 'trust_flow_id', 'number', 'settings'],
  active_pipeline: ['company_id', 'pipeline_id'],
  company_calibration: ['company_id', 'pipeline_id', 'points'],
} as const satisfies { [T in keyof Schema]?: readonly (keyof Schema[T])[] };

/** The tables whose searched columns are searched within a company. */
export const SEARCHED_WITHIN: ReadonlySet<string> = new Set(['image'] satisfies SearchedTable[]);

export type PlacedTable = keyof typeof PLACES;
export type SearchedTable = keyof typeof SEARCHED;
export type CellTable = keyof typeof OF_CELLS;
export type CodedTable = keyof typeof CODED;
type Row<T extends keyof Schema> = Selectable<Schema[T]>;
/** The columns of a table that are sealed. */
export type SealedColumn<T extends keyof Schema> = {
  [C in keyof Row<T> & string]: [Row<T>[C]] extends [Sealed | null] ? (C extends 'code' ? never : C) : never;
}[keyof Row<T> & string];
export type Place<T extends PlacedTable> = Pick<Row<T>, (typeof PLACES)[T][number] & keyof Row<T>>;
/** The columns of a row by which {@link Cells.checked} finds that it is as it was written. */
export type CodedRow<T extends CodedTable> = Values<T> & { readonly code: Sealed | null };
export type Values<T extends CodedTable> = Pick<Row<T>, (typeof CODED)[T][number] & keyof Row<T>>;

export function hasOwnKey(table: string, column: string): boolean {
  const columns: readonly string[] = table in OF_CELLS ? OF_CELLS[table as CellTable] : [];
  return columns.includes(column);
}

export function isCoded(table: string): table is CodedTable {
  return table in CODED;
}

export function isSearched(table: string, column: string): boolean {
  const columns: readonly string[] = table in SEARCHED ? SEARCHED[table as SearchedTable] : [];
  return columns.includes(column);
}
