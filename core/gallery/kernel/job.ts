/** The structures of kernel/assembly/job.ts, seen from this side: the order of the fields is the layout. */
const PLACE = [
  'codes',
  'codeNorms',
  'offAxes',
  'blockErrors',
  'residualCodes',
  'exactRows',
  'admitted',
] as const;
const INTEGERS = [
  'place',
  'rows',
  'primaryBytes',
  'residualBytes',
  'query',
  'residualQuery',
  'outRows',
  'outLower',
  'outUpper',
  'outCapacity',
  'weighed',
  'limit',
  'nearest',
  'kept',
  'next',
] as const;
const FLOATS = [
  'threshold',
  'reach',
  'primaryConstant',
  'primaryFactor',
  'offAxesFactor',
  'wholeConstant',
  'residualFactor',
  'primaryCodeError',
  'primaryRowError',
  'residualCodeError',
  'residualRowError',
  'slack',
] as const;
const EXACT = ['exactStride', 'exactProbe'] as const;
const EXACT_FLOATS = ['exactRelativeError', 'exactSlack'] as const;

export type PlaceField = (typeof PLACE)[number];
export type JobInteger = (typeof INTEGERS)[number] | (typeof EXACT)[number];
export type JobFloat = (typeof FLOATS)[number] | (typeof EXACT_FLOATS)[number];
/** Written by the kernel, of no meaning. */
const TOUCHED = 'touched';

const ORDER: readonly (JobInteger | JobFloat | typeof TOUCHED)[] = [
  ...INTEGERS,
  ...FLOATS,
  ...EXACT,
  ...EXACT_FLOATS,
  TOUCHED,
];

/** Bytes of a place, and of a job. */
export const PLACE_BYTES = PLACE.length * 4;
export const JOB_BYTES = ORDER.length * 4;

/** Where a field stands among the words of a job. */
const POSITION = Object.fromEntries(ORDER.map((field, index) => [field, index])) as Record<
  (typeof ORDER)[number],
  number
>;

/** Where the columns of the segment that is scanned are: the jobs of all probes point to it. */
export class Place {
  readonly address: number;
  readonly #words: Uint32Array;

  constructor(memory: WebAssembly.Memory, address: number) {
    this.address = address;
    this.#words = new Uint32Array(memory.buffer, address, PLACE.length);
  }

  set(columns: Record<PlaceField, number>): void {
    for (const [i, field] of PLACE.entries()) this.#words[i] = columns[field];
  }
}

/** A job in a kernel's memory. */
export class Job {
  readonly address: number;
  readonly #integers: Uint32Array;
  readonly #floats: Float32Array;

  constructor(memory: WebAssembly.Memory, address: number) {
    this.address = address;
    this.#integers = new Uint32Array(memory.buffer, address, ORDER.length);
    this.#floats = new Float32Array(memory.buffer, address, ORDER.length);
  }

  setIntegers(values: Partial<Record<JobInteger, number>>): void {
    for (const field in values) this.#integers[POSITION[field as JobInteger]] = values[field as JobInteger]!;
  }

  setFloats(values: Partial<Record<JobFloat, number>>): void {
    for (const field in values) this.#floats[POSITION[field as JobFloat]] = values[field as JobFloat]!;
  }

  /**
   * Begins a search.
   * @param limit how many nearest rows are asked for; 0: the kernel does not count them
   * @param reach rows within this multiple of the squared distance of the last of them are asked for, too
   */
  begin(limit: number, reach: number): void {
    this.#integers[POSITION.limit] = limit;
    this.#floats[POSITION.reach] = reach;
    this.#integers[POSITION.kept] = 0;
  }

  /** All that changes from call to call while a segment is scanned. */
  prepare(threshold: number, rows: number, outCapacity: number): void {
    this.#floats[POSITION.threshold] = threshold;
    this.#integers[POSITION.rows] = rows;
    this.#integers[POSITION.outCapacity] = outCapacity;
  }

  get threshold(): number {
    return this.#floats[POSITION.threshold]!;
  }

  set threshold(squared: number) {
    this.#floats[POSITION.threshold] = squared;
  }

  get next(): number {
    return this.#integers[POSITION.next]!;
  }
}
