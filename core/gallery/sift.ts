import { ROW_OFFSET, type CodedProbe } from './quantiser.ts';

/** Probes that the kernel compares with a row at a time. */
export const TOGETHER = 4;
/** Rows that are laid out at a time: with the codes of 256 probes they fit the second-level cache. */
export const SIFTED_ROWS = 2_048;
/** Fewer probes are compared sooner than rows are laid out for them. */
export const SIFTED_FROM = 8;

/**
 * The sums of the kernel are numbers modulo 2¹⁶. Those of near pairs are from 0 to less than 2¹⁵; pairs whose distance is beyond
 * this multiple of the longest probe may look near.
 */
const MODULUS = 2 ** 16;
const WIDEST = 2;
/**
 * Of sums of 32 bits the step is at least this: then no term of a sum reaches 2²⁴, because no vector is longer than 2.1, and no codes of
 * one are longer than twice that. Single precision holds all whole numbers up to there.
 */
const LEAST_STEP = 2 ** -20;
/** No sum of a near pair may be larger. */
const LARGEST_SUM = { 16: MODULUS / 2 - 16, 32: 2 ** 24 };
const LARGEST_CODE = 127;
/** The most that rounding of a sum, and single precision in it, can take from it. */
const ROUNDING = 4;
/** The weights of the kernel are of 16 bits with a sign; with squares of codes they add up to less than 2³¹. */
const LARGEST_WEIGHT = 2 ** 15 - 1;
const LARGEST_WEIGHTS = 2 ** 31 / ROW_OFFSET ** 2 - 1;
/** Single precision is not below a double after the first factor, nor above it after the second. */
const [UP, DOWN] = [1 + 2 ** -20, 1 - 2 ** -20];

/** Components whose codes stand together, how often they do, and probes that share the next components: see assembly/sift.ts. */
const QUERIES = {
  16: { components: 2, copies: 8, probes: 4 },
  32: { components: 4, copies: 1, probes: 2 },
};
/** Components that the kernel takes at a time. */
const STEP = 4;

/** The structures of kernel/assembly/sift.ts, seen from this side: the order of the fields is the layout. */
const PROBE = ['job', 'start'] as const;
const INTEGERS = [
  'place',
  'probes',
  'count',
  'queries',
  'codes',
  'halves',
  'primaryBytes',
  'axes',
  'weights',
  'undecided',
  'nearRows',
  'nearProbes',
  'outProbes',
] as const;
const FLOATS = ['scale', 'distance', 'weightUnit', 'codeError', 'largest'] as const;
/** The results that the kernel writes. */
const OUTPUTS = ['next', 'touched'] as const;
const NEXT = INTEGERS.length + FLOATS.length + OUTPUTS.indexOf('next');
const SIFT_WORDS = INTEGERS.length + FLOATS.length + OUTPUTS.length;

/**
 * Bytes of what the kernel needs.
 * @param probes a multiple of TOGETHER
 */
export function siftLayout(primaryBytes: number, probes: number, outRows: number) {
  const near = 4 * outRows;
  return {
    sift: 4 * SIFT_WORDS,
    probes: 4 * PROBE.length * probes,
    queries: QUERIES[16].copies * primaryBytes * probes,
    codes: SIFTED_ROWS * primaryBytes,
    halves: 4 * SIFTED_ROWS,
    // As many as the kernel reads at a time, of which a primary code may have fewer.
    weights: 2 * primaryBytes,
    // For each probe and sixteen rows an entry, and one that ends the list.
    undecided: 8 * TOGETHER * (SIFTED_ROWS / 16 + 1),
    nearRows: near,
    nearProbes: near,
    outProbes: 4 * outRows,
  };
}

type Addresses = Record<keyof ReturnType<typeof siftLayout>, number>;

/** The data that many probes share where the kernel compares them with rows in sixteen bits. */
export class Sift {
  readonly address: number;
  readonly #bits: 16 | 32;
  readonly #axes: number;
  readonly #integers: Uint32Array;
  readonly #floats: Float32Array;
  readonly #probes: Int32Array;
  readonly #queries: Int8Array;
  readonly #weights: Int16Array;

