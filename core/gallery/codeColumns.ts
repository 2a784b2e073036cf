import { BLOCK_ROWS, BLOCK_TERMS, codeLayout } from './layout.ts';
import { encodeRow, type RowTerms, type Scale, type Shape } from './quantiser.ts';
import type { Area, Extent } from './slab.ts';

/** Codes and terms of one row, as they are kept in snapshots. */
export interface CodedRow {
  lead: Uint8Array;
  tail: Uint8Array;
  /** |y|² of the whole row. */
  norm: number;
  offAxes: number;
  /** |r| and |e| of the lead, then of the tail; a bound from above is enough. */
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
  lead: Uint8Array;
  tail: Uint8Array;
}

/** A little above one: what is rounded to float32 after this factor is not below the value itself. */
const ROUND_UP = 1 + 2 ** -22;

/** The codes of a segment's rows, in memory that the kernels scan. */
export class CodeColumns {
  readonly area: Area;
  readonly #shape: Shape;
  readonly #capacity: number;
  readonly #codes: Uint8Array;
  readonly #tailCodes: Uint8Array;
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
    this.#codes = new Uint8Array(memory, area.address + layout.codes, capacity * shape.leadBytes);
    this.#tailCodes = new Uint8Array(memory, area.address + layout.tailCodes, capacity * shape.tailBytes);
    this.#norms = floats(layout.norms, capacity);
    this.#offAxes = floats(layout.offAxes, shape.tailLength === 0 ? 0 : capacity);
    this.#blockErrors = floats(layout.blockErrors, (capacity / BLOCK_ROWS) * BLOCK_TERMS);
  }

  /** Bytes of the area that the first `rows` rows take. */
  written(rows: number): Extent[] {
    const { leadBytes, tailBytes, tailLength } = this.#shape;
    const { codes, tailCodes, norms, offAxes, blockErrors } = codeLayout(this.#shape, this.#capacity);
    return [
      { start: codes, length: rows * leadBytes },
      { start: tailCodes, length: rows * tailBytes },
      { start: norms, length: rows * 4 },
      { start: offAxes, length: tailLength === 0 ? 0 : rows * 4 },
      { start: blockErrors, length: Math.ceil(rows / BLOCK_ROWS) * BLOCK_TERMS * 4 },
    ];
  }

  /** Codes a template straight into its row. */
  encode(row: number, vector: Float32Array, scale: Scale): void {
    const { leadBytes, tailBytes } = this.#shape;
    const codes = this.#codes.subarray(row * leadBytes, (row + 1) * leadBytes);
    const tailCodes = this.#tailCodes.subarray(row * tailBytes, (row + 1) * tailBytes);
    this.#writeTerms(row, termsOf(encodeRow(scale, this.#shape, vector, codes, tailCodes)));
  }

  /** Takes over a row that was coded before. */
  write(row: number, coded: CodedRow): void {
    this.#codes.set(coded.lead, row * this.#shape.leadBytes);
    this.#tailCodes.set(coded.tail, row * this.#shape.tailBytes);
    this.#writeTerms(row, coded);
  }

  /** Takes over `count` coded rows from row `from` of other columns. */
  writeRun(row: number, rows: CodedRows, from: number, count: number): void {
    const { leadBytes, tailBytes } = this.#shape;
    const end = from + count;
    this.#codes.set(rows.lead.subarray(from * leadBytes, end * leadBytes), row * leadBytes);
    this.#tailCodes.set(rows.tail.subarray(from * tailBytes, end * tailBytes), row * tailBytes);
    this.#norms.set(rows.norms.subarray(from, end), row);
    if (this.#shape.tailLength > 0) this.#offAxes.set(rows.offAxes.subarray(from, end), row);
    for (let i = 0; i < count; i++)
      for (let term = 0; term < BLOCK_TERMS; term++)
        this.#raiseError(row + i, term, rows.errors[(from + i) * BLOCK_TERMS + term]!);
  }

  read(row: number): CodedRow {
    const { leadBytes, tailBytes } = this.#shape;
    const at = Math.floor(row / BLOCK_ROWS) * BLOCK_TERMS;
    const [a, b, c, d] = this.#blockErrors.subarray(at, at + BLOCK_TERMS);
    return {
      lead: this.#codes.subarray(row * leadBytes, (row + 1) * leadBytes),
      tail: this.#tailCodes.subarray(row * tailBytes, (row + 1) * tailBytes),
      norm: this.#norms[row]!,
      offAxes: this.#offAxes[row] ?? 0,
      errors: [a!, b!, c!, d!],
    };
  }

  /** Leaves nothing of the row; an infinite norm keeps it further away than any threshold. */
  wipe(row: number): void {
    const { leadBytes, tailBytes } = this.#shape;
    this.#codes.fill(0, row * leadBytes, (row + 1) * leadBytes);
    this.#tailCodes.fill(0, row * tailBytes, (row + 1) * tailBytes);
    this.#norms[row] = Infinity;
    if (this.#shape.tailLength > 0) this.#offAxes[row] = 0;
  }

  #writeTerms(row: number, terms: Omit<CodedRow, 'lead' | 'tail'>): void {
    this.#norms[row] = terms.norm;
    if (this.#shape.tailLength > 0) this.#offAxes[row] = terms.offAxes;
    for (const [term, error] of terms.errors.entries()) this.#raiseError(row, term, error);
  }

  #raiseError(row: number, term: number, error: number): void {
    const at = Math.floor(row / BLOCK_ROWS) * BLOCK_TERMS + term;
    this.#blockErrors[at] = Math.max(this.#blockErrors[at]!, error);
  }
}

function termsOf({ squared, lead, tail, offAxes }: RowTerms): Omit<CodedRow, 'lead' | 'tail'> {
  const errors = [lead.codeLength, lead.rest, tail.codeLength, tail.rest].map((each) => each * ROUND_UP);
  const [leadCodes, leadRest, tailCodes, tailRest] = errors;
  return { norm: squared, offAxes, errors: [leadCodes!, leadRest!, tailCodes!, tailRest!] };
}
