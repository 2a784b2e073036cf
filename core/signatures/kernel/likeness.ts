/** Likeness of every descriptor of one list to every one of another: `assembly/likeness.ts`, compiled. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { instantiateOver } from '../../platform/webAssembly.ts';

const PAGE = 65_536;

const memory = new WebAssembly.Memory({ initial: 1 });
const compiled = new WebAssembly.Module(
  new Uint8Array(readFileSync(join(import.meta.dirname, 'likeness.wasm'))),
);
/** Takes: address of `a`, its rows, address of `b`, its rows (a multiple of 4), numbers a row, address of the result. */
const { dotProducts } = instantiateOver(compiled, memory, ['dotProducts']);

/**
 * Dot products of rows.
 * @param a,b matrices row by row, `length` numbers a row; `length` is a multiple of 4
 * @returns row by row, a row for each of `a`, a column for each of `b`
 */
export function dotProductsOf(a: Float32Array, b: Float32Array, length: number): Float32Array {
  const rows = a.length / length;
  const columns = b.length / length;
  // The kernel takes columns four by four: the last are followed by rows of whatever lies there, and cut off.
  const whole = Math.ceil(columns / 4) * 4;
  const startOfB = a.length;
  const startOfOut = startOfB + whole * length;
  const end = startOfOut + rows * whole;
  const missing = Math.ceil((end * 4 - memory.buffer.byteLength) / PAGE);
  if (missing > 0) memory.grow(missing);
  const numbers = new Float32Array(memory.buffer, 0, end);
  numbers.set(a);
  numbers.set(b, startOfB);
  dotProducts(0, rows, startOfB * 4, whole, length, startOfOut * 4);
  const out = new Float32Array(rows * columns);
  for (let i = 0; i < rows; i++) {
    const from = startOfOut + i * whole;
    out.set(numbers.subarray(from, from + columns), i * columns);
  }
  return out;
}
