/**
 * Encryption and authentication of what PostgreSQL stores. Every column of bytes is sealed: templates, thumbnails, image keys, secrets and their
 * digests. The server, its log, its standbys and its backups have the ciphertext alone; the key stays with the service. A cell is
 * bound to its table, column, company and row, and a row that decides about rights has a code over its values: what was changed,
 * moved or copied without the key is damaged. What shows a person is sealed under a key that an erasure destroys, of which the
 * database has nothing (`erasableKeys.ts`). The file of SQLite is encrypted as a whole, so that its cells are plain
 * and its rows have no code.
 */
import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  createSecretKey,
  hkdfSync,
  randomBytes,
  type KeyObject,
} from 'node:crypto';
import type { QueryExecutorProvider } from 'kysely';
import { UnavailableError } from '../../domain/ports/machine.ts';
import {
  CODED,
  hasOwnKey,
  isCoded,
  isSearched,
  OF_CELLS,
  OF_FACES,
  PLACES,
  SEARCHED_WITHIN,
  type CellTable,
  type CodedRow,
  type CodedTable,
  type Place,
  type PlacedTable,
  type SealedColumn,
  type SEARCHED,
  type SearchedTable,
  type Values,
} from './cellTables.ts';
import type { Sealed } from './migrations/table.ts';
import type { CompanyId, FaceId } from '../../contracts/ids.ts';
import { LEAF_BYTES, leafOfFace, leafOfNewCell, type ErasableKeys, type Leaf } from './erasableKeys.ts';

export const NONCE_BYTES = 12;
const TAG_BYTES = 16;
/** A text that was taken away; no text of a person has this character. */
const NO_TEXT = Buffer.of(0);

/** A cell or a row of the database is not as it was written. */
export class RowDamaged extends UnavailableError {
  constructor(table: string, row: object) {
    super(
      `A row of the table ${table} of the database (${nameOf(row)}) is not as Vouch wrote it, so it is not used: it was changed on the database server. Find such rows with: vouch doctor`,
    );
  }
}

interface Keys {
  cells: Buffer;
  nonces: KeyObject;
  rows: KeyObject;
}

/** Seals and opens cells, and makes and compares the codes of rows. */
export class Cells {
  readonly #keys: Keys | undefined;
  #erasable: ErasableKeys | UnavailableError | undefined;
  /** The left-out cells that were reported, each once; undefined: nobody is told. */
  #reported: { report: (damaged: RowDamaged) => void; places: Set<string> } | undefined;

