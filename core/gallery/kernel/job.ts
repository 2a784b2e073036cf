/** The job structure of kernel/assembly/scan.ts, seen from this side: the order of the fields is the layout. */
const INTEGERS = [
  'codes',
  'codeNorms',
  'codeSums',
  'offAxes',
  'blockErrors',
  'tailCodes',
  'tailSums',
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
  'next',
] as const;
const FLOATS = [
  'threshold',
  'probeSquared',
  'leadSumFactor',
  'leadFactor',
  'offAxesFactor',
  'tailSumFactor',
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

const POSITION = new Map(ORDER.map((field, index) => [field, index]));

const THRESHOLD = ORDER.indexOf('threshold');
const NEXT = ORDER.indexOf('next');
const ROWS = ORDER.indexOf('rows');
const OUT_CAPACITY = ORDER.indexOf('outCapacity');

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
    for (const [field, value] of Object.entries(values)) this.#integers[positionOf(field)] = value;
  }

  /** All that changes from call to call while a segment is scanned. */
  prepare(call: { threshold: number; rows: number; outCapacity: number }): void {
    this.#floats[THRESHOLD] = call.threshold;
    this.#integers[ROWS] = call.rows;
    this.#integers[OUT_CAPACITY] = call.outCapacity;
  }

  setFloats(values: Partial<Record<JobFloat, number>>): void {
    for (const [field, value] of Object.entries(values)) this.#floats[positionOf(field)] = value;
  }

  get next(): number {
    return this.#integers[NEXT]!;
  }
}

function positionOf(field: string): number {
  return POSITION.get(field as JobInteger | JobFloat)!;
}
