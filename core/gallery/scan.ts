import type { CandidateRows } from './candidates.ts';
import { Job, JOB_BYTES } from './kernel/job.ts';
import { instantiate, type Kernel, type KernelVariant } from './kernel/kernel.ts';
import { BLOCK_ROWS, codeLayout } from './layout.ts';
import { QUERY_OFFSET, type CodedProbe, type ProbeTerms, type Shape } from './quantiser.ts';
import { SCRATCH_BYTES, SCRATCH_START } from './slab.ts';

/** A segment as the scanning thread sees it: numbers only, so that it can be sent. */
export interface SegmentScan {
  slab: number;
  kind: 'codes' | 'exact';
  address: number;
  capacity: number;
  rows: number;
  admitted: Uint8Array | undefined;
}

/** A probe as the kernels need it. */
export interface ScanProbe {
  exact: Float32Array;
  /** Absent while nothing is coded. */
  coded: CodedProbe | undefined;
}

/** Rows that one call of the kernel reports at most: beyond this the threshold is tightened first. */
const OUT_ROWS = 1_024;
/** The kernel writes up to four lanes beyond the last reported row. */
const OUT_BYTES = OUT_ROWS * 4 + 64;
const ADMITTED_BYTES = 65_536 / 8;

/**
 * Errors of single precision in the kernel's few operations, relative to the largest magnitudes in it: at most ten
 * roundings of 2^-24 each are below 2^-20; twice that.
 */
const SLACK = 2 ** -19;

/** One thread's kernel on one slab, with the slab's scratch space of that thread. */
export class Scanner {
  readonly #memory: WebAssembly.Memory;
  readonly #kernel: Kernel;
  readonly #shape: Shape;
  readonly #job: Job;
  readonly #out: { rows: Uint32Array; lower: Float32Array; upper: Float32Array };
  readonly #at: { query: number; tailQuery: number; exactProbe: number; admitted: number; out: number };

  constructor(memory: WebAssembly.Memory, variant: KernelVariant, shape: Shape, thread: number) {
    const start = SCRATCH_START + thread * SCRATCH_BYTES;
    this.#memory = memory;
    this.#kernel = instantiate(memory, variant);
    this.#shape = shape;
    this.#job = new Job(memory, start);
    const query = start + Math.ceil(JOB_BYTES / 64) * 64;
    const tailQuery = query + shape.leadBytes * this.#kernel.queryBytes;
    const exactProbe = tailQuery + shape.tailBytes * this.#kernel.queryBytes;
    const admitted = exactProbe + Math.ceil((shape.stride * 4) / 64) * 64;
    const out = admitted + ADMITTED_BYTES;
    this.#at = { query, tailQuery, exactProbe, admitted, out };
    this.#out = {
      rows: new Uint32Array(memory.buffer, out, OUT_ROWS),
      lower: new Float32Array(memory.buffer, out + OUT_BYTES, OUT_ROWS),
      upper: new Float32Array(memory.buffer, out + 2 * OUT_BYTES, OUT_ROWS),
    };
    if (out + 3 * OUT_BYTES > start + SCRATCH_BYTES)
      throw new RangeError(`Templates of ${shape.dimensions} components are too long for this gallery.`);
  }

  /** Places the probe; the scans that follow use it. */
  load(probe: ScanProbe): void {
    const { query, tailQuery, exactProbe } = this.#at;
    const exact = new Float32Array(this.#memory.buffer, exactProbe, this.#shape.stride).fill(0);
    exact.set(probe.exact);
    if (probe.coded !== undefined) {
      this.#writeQuery(query, probe.coded.lead);
      this.#writeQuery(tailQuery, probe.coded.tail);
      this.#job.setFloats(factorsOf(probe.coded, this.#shape));
    }
    this.#job.setIntegers({
      query,
      tailQuery,
      exactProbe,
      leadBytes: this.#shape.leadBytes,
      tailBytes: this.#shape.tailBytes,
      exactStride: this.#shape.stride,
      outRows: this.#at.out,
      outLower: this.#at.out + OUT_BYTES,
      outUpper: this.#at.out + 2 * OUT_BYTES,
    });
  }

  /** Reports to `found` every admitted row that can be among its nearest; `segment` is the number they get there. */
  scan(segment: number, scan: SegmentScan, found: CandidateRows): void {
    this.#placeSegment(scan);
    const run = scan.kind === 'codes' ? this.#kernel.scanCodes : this.#kernel.scanExact;
    if (scan.kind === 'exact') this.#job.setFloats(exactErrors(this.#shape));
    const { rows, lower, upper } = this.#out;
    // The kernel stops where another block of 64 may not fit.
    this.#job.setIntegers({ outCapacity: Math.min(OUT_ROWS, BLOCK_ROWS + found.portion) });
    for (let next = 0; next < scan.rows; next = this.#job.next) {
      this.#job.threshold = found.threshold;
      const count = run(this.#job.address, next);
      found.add(segment, count, rows, lower, upper);
    }
  }

  #placeSegment(scan: SegmentScan): void {
    const layout = codeLayout(this.#shape, scan.capacity);
    const at = (offset: number) => scan.address + offset;
    if (scan.admitted !== undefined)
      new Uint8Array(this.#memory.buffer, this.#at.admitted, ADMITTED_BYTES).set(scan.admitted);
    this.#job.setIntegers({
      rows: scan.rows,
      admitted: scan.admitted === undefined ? 0 : this.#at.admitted,
      codes: at(layout.codes),
      codeNorms: at(layout.norms),
      codeSums: at(layout.sums),
      tailNorms: this.#shape.tailBytes === 0 ? 0 : at(layout.tailNorms),
      blockErrors: at(layout.blockErrors),
      tailCodes: at(layout.tailCodes),
      tailSums: at(layout.tailSums),
      exactRows: scan.address,
    });
  }

  #writeQuery(address: number, codes: Uint8Array): void {
    const { buffer } = this.#memory;
    if (this.#kernel.queryBytes === 1) new Uint8Array(buffer, address, codes.length).set(codes);
    else new Int16Array(buffer, address, codes.length).set(codes);
  }
}

