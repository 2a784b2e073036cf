/** The job structure of kernel/assembly/scan.ts, seen from this side: the order of the fields is the layout. */
const INTEGERS = [
  'codes',
  'codeNorms',
  'codeSums',
  'tailNorms',
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
  'tailNormFactor',
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

const ORDER: readonly (JobInteger | JobFloat)[] = [...INTEGERS, ...FLOATS, ...EXACT, 'exactRelativeError'];

/** Bytes of a job. */
export const JOB_BYTES = ORDER.length * 4;

const POSITION = new Map(ORDER.map((field, index) => [field, index]));

const THRESHOLD = ORDER.indexOf('threshold');
const NEXT = ORDER.indexOf('next');

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

  /** Of everything that changes while a segment is scanned, the one thing. */
  set threshold(value: number) {
    this.#floats[THRESHOLD] = value;
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
