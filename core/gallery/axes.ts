import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { instantiateOver } from '../platform/webAssembly.ts';
import { atOnce } from './portions.ts';

/** Addresses in the memory that the kernel was given; see kernel/assembly/axes.ts. */
type Products = (axes: number, count: number, bytes: number, vector: number, along: number) => void;

const PAGE = 65_536;
let compiled: WebAssembly.Module | undefined;

/**
 * Orthonormal directions, and components of vectors along them. A few directions hold most of the difference
 * between templates, so that these alone decide about most rows. Any directions give true bounds (docs/explanation/gallery.md); those along
 * which templates vary most give tight ones.
 */
export class Axes {
  readonly count: number;
  readonly #dimensions: number;
  /** Of one vector in the kernel's memory, padded to whole lines. */
  readonly #bytes: number;
  /** Of the products of one vector. */
  readonly #step: number;
  readonly #at: { vector: number; along: number; axes: number };
  readonly #vectors: readonly Float64Array[];
  readonly #alongs: readonly Float64Array[];
  readonly #axes: Float64Array;
  readonly #project: Products;
  readonly #projectFour: (...given: [...Parameters<Products>, step: number]) => void;
  readonly #accumulate: Products;
  readonly #subtract: Products;

  /** @param rows directions one after the other, independent of each other or not. */
  static along(rows: ArrayLike<number>, dimensions: number): Axes {
    return atOnce(Axes.making(rows, dimensions));
  }

  /** The same, with pauses. */
  static *making(rows: ArrayLike<number>, dimensions: number): Generator<void, Axes> {
    const axes = new Axes(rows.length / dimensions, dimensions);
    for (let k = 0; k < axes.count; k++) {
      const axis = axes.#axis(k);
      for (let i = 0; i < dimensions; i++) axis[i] = rows[k * dimensions + i]!;
      if (k % PAUSE === 0) yield;
    }
    yield* axes.#orthonormalise();
    return axes;
  }

