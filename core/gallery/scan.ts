import type { CandidateRows } from './candidates.ts';
import { Job, JOB_BYTES } from './kernel/job.ts';
import { instantiate, type Kernel, type KernelVariant } from './kernel/kernel.ts';
import { BLOCK_ROWS, codeLayout } from './layout.ts';
import { QUERY_OFFSET, type CodedProbe, type ProbeTerms, type Shape } from './quantiser.ts';
import { SCRATCH_START } from './slab.ts';

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

/** Probes that a scanner looks for at a time at most. */
export const BATCH = 16;
/**
 * Where several probes are looked for, each takes its turn on this many bytes of rows before any goes on: the first
 * reads them from memory, the others from the second-level cache (of half a megabyte, on small machines).
 */
const SHARED_BYTES = 2 ** 17;

interface ProbePlace {
  job: number;
  query: number;
  tailQuery: number;
  exactProbe: number;
}

interface ScratchLayout {
  probes: ProbePlace[];
  admitted: number;
  out: number;
  bytes: number;
}

/** Each thread's own part of every slab: jobs and queries, a bitmap, the results; in bytes from its start. */
function scratchLayout(shape: Shape): ScratchLayout {
  let bytes = 0;
  const take = (wanted: number) => {
    const start = bytes;
    bytes += Math.ceil(wanted / 64) * 64;
    return start;
  };
  const probes = Array.from({ length: BATCH }, () => ({
    job: take(JOB_BYTES),
    // One or two bytes per code, as the kernel asks.
    query: take(2 * shape.leadBytes),
    tailQuery: take(2 * shape.tailBytes),
    exactProbe: take(4 * shape.stride),
  }));
  return { probes, admitted: take(ADMITTED_BYTES), out: take(3 * OUT_BYTES), bytes };
}

/** What the scanners of all threads (the main one is among them) need in every slab. */
export function scratchBytes(shape: Shape, threads: number): number {
  return threads * scratchLayout(shape).bytes;
}

/** One thread's kernel on one slab, with the slab's scratch space of that thread. */
export class Scanner {
  readonly #memory: WebAssembly.Memory;
  readonly #kernel: Kernel;
  readonly #shape: Shape;
  readonly #jobs: Job[];
  readonly #out: { rows: Uint32Array; lower: Float32Array; upper: Float32Array };
  readonly #start: number;
  readonly #layout: ScratchLayout;

