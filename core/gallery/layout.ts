import type { Shape } from './quantiser.ts';

/** Rows that share one set of error bounds; the kernel has the same number. */
export const BLOCK_ROWS = 64;
/** float32 values per block: the largest |r| and |e| of the primary code, then of the residual code. */
export const BLOCK_TERMS = 4;

/** Where the columns of a segment's codes lie, in bytes from the start of their area. */
export interface CodeLayout {
  codes: number;
  residualCodes: number;
  norms: number;
  offAxes: number;
  blockErrors: number;
  bytes: number;
}

/** @param capacity rows, a multiple of BLOCK_ROWS: so every column begins on a cache line. */
export function codeLayout(shape: Shape, capacity: number): CodeLayout {
  const terms = capacity * 4;
  const codes = 0;
  const residualCodes = codes + capacity * shape.primaryBytes;
  const norms = residualCodes + capacity * shape.residualBytes;
  const offAxes = norms + terms;
  const blockErrors = offAxes + (shape.residualLength === 0 ? 0 : terms);
  const bytes = blockErrors + (capacity / BLOCK_ROWS) * BLOCK_TERMS * 4;
  return { codes, residualCodes, norms, offAxes, blockErrors, bytes };
}