  /**
   * @param at addresses in the memory, of the lengths of {@link siftLayout}
   * @param bits of the sums of the kernel
   * @param place the address of the segment that is scanned
   * @param jobs the addresses of the jobs of the probes
   */
  constructor(
    memory: WebAssembly.Memory,
    at: Addresses,
    {
      place,
      primaryLength,
      primaryBytes,
      jobs,
      bits,
    }: {
      place: number;
      primaryLength: number;
      primaryBytes: number;
      jobs: readonly number[];
      bits: 16 | 32;
    },
  ) {
    const { buffer } = memory;
    this.address = at.sift;
    this.#bits = bits;
    this.#axes = STEP * Math.floor(primaryLength / STEP);
    this.#integers = new Uint32Array(buffer, at.sift, SIFT_WORDS);
    this.#floats = new Float32Array(buffer, at.sift, SIFT_WORDS);
    this.#probes = new Int32Array(buffer, at.probes, PROBE.length * jobs.length);
    this.#queries = new Int8Array(buffer, at.queries, QUERIES[bits].copies * this.#axes * jobs.length);
    this.#weights = new Int16Array(buffer, at.weights, this.#axes);
    const fixed = { ...at, place, primaryBytes, axes: this.#axes, count: 0 };
    for (const [i, field] of INTEGERS.entries()) this.#integers[i] = fixed[field];
    for (const [i, job] of jobs.entries()) this.#probes[PROBE.length * i] = job;
  }

  /** The probe to go on with. */
  get next(): number {
    return this.#integers[NEXT]!;
  }

  /**
   * Places the probes, whose step is now the same for all.
   * @param threshold the largest squared distance of interest
   * @returns false: they cannot be compared in such sums
   */
  load(probes: readonly CodedProbe[], threshold: number): boolean {
    if (this.#axes === 0) return false;
    const { primarySteps } = probes[0]!;
    const products = probes.map(({ along }) => this.#productsOf(along, primarySteps));
    const longest = Math.max(...products.map(({ length }) => length));
    const largest = Math.max(...products.map((each) => each.largest));
    const least = this.#bits === 32 ? LEAST_STEP : (WIDEST * longest) ** 2 / (2 * MODULUS);
    const step = Math.max(least, largest / LARGEST_CODE, Number.MIN_VALUE);
    const scale = 1 / (2 * step);
    const largestSum = LARGEST_SUM[this.#bits];
    if (!(threshold * scale < largestSum)) return false;
    const errors = products.map((each, i) => this.#place(i, each, step));
    const unit = this.#weigh(primarySteps);
    this.#integers[INTEGERS.indexOf('count')] = probes.length;
    const distance = Math.sqrt(threshold);
    this.#floats.set(
      [scale, distance * UP, unit * DOWN, Math.max(...errors) * UP, largestSum],
      INTEGERS.length,
    );
    return true;
  }

  /** Components of the probe times the steps of the rows, their length before that, and the largest. */
  #productsOf(along: Float64Array, steps: Float32Array) {
    const products = new Float64Array(this.#axes);
    let [squares, largest] = [0, 0];
    for (let i = 0; i < products.length; i++) {
      products[i] = along[i]! * steps[i]!;
      squares += along[i]! ** 2;
      largest = Math.max(largest, Math.abs(products[i]!));
    }
    return { products, length: Math.sqrt(squares), largest };
  }

  /** Codes a probe by the common step. @returns what its codes leave out, in steps */
  #place(
    number: number,
    { products, length }: { products: Float64Array; length: number },
    step: number,
  ): number {
    let sum = 0;
    let restSquares = 0;
    const { components, copies, probes } = QUERIES[this.#bits];
    const place = number % probes;
    const start = copies * ((number - place) * this.#axes + components * place);
    for (let component = 0; component < products.length; component++) {
      const exact = products[component]! / step;
      const code = Math.round(exact);
      sum += code;
      restSquares += (exact - code) ** 2;
      const part = component % components;
      const at = start + copies * probes * (component - part) + part;
      for (let i = 0; i < copies; i++) this.#queries[at + components * i] = code;
    }
    this.#probes[PROBE.length * number + PROBE.indexOf('start')] =
      ROUNDING - Math.floor(length ** 2 / (2 * step)) - ROW_OFFSET * sum;
    return Math.sqrt(restSquares);
  }

  /** Writes the squares of the steps. @returns their unit */
  #weigh(steps: Float32Array): number {
    let [largest, sum] = [0, 0];
    for (let i = 0; i < this.#axes; i++) {
      largest = Math.max(largest, steps[i]! ** 2);
      sum += steps[i]! ** 2;
    }
    const unit = Math.max(largest / LARGEST_WEIGHT, sum / LARGEST_WEIGHTS);
    for (let i = 0; i < this.#axes; i++) this.#weights[i] = Math.floor(steps[i]! ** 2 / unit);
    return unit;
  }
}