/** d² = |x|² + |y|² − 2 x·y, with x·y = t·(S′ − 64 Σr) and S′ the kernel's sum over codes without a sign. */
function factorsOf({ squared, leadTerms, tailTerms, lead, tail }: CodedProbe, shape: Shape) {
  const sumFactor = (terms: ProbeTerms) => 2 * QUERY_OFFSET * terms.step;
  return {
    probeSquared: squared,
    leadSumFactor: sumFactor(leadTerms),
    leadFactor: -2 * leadTerms.step,
    tailNormFactor: -2 * tailTerms.length,
    tailSumFactor: sumFactor(tailTerms),
    tailFactor: -2 * tailTerms.step,
    leadCodeError: 2 * leadTerms.rest,
    leadRowError: 2 * leadTerms.length,
    tailCodeError: 2 * tailTerms.rest,
    tailRowError: 2 * tailTerms.length,
    slack: SLACK * magnitude(),
  };

  /** Above every intermediate value of the kernel; a unit template's distance from a centre within the ball is at most 2. */
  function magnitude(): number {
    const partial = (terms: ProbeTerms, codes: Uint8Array, bytes: number) =>
      2 * terms.step * 127 * (QUERY_OFFSET * bytes + codes.reduce((sum, code) => sum + code, 0)) +
      2 * (terms.rest * 127 * Math.sqrt(bytes) + terms.length * FARTHEST);
    return (
      squared +
      FARTHEST ** 2 +
      2 * tailTerms.length * FARTHEST +
      partial(leadTerms, lead, shape.leadBytes) +
      partial(tailTerms, tail, shape.tailBytes)
    );
  }
}

/** No row is further than this from the centre: both lie in the unit ball (with room for rounding). */
const FARTHEST = 2.1;

/**
 * A sum of n squares of single-precision differences is wrong by a factor of at most (1 ± 2^-24)^(n/8 + 8), because
 * nothing in it cancels; the absolute part covers what is too small for single precision.
 */
function exactErrors(shape: Shape) {
  return { exactRelativeError: (shape.stride / 8 + 8) * 2 ** -23, slack: 1e-30 };
}

/** Scans segments, numbered for `found`, each with the scanner of its slab. */
export function scanAll(
  scanners: ReadonlyMap<number, Scanner>,
  probe: ScanProbe,
  segments: readonly (readonly [number, SegmentScan])[],
  found: CandidateRows,
): void {
  const loaded = new Set<number>();
  for (const [number, segment] of segments) {
    const scanner = scanners.get(segment.slab);
    if (scanner === undefined) throw new Error(`Slab ${segment.slab} is not known to this thread.`);
    if (!loaded.has(segment.slab)) scanner.load(probe);
    loaded.add(segment.slab);
    scanner.scan(number, segment, found);
  }
  found.tighten();
}
