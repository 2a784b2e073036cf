import { ROW_OFFSET, type CodedProbe } from './quantiser.ts';

/** Probes that the kernel compares with a row at a time. */
export const TOGETHER = 4;
/** Rows that are laid out at a time: with the codes of 256 probes they fit the second-level cache. */
export const SIFTED_ROWS = 2_048;
/** Fewer probes are compared sooner than rows are laid out for them. */
export const SIFTED_FROM = 8;

/**
 * The sums of the kernel are numbers modulo 2¹⁶. Those of near pairs are from 0 to the threshold and twice the errors, which
 * must be below 2¹⁵ together; pairs whose distance is beyond this multiple of the longest probe may look near.
 */
const MODULUS = 2 ** 16;
const LARGEST_THRESHOLD = MODULUS / 4;
const LARGEST_ERROR = MODULUS / 9;
const WIDEST = 2;

/** Components whose codes stand together, and rows: see assembly/sift.ts. */
const [PAIR, SIDE_BY_SIDE] = [2, 8];

/** The structures of kernel/assembly/sift.ts, seen from this side: the order of the fields is the layout. */
const PROBE = ['job', 'squared', 'offset'] as const;
const INTEGERS = [
  'place',
  'probes',
  'count',
  'queries',
  'codes',
  'halves',
  'leadBytes',
  'undecided',
  'outProbes',
] as const;
const FLOATS = ['scale', 'codeError', 'rowError', 'largestError'] as const;
const SIFT_WORDS = INTEGERS.length + FLOATS.length + 1;

/**
 * Bytes of what the kernel needs.
 * @param probes a multiple of TOGETHER
 */
export function siftLayout(leadBytes: number, probes: number, outRows: number) {
  return {
    sift: 4 * SIFT_WORDS,
    probes: 4 * PROBE.length * probes,
    queries: SIDE_BY_SIDE * leadBytes * probes,
    codes: SIFTED_ROWS * leadBytes,
    halves: 2 * SIFTED_ROWS,
    // For each row of sixteen and probe an entry, and one that is written but not counted.
    undecided: 8 * ((TOGETHER * SIFTED_ROWS) / 16 + 1),
    outProbes: 4 * outRows,
  };
}

type Addresses = Record<keyof ReturnType<typeof siftLayout>, number>;

/** The data that many probes share where the kernel compares them with rows in sixteen bits. */
export class Sift {
  readonly address: number;
  readonly #integers: Uint32Array;
  readonly #floats: Float32Array;
  readonly #probes: { integers: Int32Array; floats: Float32Array };
  readonly #queries: Int8Array;
  readonly #leadBytes: number;

  /**
   * @param at addresses in the memory, of the lengths of {@link siftLayout}
   * @param place the address of the segment that is scanned
   * @param jobs the addresses of the jobs of the probes
   */
  constructor(
    memory: WebAssembly.Memory,
    at: Addresses,
    { place, leadBytes, jobs }: { place: number; leadBytes: number; jobs: readonly number[] },
  ) {
    const { buffer } = memory;
    this.address = at.sift;
    this.#leadBytes = leadBytes;
    this.#integers = new Uint32Array(buffer, at.sift, SIFT_WORDS);
    this.#floats = new Float32Array(buffer, at.sift, SIFT_WORDS);
    this.#probes = {
      integers: new Int32Array(buffer, at.probes, PROBE.length * jobs.length),
      floats: new Float32Array(buffer, at.probes, PROBE.length * jobs.length),
    };
    this.#queries = new Int8Array(buffer, at.queries, SIDE_BY_SIDE * leadBytes * jobs.length);
    const fixed = { ...at, place, leadBytes, count: 0 };
    for (const [i, field] of INTEGERS.entries()) this.#integers[i] = fixed[field];
    for (const [i, job] of jobs.entries()) this.#probes.integers[PROBE.length * i] = job;
  }

  /** The probe to go on with. */
  get next(): number {
    return this.#integers[SIFT_WORDS - 1]!;
  }

  /**
   * Places the probes, whose step is now the same for all.
   * @param threshold the largest squared distance of interest
   * @returns false: the threshold does not fit sixteen bits
   */
  load(probes: readonly CodedProbe[], threshold: number): boolean {
    const longest = Math.max(...probes.map(({ lead }) => lead.length));
    const step = Math.max((WIDEST * longest) ** 2 / (2 * MODULUS), ...probes.map(({ lead }) => lead.step));
    const scale = 1 / (2 * step);
    if (!(threshold * scale < LARGEST_THRESHOLD)) return false;
    const errors = probes.map((probe, i) => this.#place(i, probe, step));
    this.#integers[INTEGERS.indexOf('count')] = probes.length;
    this.#floats.set([scale, Math.max(...errors), longest / step, LARGEST_ERROR], INTEGERS.length);
    return true;
  }

  /** Codes a probe once more, by a step that is not smaller. @returns what its codes leave out, in steps */
  #place(number: number, { lead }: CodedProbe, step: number): number {
    const ratio = lead.step / step;
    let sum = 0;
    let restSquares = 0;
    const group = TOGETHER * Math.floor(number / TOGETHER);
    const start = SIDE_BY_SIDE * (group * this.#leadBytes + PAIR * (number - group));
    for (let component = 0; component < this.#leadBytes; component++) {
      const exact = lead.codes[component]! * ratio;
      const code = Math.round(exact);
      sum += code;
      restSquares += (exact - code) ** 2;
      const at = start + SIDE_BY_SIDE * (component - (component % PAIR)) * TOGETHER + (component % PAIR);
      for (let i = 0; i < SIDE_BY_SIDE; i++) this.#queries[at + PAIR * i] = code;
    }
    const { integers, floats } = this.#probes;
    floats[PROBE.length * number + PROBE.indexOf('squared')] = lead.length ** 2 / (2 * step);
    integers[PROBE.length * number + PROBE.indexOf('offset')] = ROW_OFFSET * sum;
    return lead.rest / step + Math.sqrt(restSquares);
  }
}