  constructor(memory: WebAssembly.Memory, variant: KernelVariant, shape: Shape, thread: number) {
    this.#layout = scratchLayout(shape);
    this.#start = SCRATCH_START + thread * this.#layout.bytes;
    this.#memory = memory;
    this.#kernel = instantiate(memory, variant);
    this.#shape = shape;
    this.#jobs = this.#layout.probes.map(({ job }) => new Job(memory, this.#start + job));
    const out = this.#start + this.#layout.out;
    this.#out = {
      rows: new Uint32Array(memory.buffer, out, OUT_ROWS),
      lower: new Float32Array(memory.buffer, out + OUT_BYTES, OUT_ROWS),
      upper: new Float32Array(memory.buffer, out + 2 * OUT_BYTES, OUT_ROWS),
    };
  }

  /** Places the probes, at most BATCH; the scans that follow look for them. */
  load(probes: readonly ScanProbe[]): void {
    for (const [i, probe] of probes.entries()) this.#loadOne(i, probe);
  }

  /**
   * Reports every admitted row that can be among the nearest of a probe to its list in `found`; `segment` is the number
   * the segment gets there.
   */
  scan(segment: number, scan: SegmentScan, found: readonly CandidateRows[]): void {
    const { leadBytes, tailBytes, stride } = this.#shape;
    const rowBytes = scan.kind === 'codes' ? leadBytes + tailBytes : 4 * stride;
    const share = Math.max(BLOCK_ROWS, BLOCK_ROWS * Math.floor(SHARED_BYTES / rowBytes / BLOCK_ROWS));
    const step = found.length === 1 ? scan.rows : share;
    this.#placeSegment(scan, found.length);
    for (let first = 0; first < scan.rows; first += step)
      for (let i = 0; i < found.length; i++)
        this.#scanRows(this.#jobs[i]!, segment, scan, first, Math.min(scan.rows, first + step), found[i]!);
  }

  #scanRows(
    job: Job,
    segment: number,
    { kind }: SegmentScan,
    first: number,
    end: number,
    found: CandidateRows,
  ): void {
    const run = kind === 'codes' ? this.#kernel.scanCodes : this.#kernel.scanExact;
    const { rows, lower, upper } = this.#out;
    // The kernel stops where another block of 64 may not fit.
    const outCapacity = Math.min(OUT_ROWS, BLOCK_ROWS + found.portion);
    for (let next = first; next < end; next = job.next) {
      job.prepare({ threshold: found.threshold, rows: end, outCapacity });
      const count = run(job.address, next);
      if (count > 0) found.add(segment, count, rows, lower, upper);
    }
  }

  #loadOne(index: number, probe: ScanProbe): void {
    const place = this.#layout.probes[index]!;
    const job = this.#jobs[index]!;
    const query = this.#start + place.query;
    const tailQuery = this.#start + place.tailQuery;
    const exactProbe = this.#start + place.exactProbe;
    const exact = new Float32Array(this.#memory.buffer, exactProbe, this.#shape.stride).fill(0);
    exact.set(probe.exact);
    if (probe.coded !== undefined) {
      this.#writeQuery(query, probe.coded.lead);
      this.#writeQuery(tailQuery, probe.coded.tail);
      job.setFloats(factorsOf(probe.coded, this.#shape));
    }
    const out = this.#start + this.#layout.out;
    job.setIntegers({
      query,
      tailQuery,
      exactProbe,
      leadBytes: this.#shape.leadBytes,
      tailBytes: this.#shape.tailBytes,
      exactStride: this.#shape.stride,
      outRows: out,
      outLower: out + OUT_BYTES,
      outUpper: out + 2 * OUT_BYTES,
    });
  }

  #placeSegment(scan: SegmentScan, probes: number): void {
    const layout = codeLayout(this.#shape, scan.capacity);
    const at = (offset: number) => scan.address + offset;
    const admitted = this.#start + this.#layout.admitted;
    if (scan.admitted !== undefined)
      new Uint8Array(this.#memory.buffer, admitted, ADMITTED_BYTES).set(scan.admitted);
    for (let i = 0; i < probes; i++) {
      const job = this.#jobs[i]!;
      job.setIntegers({
        admitted: scan.admitted === undefined ? 0 : admitted,
        codes: at(layout.codes),
        codeNorms: at(layout.norms),
        codeSums: at(layout.sums),
        offAxes: this.#shape.tailBytes === 0 ? 0 : at(layout.offAxes),
        blockErrors: at(layout.blockErrors),
        tailCodes: at(layout.tailCodes),
        tailSums: at(layout.tailSums),
        exactRows: scan.address,
      });
      if (scan.kind === 'exact') job.setFloats(exactErrors(this.#shape));
    }
  }

  #writeQuery(address: number, codes: Uint8Array): void {
    const { buffer } = this.#memory;
    if (this.#kernel.queryBytes === 1) new Uint8Array(buffer, address, codes.length).set(codes);
    else new Int16Array(buffer, address, codes.length).set(codes);
  }
}

/** d² = |x|² + |y|² − 2 x·y, with x·y = t·(S′ − 64 Σr) and S′ the kernel's sum over codes without a sign. */
function factorsOf({ squared, leadTerms, tailTerms, offAxes, lead, tail }: CodedProbe, shape: Shape) {
  const sumFactor = (terms: ProbeTerms) => 2 * QUERY_OFFSET * terms.step;
  return {
    probeSquared: squared,
    leadSumFactor: sumFactor(leadTerms),
    leadFactor: -2 * leadTerms.step,
    offAxesFactor: -2 * offAxes,
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
      2 * offAxes * FARTHEST +
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

/**
 * Scans segments, numbered for `found`, each with the scanner of its slab. A slab's probes are placed once per group of
 * BATCH, so the segments of a group are scanned before the next group begins.
 * @param found one list for each probe.
 */
export function scanAll(
  scanners: ReadonlyMap<number, Scanner>,
  probes: readonly ScanProbe[],
  segments: readonly (readonly [number, SegmentScan])[],
  found: readonly CandidateRows[],
): void {
  for (let first = 0; first < probes.length; first += BATCH) {
    const group = probes.slice(first, first + BATCH);
    const lists = found.slice(first, first + BATCH);
    const loaded = new Set<number>();
    for (const [number, segment] of segments) {
      const scanner = scanners.get(segment.slab);
      if (scanner === undefined) throw new Error(`Slab ${segment.slab} is not known to this thread.`);
      if (!loaded.has(segment.slab)) scanner.load(group);
      loaded.add(segment.slab);
      scanner.scan(number, segment, lists);
    }
    for (const list of lists) list.tighten();
  }
}
