/** The job structure of kernel/assembly/job.ts, seen from this side: the order of the fields is the layout. */
const INTEGERS = [
  'codes',
  'codeNorms',
  'offAxes',
  'blockErrors',
  'tailCodes',
  'tailContinues',
  'rows',
  'leadBytes',
  'tailBytes',
  'query',
  'tailQuery',
  'admitted',
  'outRows',
  'outLower',
  'outUpper',
  'outCapacity',
  'limit',
  'nearest',
  'kept',
  'next',
] as const;
const FLOATS = [
  'threshold',
  'leadConstant',
  'leadFactor',
  'offAxesFactor',
  'wholeConstant',
  'tailFactor',
  'leadCodeError',
  'leadRowError',
  'tailCodeError',
  'tailRowError',
  'slack',
] as const;
const EXACT = ['exactRows', 'exactStride', 'exactProbe'] as const;

export type JobInteger = (typeof INTEGERS)[number] | (typeof EXACT)[number];
export type JobFloat = (typeof FLOATS)[number] | 'exactRelativeError';
/** Written by the kernel, of no meaning. */
const TOUCHED = 'touched';

const ORDER: readonly (JobInteger | JobFloat | typeof TOUCHED)[] = [
  ...INTEGERS,
  ...FLOATS,
  ...EXACT,
  'exactRelativeError',
  TOUCHED,
];

/** Bytes of a job. */
export const JOB_BYTES = ORDER.length * 4;

/** Where a field stands among the words of a job. */
const POSITION = Object.fromEntries(ORDER.map((field, index) => [field, index])) as Record<
  (typeof ORDER)[number],
  number
>;

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

  /** All that changes from call to call while a segment is scanned. */
  prepare(call: { threshold: number; rows: number; outCapacity: number }): void {
    this.#floats[POSITION.threshold] = call.threshold;
    this.#integers[POSITION.rows] = call.rows;
    this.#integers[POSITION.outCapacity] = call.outCapacity;
  }

  setFloats(values: Partial<Record<JobFloat, number>>): void {
    for (const field in values) this.#floats[POSITION[field as JobFloat]] = values[field as JobFloat]!;
  }

  get threshold(): number {
    return this.#floats[POSITION.threshold]!;
  }

  get next(): number {
    return this.#integers[POSITION.next]!;
  }
}