  /** @param key the store key, 32 bytes; undefined: cells are plain and rows have no code */
  constructor(key?: Uint8Array) {
    if (key !== undefined && key.length !== 32) throw new RangeError('The store key must have 32 bytes.');
    const derive = (purpose: string) =>
      Buffer.from(hkdfSync('sha256', key!, new Uint8Array(), `vouch/postgres/${purpose}`, 32));
    this.#keys = key && {
      cells: derive('cells'),
      nonces: createSecretKey(derive('nonces')),
      rows: createSecretKey(derive('rows')),
    };
  }

  /** Seals and opens the cells of {@link OF_FACES} and {@link OF_CELLS} with these keys from now on, or refuses to with this error. */
  useErasable(keys: ErasableKeys | UnavailableError): void {
    this.#erasable = keys;
  }

  /** Has the damaged cells reported that {@link shown} leaves out from now on, each once. */
  useReport(report: (damaged: RowDamaged) => void): void {
    this.#reported = { report, places: new Set() };
  }

  /** The leaves of the keys of a row that {@link OF_CELLS} names; none of a damaged cell, and none in SQLite. */
  leavesOf<T extends CellTable>(
    table: T,
    row: Place<T> & { readonly [C in (typeof OF_CELLS)[T][number]]: Sealed | null },
  ): Leaf[] {
    const keys = this.#keys;
    if (keys === undefined) return [];
    const columns: readonly string[] = OF_CELLS[table];
    return Object.entries(row).flatMap(([column, cell]) => {
      if (!columns.includes(column) || !(cell instanceof Uint8Array)) return [];
      // A changed cell could name the leaf of another one.
      const isOurs = this.#opened(keys, table, column, row, cell) !== undefined;
      return isOurs ? [leafIn(cell)] : [];
    });
  }

  /** @throws {Error} the key of the place was destroyed */
  #sealed(
    keys: Keys,
    table: string,
    column: string,
    row: object,
    plain: Uint8Array,
    before?: Sealed,
  ): Buffer {
    const place = anyPlace(table, column, row);
    const isOwn = hasOwnKey(table, column);
    if (!isOwn && !OF_FACES.has(`${table}.${column}`)) return sealed(keys.cells, plain, place);
    const leaf = !isOwn ? leafOfRow(table, row) : before ? leafIn(bytesOf(before)) : leafOfNewCell();
    const key = this.#erasableKeys().of(leaf);
    if (key === undefined) throw new Error(`The key of a row of ${table} (${nameOf(row)}) was destroyed.`);
    const cell = sealed(key, plain, place);
    return isOwn ? Buffer.concat([leaf, cell]) : cell;
  }

  /** @returns undefined: the cell is damaged, or its key was destroyed */
  #opened(keys: Keys, table: string, column: string, row: object, cell: Uint8Array): Uint8Array | undefined {
    const place = anyPlace(table, column, row);
    const isOwn = hasOwnKey(table, column);
    if (!isOwn && !OF_FACES.has(`${table}.${column}`)) return opened(keys.cells, cell, place);
    if (isOwn && cell.length < LEAF_BYTES) return undefined;
    const leaf = isOwn ? leafIn(cell) : leafOfRow(table, row);
    const key = this.#erasableKeys().of(leaf);
    return key && opened(key, isOwn ? cell.subarray(LEAF_BYTES) : cell, place);
  }

  #erasableKeys(): ErasableKeys {
    if (this.#erasable === undefined) throw new Error('The file of the erasable keys was not opened.');
    if (this.#erasable instanceof UnavailableError) throw this.#erasable;
    return this.#erasable;
  }

  /** A file outside of the database, under the key of the cells. @param purpose binds its content */
  sealedFile(purpose: string, content: Uint8Array): Uint8Array {
    return sealed(this.#sealingKeys().cells, content, purpose);
  }

  /** @returns undefined: it is damaged, or was sealed with another store key */
  openedFile(purpose: string, content: Uint8Array): Uint8Array | undefined {
    return opened(this.#sealingKeys().cells, content, purpose);
  }

  #sealingKeys(): Keys {
    if (this.#keys === undefined) throw new Error('Cells of SQLite are not sealed.');
    return this.#keys;
  }

  /**
   * @param place the row of the cell: see {@link PLACES}
   * @param before the cell that it replaces, opened: of {@link OF_CELLS}, both have one key, and an erasure destroys it
   */
  seal<T extends PlacedTable>(
    table: T,
    column: SealedColumn<T>,
    place: Place<T>,
    plain: Uint8Array,
    before?: Sealed,
  ): Sealed {
    if (this.#keys === undefined) return stored(plain);
    return stored(this.#sealed(this.#keys, table, column, place, plain, before));
  }

  /** @param row the cell and its place @returns bytes of their own memory @throws {RowDamaged} see {@link opened} */
  open<T extends PlacedTable, C extends SealedColumn<T>>(
    table: T,
    column: C,
    row: Place<T> & { readonly [K in C]: Sealed },
  ): Uint8Array {
    const plain = this.opened(table, column, row);
    if (plain === undefined) throw new RowDamaged(table, row);
    return plain;
  }

  /**
   * A text. One of {@link OF_CELLS} that is taken away leaves a cell, by which an erasure finds the key of the earlier ones.
   * @param before the cell that it replaces, opened
   */
  sealText<T extends PlacedTable>(
    table: T,
    column: SealedColumn<T>,
    place: Place<T>,
    text: string | null,
    before: Sealed | null = null,
  ): Sealed | null {
    if (!text && before === null) return null;
    return this.seal(table, column, place, text ? Buffer.from(text) : NO_TEXT, before ?? undefined);
  }

  /** A text in the place of the present one, under the same key. @throws {RowDamaged} the present one is damaged */
  replaceText<T extends CellTable, C extends SealedColumn<T>>(
    table: T,
    column: C,
    row: Place<T> & { readonly [K in C]: Sealed | null },
    text: string | null,
  ): Sealed | null {
    // A changed cell could name the key of another one.
    if (row[column] !== null) this.open(table, column, row as typeof row & { readonly [K in C]: Sealed });
    return this.sealText(table, column, row, text, row[column]);
  }

  /** A text as it is shown; null: there is none, or it is left out: see {@link shown}. */
  shownText<T extends PlacedTable, C extends SealedColumn<T>>(
    table: T,
    column: C,
    row: Place<T> & { readonly [K in C]: Sealed | null },
  ): string | null {
    if (row[column] === null) return null;
    const plain = this.shown(table, column, row as typeof row & { readonly [K in C]: Sealed });
    return plain === undefined || NO_TEXT.equals(plain) ? null : Buffer.from(plain).toString();
  }

  /** As {@link opened}. A damaged cell is left out, so that what is beside it can be read; it is reported, and the diagnosis names it. */
  shown<T extends PlacedTable, C extends SealedColumn<T>>(
    table: T,
    column: C,
    row: Place<T> & { readonly [K in C]: Sealed },
  ): Uint8Array | undefined {
    const plain = this.opened(table, column, row);
    const reported = this.#reported;
    if (plain !== undefined || reported === undefined) return plain;
    const place = placeOf(table, column, row);
    if (!reported.places.has(place)) reported.report(new RowDamaged(table, row));
    reported.places.add(place);
    return undefined;
  }

  /**
   * @param row the cell and its place
   * @returns undefined: the cell is damaged. It was changed, was sealed for another place, or with another key.
   */
  opened<T extends PlacedTable, C extends SealedColumn<T>>(
    table: T,
    column: C,
    row: Place<T> & { readonly [K in C]: Sealed },
  ): Uint8Array | undefined {
    const cell = bytesOf(row[column]);
    const plain = this.#keys === undefined ? cell : this.#opened(this.#keys, table, column, row, cell);
    // A copy of the database has nothing in place of a damaged cell.
    return plain?.length === 0 ? undefined : plain;
  }

  /**
   * A cell that a query compares; see {@link SEARCHED}. The nonce is a keyed digest of the column and the value.
   * @param within the company of an image
   */
  searched<T extends SearchedTable>(
    table: T,
    column: (typeof SEARCHED)[T][number],
    plain: Uint8Array,
    within?: SearchedWithin,
  ): Sealed {
    return stored(this.#keys === undefined ? plain : this.#searched(table, column, plain, within));
  }

  #searched(table: string, column: string, plain: Uint8Array, row: object | undefined): Uint8Array {
    const place = searchedPlace(table, column, row);
    const digest = createHmac('sha256', this.#keys!.nonces).update(place).update(plain).digest();
    return sealed(this.#keys!.cells, plain, place, digest.subarray(0, NONCE_BYTES));
  }

  /** @param row with a cell of {@link SEARCHED} @returns undefined: the cell is damaged */
  foundIf<T extends SearchedTable, C extends (typeof SEARCHED)[T][number]>(
    table: T,
    column: C,
    row: { readonly [K in C]: Sealed } & Partial<SearchedWithin>,
  ): Uint8Array | undefined {
    const cell = bytesOf(row[column]);
    return this.#keys === undefined
      ? cell
      : opened(this.#keys.cells, cell, searchedPlace(table, column, row));
  }

  /** @param row with a cell of {@link SEARCHED} @throws {RowDamaged} as {@link open} */
  found<T extends SearchedTable, C extends (typeof SEARCHED)[T][number]>(
    table: T,
    column: C,
    row: { readonly [K in C]: Sealed } & Partial<SearchedWithin>,
  ): Uint8Array {
    const plain = this.foundIf(table, column, row);
    if (plain === undefined) throw new RowDamaged(table, row);
    return plain;
  }

  /**
   * A row of any table, with plain cells and without its code; a cell that is damaged becomes empty.
   * @throws {RowDamaged} its code is not as it was written, or a column that is searched is damaged
   */
  plainRow<R extends Readonly<Record<string, unknown>>>(table: string, row: R): R {
    const keys = this.#keys;
    if (keys === undefined) return row;
    if (isCoded(table) && !this.#hasCode(table, row)) throw new RowDamaged(table, row);
    return eachCell(row, (cell, column) => {
      const plain = this.#opened(keys, table, column, row, cell);
      if (plain === undefined && isSearched(table, column)) throw new RowDamaged(table, row);
      return plain ?? new Uint8Array();
    });
  }

  /** Why a row of any table is not as it was written, as the end of a sentence; undefined: it is. */
  faultOf(table: string, row: Readonly<Record<string, unknown>>): string | undefined {
    if (this.#keys === undefined) return undefined;
    if (isCoded(table) && !this.#hasCode(table, row)) return 'its row was changed';
    const keys = this.#keys;
    const damaged = Object.entries(row).find(([column, value]) => {
      if (!(value instanceof Uint8Array) || column === 'code') return false;
      return this.#opened(keys, table, column, row, value) === undefined;
    });
    return damaged && `the value of its column ${damaged[0]} was changed`;
  }

  /** The reverse of {@link plainRow}. */
  sealedRow<R extends Readonly<Record<string, unknown>>>(table: string, row: R): R {
    const keys = this.#keys;
    if (keys === undefined) return row;
    const cells = eachCell(row, (plain, column) =>
      isSearched(table, column)
        ? this.#searched(table, column, plain, row)
        : this.#sealed(keys, table, column, row, plain),
    );
    return isCoded(table) ? { ...cells, code: this.#digest(table, cells) } : cells;
  }

  /** @returns HMAC-SHA-256 over the columns of {@link CODED}; null: the store needs none */
  code<T extends CodedTable>(table: T, row: Values<T>): Sealed | null {
    return this.#keys === undefined ? null : stored(this.#digest(table, row));
  }

  /**
   * The columns that a change of a row writes, with its new code. The code follows from the row as it was read: a column that is
   * changed on the server between the reading and the writing has no part in it.
   * @param before the row as the transaction read it @throws {RowDamaged} it was changed without the key
   */
  recoded<T extends CodedTable, C extends Partial<Values<T>>>(
    table: T,
    before: CodedRow<T>,
    change: C,
  ): C & { code: Sealed | null } {
    return { ...change, code: this.code(table, { ...this.checked(table, before), ...change }) };
  }

  /** @returns the row @throws {RowDamaged} a column of {@link CODED} was changed without the key */
  checked<T extends CodedTable, R extends CodedRow<T>>(table: T, row: R): R {
    if (!this.isWritten(table, row)) throw new RowDamaged(table, row);
    return row;
  }

  /** Whether no column of {@link CODED} was changed without the key. */
  isWritten<T extends CodedTable>(table: T, row: CodedRow<T>): boolean {
    return this.#keys === undefined || this.#hasCode(table, row);
  }

  #hasCode(table: CodedTable, row: object): boolean {
    const code: unknown = 'code' in row ? row.code : undefined;
    return code instanceof Uint8Array && Buffer.compare(code, this.#digest(table, row)) === 0;
  }

  #digest(table: CodedTable, row: object): Buffer {
    const values = valuesOf(table, row, CODED[table]).map((value) =>
      value instanceof Uint8Array ? Buffer.from(value).toString('base64') : value,
    );
    return createHmac('sha256', this.#keys!.rows)
      .update(JSON.stringify([table, ...values]))
      .digest();
  }
}

const PLAIN = new Cells();

/** The cells of the opened databases, by the adapter that a database shares with its transactions. */
const SEALING = new WeakMap<object, Cells>();

/** Seals the cells of a database from now on. */
export function registerCells(db: QueryExecutorProvider, cells: Cells): void {
  SEALING.set(db.getExecutor().adapter, cells);
}

/** The cells of a database or a transaction. */
export function cellsOf(db: QueryExecutorProvider): Cells {
  return SEALING.get(db.getExecutor().adapter) ?? PLAIN;
}

/**
 * AES-256-GCM. Node 24 takes four times as long for a cipher whose key it is given as bytes and not as a key object.
 * @param place is not secret, and must be the same when the value is opened @returns nonce, ciphertext, tag
 */
export function sealed(
  key: Uint8Array,
  plain: Uint8Array,
  place: string,
  nonce: Uint8Array = randomBytes(NONCE_BYTES),
): Buffer {
  const cipher = createCipheriv('aes-256-gcm', createSecretKey(key), nonce).setAAD(Buffer.from(place));
  return Buffer.concat([nonce, cipher.update(plain), cipher.final(), cipher.getAuthTag()]);
}

/** @returns undefined: it is not as it was sealed */
export function opened(key: Uint8Array, cell: Uint8Array, place: string): Uint8Array | undefined {
  const end = cell.length - TAG_BYTES;
  if (end < NONCE_BYTES) return undefined;
  const decipher = createDecipheriv('aes-256-gcm', createSecretKey(key), cell.subarray(0, NONCE_BYTES))
    .setAAD(Buffer.from(place))
    .setAuthTag(cell.subarray(end));
  try {
    return new Uint8Array(
      Buffer.concat([decipher.update(cell.subarray(NONCE_BYTES, end)), decipher.final()]),
    );
  } catch {
    return undefined;
  }
}

interface SearchedWithin {
  readonly company_id: CompanyId;
}

function searchedPlace(table: string, column: string, row: object | undefined): string {
  const within = SEARCHED_WITHIN.has(table) ? valuesOf(table, row ?? {}, ['company_id']) : [];
  return JSON.stringify([table, column, ...within]);
}

function placeOf(table: PlacedTable, column: string, row: object): string {
  return JSON.stringify([table, column, ...valuesOf(table, row, PLACES[table])]);
}

/** The place of a cell of a table that is only known when the program runs. */
function anyPlace(table: string, column: string, row: object): string {
  if (isSearched(table, column)) return searchedPlace(table, column, row);
  if (table in PLACES) return placeOf(table as PlacedTable, column, row);
  throw new Error(`The cells of ${table} have no place.`);
}

/** @throws {Error} a query does not read the face */
function leafOfRow(table: string, row: { readonly id?: FaceId; readonly face_id?: FaceId }): Leaf {
  const face = table === 'face' ? row.id : row.face_id;
  if (face === undefined) throw new Error(`A row of ${table} lacks the number of its face.`);
  return leafOfFace(face);
}

/** The leaf before a value of {@link OF_CELLS}. */
const leafIn = (cell: Uint8Array): Leaf => Buffer.from(cell.subarray(0, LEAF_BYTES));

/** A row with other bytes in its cells, and without its code. */
function eachCell<R extends Readonly<Record<string, unknown>>>(
  row: R,
  change: (cell: Uint8Array, column: string) => Uint8Array,
): R {
  const changed: Record<string, unknown> = {};
  for (const [column, value] of Object.entries(row))
    if (column === 'code') changed[column] = null;
    else if (value instanceof Uint8Array) changed[column] = change(value, column);
  return { ...row, ...changed };
}

/** @throws {Error} a query does not read all of the columns */
function valuesOf(table: string, row: object, columns: readonly string[]): unknown[] {
  const values = new Map<string, unknown>(Object.entries(row));
  return columns.map((column) => {
    if (values.has(column)) return values.get(column);
    throw new Error(`A row of ${table} lacks ${column}.`);
  });
}

/** The columns by which an administrator finds a row; digests and texts of people are left out. */
export function nameOf(row: object): string {
  const named = ['id', 'company_id', 'face_id', 'pipeline_id', 'sequence', 'purpose', 'user_id', 'service'];
  const parts = Object.entries(row).filter(([column]) => named.includes(column));
  return parts.map(([column, value]) => `${column} ${String(value)}`).join(', ');
}

/** Whether two cells of the same place, or of a column that is searched, have equal bytes. */
export function isSame(one: Sealed, other: Sealed): boolean {
  return Buffer.compare(bytesOf(one), bytesOf(other)) === 0;
}

/** The driver takes and gives bytes; queries see what it gives as a cell that only {@link Cells} opens. */
function stored(bytes: Uint8Array): Sealed {
  const cell: unknown = bytes;
  return cell as Sealed;
}

/** A cell of {@link SEARCHED} as text: equal for equal values, and nothing of the value. */
export function textOf(cell: Sealed): string {
  return Buffer.from(bytesOf(cell)).toString('base64');
}

function bytesOf(cell: Sealed): Uint8Array {
  const bytes: unknown = cell;
  return bytes as Uint8Array;
}
