import { BLOCK_ROWS, BLOCK_TERMS, codeLayout } from './layout.ts';
import { encodeRow, type RowTerms, type Scale, type Shape } from './quantiser.ts';
import type { Area, Extent } from './slab.ts';

/** Codes and terms of one row, as they are kept in snapshots. */
export interface CodedRow {
  primary: Uint8Array;
  residual: Uint8Array;
  /** |y|² of the whole row. */
  norm: number;
  offAxes: number;
  /** |r| and |e| of the primary code, then of the residual code; a bound from above is enough. */
  errors: readonly [number, number, number, number];
}

/** The same of many rows, as columns. */
export interface CodedRows {
  faces: Float64Array;
  /** See `watchlistNumber`. */
  watchlists: Float64Array;
  norms: Float32Array;
  offAxes: Float32Array;
  /** Four per row. */
  errors: Float32Array;
  primary: Uint8Array;
  residual: Uint8Array;
}

/** A little above one: what is rounded to float32 after this factor is not below the value itself. */
const ROUND_UP = 1 + 2 ** -22;

/** The codes of a segment's rows, in memory that the kernels scan. */
export class CodeColumns {
  readonly area: Area;
  readonly #shape: Shape;
  readonly #capacity: number;
  readonly #codes: Uint8Array;
  readonly #residualCodes: Uint8Array;
  readonly #norms: Float32Array;
  readonly #offAxes: Float32Array;
  readonly #blockErrors: Float32Array;

  constructor(shape: Shape, capacity: number, area: Area) {
    const layout = codeLayout(shape, capacity);
    const memory = area.slab.memory.buffer;
    const floats = (offset: number, length: number) =>
      new Float32Array(memory, area.address + offset, length);
    this.area = area;
    this.#shape = shape;
    this.#capacity = capacity;
    this.#codes = new Uint8Array(memory, area.address + layout.codes, capacity * shape.primaryBytes);
    this.#residualCodes = new Uint8Array(
      memory,
      area.address + layout.residualCodes,
      capacity * shape.residualBytes,
    );
    this.#norms = floats(layout.norms, capacity);
    this.#offAxes = floats(layout.offAxes, shape.residualLength === 0 ? 0 : capacity);
    this.#blockErrors = floats(layout.blockErrors, (capacity / BLOCK_ROWS) * BLOCK_TERMS);
  }

  /** Bytes of the area that the first `rows` rows take. */
  written(rows: number): Extent[] {
    const { primaryBytes, residualBytes, residualLength } = this.#shape;
    const { codes, residualCodes, norms, offAxes, blockErrors } = codeLayout(this.#shape, this.#capacity);
    return [
      { start: codes, length: rows * primaryBytes },
      { start: residualCodes, length: rows * residualBytes },
      { start: norms, length: rows * 4 },
      { start: offAxes, length: residualLength === 0 ? 0 : rows * 4 },
      { start: blockErrors, length: Math.ceil(rows / BLOCK_ROWS) * BLOCK_TERMS * 4 },
    ];
  }

  /** Codes a template straight into its row. */
  encode(row: number, vector: Float32Array, scale: Scale): void {
    const { primaryBytes, residualBytes } = this.#shape;
    const codes = this.#codes.subarray(row * primaryBytes, (row + 1) * primaryBytes);
    const residualCodes = this.#residualCodes.subarray(row * residualBytes, (row + 1) * residualBytes);
    this.#writeTerms(row, termsOf(encodeRow(scale, this.#shape, vector, codes, residualCodes)));
  }

  /** Takes over a row that was coded before. */
  write(row: number, coded: CodedRow): void {
    this.#codes.set(coded.primary, row * this.#shape.primaryBytes);
    this.#residualCodes.set(coded.residual, row * this.#shape.residualBytes);
    this.#writeTerms(row, coded);
  }

  /** Takes over `count` coded rows from row `from` of other columns. */
  writeRun(row: number, rows: CodedRows, from: number, count: number): void {
    const { primaryBytes, residualBytes } = this.#shape;
    const end = from + count;
    this.#codes.set(rows.primary.subarray(from * primaryBytes, end * primaryBytes), row * primaryBytes);
    this.#residualCodes.set(
      rows.residual.subarray(from * residualBytes, end * residualBytes),
      row * residualBytes,
    );
    this.#norms.set(rows.norms.subarray(from, end), row);
    if (this.#shape.residualLength > 0) this.#offAxes.set(rows.offAxes.subarray(from, end), row);
    for (let i = 0; i < count; i++)
      for (let term = 0; term < BLOCK_TERMS; term++)
        this.#raiseError(row + i, term, rows.errors[(from + i) * BLOCK_TERMS + term]!);
  }

  read(row: number): CodedRow {
    const { primaryBytes, residualBytes } = this.#shape;
    const at = Math.floor(row / BLOCK_ROWS) * BLOCK_TERMS;
    const [a, b, c, d] = this.#blockErrors.subarray(at, at + BLOCK_TERMS);
    return {
      primary: this.#codes.subarray(row * primaryBytes, (row + 1) * primaryBytes),
      residual: this.#residualCodes.subarray(row * residualBytes, (row + 1) * residualBytes),
      norm: this.#norms[row]!,
      offAxes: this.#offAxes[row] ?? 0,
      errors: [a!, b!, c!, d!],
    };
  }

  /** Leaves nothing of the row; an infinite norm keeps it further away than any threshold. */
  wipe(row: number): void {
    const { primaryBytes, residualBytes } = this.#shape;
    this.#codes.fill(0, row * primaryBytes, (row + 1) * primaryBytes);
    this.#residualCodes.fill(0, row * residualBytes, (row + 1) * residualBytes);
    this.#norms[row] = Infinity;
    if (this.#shape.residualLength > 0) this.#offAxes[row] = 0;
  }

  #writeTerms(row: number, terms: Omit<CodedRow, 'primary' | 'residual'>): void {
    this.#norms[row] = terms.norm;
    if (this.#shape.residualLength > 0) this.#offAxes[row] = terms.offAxes;
    for (const [term, error] of terms.errors.entries()) this.#raiseError(row, term, error);
  }

  #raiseError(row: number, term: number, error: number): void {
    const at = Math.floor(row / BLOCK_ROWS) * BLOCK_TERMS + term;
    this.#blockErrors[at] = Math.max(this.#blockErrors[at]!, error);
  }
}

function termsOf({ squared, primary, residual, offAxes }: RowTerms): Omit<CodedRow, 'primary' | 'residual'> {
  const errors = [primary.codeLength, primary.rest, residual.codeLength, residual.rest].map(
    (each) => each * ROUND_UP,
  );
  const [primaryCodes, primaryRest, residualCodes, residualRest] = errors;
  return { norm: squared, offAxes, errors: [primaryCodes!, primaryRest!, residualCodes!, residualRest!] };
}