  private constructor(count: number, dimensions: number) {
    this.count = count;
    this.#dimensions = dimensions;
    this.#bytes = Math.ceil(dimensions / 8) * 64;
    const along = TOGETHER * this.#bytes;
    this.#step = Math.ceil(this.count / 8) * 64;
    const axes = along + TOGETHER * this.#step;
    this.#at = { vector: 0, along, axes };
    const memory = new WebAssembly.Memory({
      initial: Math.ceil((axes + this.count * this.#bytes) / PAGE),
    });
    const each = (start: number, bytes: number, length: number) =>
      Array.from({ length: TOGETHER }, (_, i) => new Float64Array(memory.buffer, start + i * bytes, length));
    this.#vectors = each(0, this.#bytes, dimensions);
    this.#alongs = each(along, this.#step, this.count);
    this.#axes = new Float64Array(memory.buffer, axes, (this.count * this.#bytes) / 8);
    compiled ??= new WebAssembly.Module(readFileSync(join(import.meta.dirname, 'kernel', 'axes.wasm')));
    const { project, projectFour, accumulate, subtract } = instantiateOver(compiled, memory, [
      'project',
      'projectFour',
      'accumulate',
      'subtract',
    ]);
    this.#project = project;
    this.#projectFour = projectFour;
    this.#accumulate = accumulate;
    this.#subtract = subtract;
  }

  /** The vectors that `project` takes the components of: written by its caller. */
  get vectors(): readonly Float64Array[] {
    return this.#vectors;
  }

  /**
   * Components along the axes of the first of `vectors`, or of all of them; overwritten by the next call.
   * @param count how many of them were written
   */
  project(count = 1): readonly Float64Array[] {
    const { axes, vector, along } = this.#at;
    if (count === 1) this.#project(axes, this.count, this.#bytes, vector, along);
    else this.#projectFour(axes, this.count, this.#bytes, vector, along, this.#step);
    return this.#alongs;
  }

  /** The axes one after the other, rounded to single precision: what is kept of them. */
  toArray(): Float32Array {
    const rows = new Float32Array(this.count * this.#dimensions);
    for (let k = 0; k < this.count; k++)
      rows.set(this.#axis(k).subarray(0, this.#dimensions), k * this.#dimensions);
    return rows;
  }

  /** Orthogonal iteration: turns the axes towards those along which the vectors vary most. */
  *turnTowards(vectors: readonly Float64Array[], rounds: number): Generator<void> {
    const next = new Axes(this.count, this.#dimensions);
    for (let round = 0; round < rounds; round++) {
      next.#axes.fill(0);
      for (const [i, vector] of vectors.entries()) {
        this.#vectors[0]!.set(vector);
        next.#alongs[0]!.set(this.project()[0]!);
        next.#vectors[0]!.set(vector);
        next.#accumulate(next.#at.axes, next.count, next.#bytes, next.#at.vector, next.#at.along);
        if (i % PAUSE === 0) yield;
      }
      this.#axes.set(next.#axes);
      yield* this.#orthonormalise();
    }
  }

  #axis(k: number): Float64Array {
    return this.#axes.subarray((k * this.#bytes) / 8, ((k + 1) * this.#bytes) / 8);
  }

  /**
   * Gram-Schmidt, twice for every axis: the second time takes away what rounding left the first time. An axis that depends
   * on those before it gives way to a coordinate's.
   */
  *#orthonormalise(): Generator<void> {
    let spare = 0;
    for (let k = 0; k < this.count; k++) {
      const axis = this.#axis(k);
      normalise(axis);
      while (!(this.#removeEarlier(k) > INDEPENDENT)) {
        axis.fill(0);
        axis[spare++] = 1;
      }
      this.#removeEarlier(k);
      if (k % PAUSE === 0) yield;
    }
  }

  /** @returns the length of what the axes before have left, before it is made one. */
  #removeEarlier(k: number): number {
    const address = this.#at.axes + k * this.#bytes;
    this.#project(this.#at.axes, k, this.#bytes, address, this.#at.along);
    this.#subtract(this.#at.axes, k, this.#bytes, address, this.#at.along);
    return normalise(this.#axis(k));
  }
}

/** Vectors that are projected at a time. */
const TOGETHER = 4;

/** Vectors between two pauses: a millisecond or two of work at most. */
export const PAUSE = 8;

/** Less than this is left of a unit vector by rounding alone, or by next to nothing else. */
const INDEPENDENT = 1e-4;

/** @returns the length before; 0 stays 0. */
function normalise(vector: Float64Array): number {
  let squares = 0;
  for (const component of vector) squares += component * component;
  const length = Math.sqrt(squares);
  if (length > 0) for (let i = 0; i < vector.length; i++) vector[i] = vector[i]! / length;
  return length;
}

/** Axes, and further ones perpendicular to them until there are as many as dimensions. */
export function* completeAxes(axes: Float32Array, dimensions: number): Generator<void, Float32Array> {
  const all = new Float64Array(dimensions * dimensions);
  all.set(axes);
  const complete = yield* Axes.making(all, dimensions);
  return complete.toArray();
}

/** More samples move the directions little, and take longer. */
const SAMPLES = 512;
/** The first rounds turn the samples' own directions close to the principal ones; later ones change hardly anything. */
const ROUNDS = 12;

/** The `count` strongest directions of variation around the centre, rounded to single precision. */
export function* principalAxes(
  samples: readonly Float32Array[],
  centre: Float32Array,
  count: number,
): Generator<void, Float32Array> {
  const dimensions = centre.length;
  const every = Math.max(1, Math.floor(samples.length / SAMPLES));
  const chosen = samples.filter((_, i) => i % every === 0);
  const all = new Float64Array(chosen.length * dimensions);
  const centred: Float64Array[] = [];
  for (const [k, sample] of chosen.entries()) {
    const vector = all.subarray(k * dimensions, (k + 1) * dimensions);
    for (let i = 0; i < dimensions; i++) vector[i] = sample[i]! - centre[i]!;
    centred.push(vector);
    if (k % PAUSE === 0) yield;
  }
  const start = new Float64Array(count * dimensions);
  start.set(all.subarray(0, start.length));
  const axes = yield* Axes.making(start, dimensions);
  yield* axes.turnTowards(yield* covariance(centred, dimensions), ROUNDS);
  return axes.toArray();
}

/** Rows of the sum of the vectors' outer products: seen as vectors themselves, they vary along the same axes, only more so. */
function* covariance(vectors: readonly Float64Array[], dimensions: number): Generator<void, Float64Array[]> {
  const rows = Array.from({ length: dimensions }, () => new Float64Array(dimensions));
  for (const vector of vectors) {
    for (const [i, row] of rows.entries()) {
      const factor = vector[i]!;
      for (let k = 0; k < dimensions; k++) row[k]! += factor * vector[k]!;
    }
    yield;
  }
  return rows;
}
