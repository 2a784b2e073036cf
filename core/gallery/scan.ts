import type { CandidateRows } from './candidates.ts';
import { Job, JOB_BYTES } from './kernel/job.ts';
import { instantiate, type Kernel, type KernelVariant } from './kernel/kernel.ts';
import { BLOCK_ROWS, codeLayout } from './layout.ts';
import { exactErrors, factorsOf, type CodedProbe, type Shape } from './quantiser.ts';
import { SCRATCH_START } from './slab.ts';

/** Rows whose leads are looked at for a first threshold; fewer are not worth it. */
const PICK_FROM = 4_096;
const LONGEST_HEAT = 64;
/** Of so many picked rows as are asked for, some share a heat with a better one. */
const PICKS_PER_RESULT = 4;

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
/** Of these many rows the kernel lowers the threshold by itself. */
const NEAREST = 128;
/** Rows that the kernel gathers before it decides about them, and a block more. */
const GATHERED = 32 + BLOCK_ROWS;
const OUT_BYTES = (OUT_ROWS + GATHERED) * 4;
const ADMITTED_BYTES = 65_536 / 8;

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
  nearest: number;
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
    nearest: take(4 * NEAREST),
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
  /** Of every probe's bounds by codes. */
  readonly #slack: number[] = [];
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
  load(probes: readonly ScanProbe[], limit: number): void {
    for (const [i, probe] of probes.entries()) this.#loadOne(i, probe, limit);
  }

  /**
   * Reports every admitted row that can be among the nearest of a probe to its list in `found`; `segment` is the number
   * the segment gets there.
   */
  scan(segment: number, scan: SegmentScan, found: readonly CandidateRows[]): void {
    const { leadBytes, stride } = this.#shape;
    const rowBytes = scan.kind === 'codes' ? leadBytes : 4 * stride;
    const share = Math.max(BLOCK_ROWS, BLOCK_ROWS * Math.floor(SHARED_BYTES / rowBytes / BLOCK_ROWS));
    const step = found.length === 1 ? scan.rows : share;
    this.#placeSegment(scan, found.length);
    for (let first = 0; first < scan.rows; first += step)
      for (let i = 0; i < found.length; i++)
        this.#scanRows(this.#jobs[i]!, segment, scan, first, Math.min(scan.rows, first + step), found[i]!);
  }

  /**
   * Lowers the thresholds before the scan: the first rows of any scan are near enough to be reported, as long as no nearer
   * ones are known. The rows that are picked here come again in the scan.
   */
  pick(scan: SegmentScan, found: readonly CandidateRows[]): void {
    this.#placeSegment(scan, found.length);
    for (const [i, list] of found.entries()) {
      const heat = Math.min(LONGEST_HEAT, 4 * Math.floor(PICK_FROM / (4 * PICKS_PER_RESULT * list.limit)));
      if (heat < 8) continue;
      const job = this.#jobs[i]!;
      job.prepare({ threshold: list.threshold, rows: PICK_FROM, outCapacity: OUT_ROWS });
      const count = this.#kernel.pickRows(job.address, 0, heat);
      list.limitBy(this.#out.upper.subarray(0, count));
    }
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
    // Where the kernel does not lower the threshold, it must come back for a lower one.
    const outCapacity = found.limit <= NEAREST ? OUT_ROWS : Math.min(OUT_ROWS, GATHERED + found.limit);
    for (let next = first; next < end; next = job.next) {
      job.prepare({ threshold: found.threshold, rows: end, outCapacity });
      const count = run(job.address, next);
      found.threshold = job.threshold;
      if (count > 0) found.add(segment, count, rows, lower, upper);
    }
  }

  #loadOne(index: number, probe: ScanProbe, limit: number): void {
    const place = this.#layout.probes[index]!;
    const job = this.#jobs[index]!;
    const query = this.#start + place.query;
    const tailQuery = this.#start + place.tailQuery;
    const exactProbe = this.#start + place.exactProbe;
    const exact = new Float32Array(this.#memory.buffer, exactProbe, this.#shape.stride).fill(0);
    exact.set(probe.exact);
    if (probe.coded !== undefined) {
      this.#writeQuery(query, probe.coded.lead.codes);
      this.#writeQuery(tailQuery, probe.coded.tail.codes);
      const factors = factorsOf(probe.coded, this.#shape);
      job.setFloats(factors);
      this.#slack[index] = factors.slack;
    }
    const out = this.#start + this.#layout.out;
    job.setIntegers({
      query,
      tailQuery,
      exactProbe,
      leadBytes: this.#shape.leadBytes,
      tailBytes: this.#shape.tailBytes,
      tailContinues: this.#shape.tail === 'rest' ? 1 : 0,
      exactStride: this.#shape.stride,
      outRows: out,
      outLower: out + OUT_BYTES,
      outUpper: out + 2 * OUT_BYTES,
      limit: limit <= NEAREST ? limit : 0,
      nearest: this.#start + place.nearest,
      kept: 0,
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
        offAxes: this.#shape.tail === 'none' ? 0 : at(layout.offAxes),
        blockErrors: at(layout.blockErrors),
        tailCodes: at(layout.tailCodes),
        exactRows: scan.address,
      });
      job.setFloats(scan.kind === 'exact' ? exactErrors(this.#shape) : { slack: this.#slack[i]! });
    }
  }

  #writeQuery(address: number, codes: Int8Array): void {
    const { buffer } = this.#memory;
    if (this.#kernel.queryBytes === 1) new Int8Array(buffer, address, codes.length).set(codes);
    else new Int16Array(buffer, address, codes.length).set(codes);
  }
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
  for (let start = 0; start < probes.length; start += BATCH) {
    const group = probes.slice(start, start + BATCH);
    const lists = found.slice(start, start + BATCH);
    const loaded = new Map<number, Scanner>();
    const scannerOf = ({ slab }: SegmentScan) => {
      const known = loaded.get(slab);
      if (known !== undefined) return known;
      const scanner = scanners.get(slab);
      if (scanner === undefined) throw new Error(`Slab ${slab} is not known to this thread.`);
      scanner.load(group, lists[0]!.limit);
      loaded.set(slab, scanner);
      return scanner;
    };
    const first = segments.find(([, { kind, rows }]) => kind === 'codes' && rows >= PICK_FROM);
    if (first !== undefined) scannerOf(first[1]).pick(first[1], lists);
    for (const [number, segment] of segments) scannerOf(segment).scan(number, segment, lists);
    for (const list of lists) list.tighten();
  }
}
