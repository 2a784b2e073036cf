import type { CandidateRows } from './candidates.ts';
import { Job, JOB_BYTES, Place, PLACE_BYTES } from './kernel/job.ts';
import { instantiate, type Kernel, type KernelVariant, type Scan } from './kernel/kernel.ts';
import { BLOCK_ROWS, codeLayout } from './layout.ts';
import { exactErrors, factorsOf, type CodedProbe, type Shape } from './quantiser.ts';
import { Sift, siftLayout, SIFTED_FROM, SIFTED_ROWS, TOGETHER } from './sift.ts';
import { SCRATCH_START } from './slab.ts';

/** Rows that a scan begins with by weighing them, to have a first threshold; fewer are not worth it. */
const WEIGHED = 8_192;
const WEIGHED_FROM = 1_024;
const LONGEST_HEAT = 64;
/** Of so many heats as rows are asked for, some have two of them. */
const HEATS_PER_RESULT = 4;

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
const NEAREST = 256;
/** Rows that the kernel gathers before it decides about them, and a block more. */
const GATHERED = 32 + BLOCK_ROWS;
/** The same of rows that were sifted for several probes. */
const SIFTED_OUT = 2 * TOGETHER * SIFTED_ROWS;
const OUT_BYTES = Math.max(OUT_ROWS + GATHERED, SIFTED_OUT) * 4;
const ADMITTED_BYTES = 65_536 / 8;

/** Rows whose exact distances a scanner computes at a time at most; a multiple of eight. */
export const MEASURED = 256;

/** Probes that a scanner looks for at a time at most. */
export const BATCH = 256;
/**
 * Where several probes are looked for, each takes its turn on this many bytes of rows before any continues: the first
 * reads them from memory, the others from the second-level cache (of half a megabyte, on small machines).
 */
const SHARED_BYTES = 2 ** 17;

interface ProbePlace {
  job: number;
  query: number;
  residualQuery: number;
  exactProbe: number;
  nearest: number;
}

interface ScratchLayout {
  probes: ProbePlace[];
  segment: number;
  admitted: number;
  weighed: number;
  out: number;
  measured: { probe: number; rows: number; squares: number };
  sift: Record<keyof ReturnType<typeof siftLayout>, number>;
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
    query: take(2 * shape.primaryBytes),
    residualQuery: take(2 * shape.residualBytes),
    exactProbe: take(4 * shape.stride),
    nearest: take(4 * NEAREST),
  }));
  return {
    probes,
    segment: take(PLACE_BYTES),
    admitted: take(ADMITTED_BYTES),
    weighed: take(4 * WEIGHED),
    out: take(3 * OUT_BYTES),
    measured: {
      probe: take(4 * shape.stride),
      rows: take(4 * MEASURED),
      squares: take(8 * MEASURED),
    },
    sift: mapValues(siftLayout(shape.primaryBytes, BATCH, SIFTED_OUT), take),
    bytes,
  };
}

function mapValues<K extends string>(
  values: Record<K, number>,
  map: (value: number) => number,
): Record<K, number> {
  const entries = Object.entries<number>(values).map(([key, value]) => [key, map(value)] as const);
  return Object.fromEntries(entries) as Record<K, number>;
}

/** The areas that the scanners of all threads, the main thread included, need in every slab. */
export function scratchBytes(shape: Shape, threads: number): number {
  return threads * scratchLayout(shape).bytes;
}

/** The part of a probe's scratch memory that every search rewrites. */
interface ProbeViews {
  query: Int8Array | Int16Array;
  residualQuery: Int8Array | Int16Array;
  exact: Float32Array;
}

/** One thread's kernel on one slab, with the slab's scratch space of that thread. */
export class Scanner {
  readonly #kernel: Kernel;
  readonly #shape: Shape;
  readonly #jobs: Job[];
  readonly #probes: ProbeViews[];
  readonly #place: Place;
  readonly #admitted: Uint8Array;
  readonly #out: { rows: Uint32Array; lower: Float32Array; upper: Float32Array; probes: Uint32Array };
  readonly #measured: { probe: Float32Array; rows: Uint32Array; squares: Float64Array };
  readonly #sift: Sift;
  /** Whether the probes can be sifted for. */
  #sifts = false;

  constructor(memory: WebAssembly.Memory, variant: KernelVariant, shape: Shape, thread: number) {
    const layout = scratchLayout(shape);
    const start = SCRATCH_START + thread * layout.bytes;
    const { buffer } = memory;
    this.#kernel = instantiate(memory, variant);
    this.#shape = shape;
    this.#place = new Place(memory, start + layout.segment);
    this.#admitted = new Uint8Array(buffer, start + layout.admitted, ADMITTED_BYTES);
    const out = start + layout.out;
    this.#out = {
      rows: new Uint32Array(buffer, out, SIFTED_OUT),
      lower: new Float32Array(buffer, out + OUT_BYTES, SIFTED_OUT),
      upper: new Float32Array(buffer, out + 2 * OUT_BYTES, SIFTED_OUT),
      probes: new Uint32Array(buffer, start + layout.sift.outProbes, SIFTED_OUT),
    };
    const { probe, rows, squares } = layout.measured;
    this.#measured = {
      probe: new Float32Array(buffer, start + probe, shape.dimensions),
      rows: new Uint32Array(buffer, start + rows, MEASURED),
      squares: new Float64Array(buffer, start + squares, MEASURED),
    };
    const queryOf = (address: number, codes: number) =>
      this.#kernel.queryBytes === 1
        ? new Int8Array(buffer, start + address, codes)
        : new Int16Array(buffer, start + address, codes);
    this.#probes = layout.probes.map(({ query, residualQuery, exactProbe }) => ({
      query: queryOf(query, shape.primaryBytes),
      residualQuery: queryOf(residualQuery, shape.residualBytes),
      exact: new Float32Array(buffer, start + exactProbe, shape.dimensions),
    }));
    const { exactRelativeError, slack } = exactErrors(shape);
    this.#jobs = layout.probes.map((each) => {
      const job = new Job(memory, start + each.job);
      job.setIntegers({
        place: this.#place.address,
        query: start + each.query,
        residualQuery: start + each.residualQuery,
        exactProbe: start + each.exactProbe,
        nearest: start + each.nearest,
        primaryBytes: shape.primaryBytes,
        residualBytes: shape.residualBytes,
        exactStride: shape.stride,
        weighed: start + layout.weighed,
        outRows: out,
        outLower: out + OUT_BYTES,
        outUpper: out + 2 * OUT_BYTES,
      });
      job.setFloats({ exactRelativeError, exactSlack: slack });
      return job;
    });
    const at = mapValues(layout.sift, (address) => start + address);
    this.#sift = new Sift(memory, at, {
      place: this.#place.address,
      primaryLength: shape.primaryLength,
      primaryBytes: shape.primaryBytes,
      jobs: this.#jobs.map(({ address }) => address),
      bits: this.#kernel.sumBits,
    });
  }

  /** Places the probes, at most BATCH; the scans that follow look for them. */
  load(probes: readonly ScanProbe[], { limit, reach, threshold }: CandidateRows): void {
    for (const [i, { exact, coded }] of probes.entries()) {
      const views = this.#probes[i]!;
      const job = this.#jobs[i]!;
      job.begin(limit <= NEAREST ? limit : 0, reach);
      views.exact.set(exact);
      if (coded === undefined) continue;
      views.query.set(coded.primary.codes);
      views.residualQuery.set(coded.residual.codes);
      job.setFloats(factorsOf(coded));
    }
    const coded = probes.flatMap((probe) => probe.coded ?? []);
    // A threshold that falls with every near row is worth more than sixteen bits.
    this.#sifts =
      limit > NEAREST &&
      coded.length === probes.length &&
      probes.length >= SIFTED_FROM &&
      this.#sift.load(coded, threshold);
  }

  /**
   * Reports every admitted row that can be among the nearest of a probe to its list in `found`; `segment` is the number
   * the segment gets there. @param first the row to begin with.
   */
  scan(segment: number, scan: SegmentScan, found: readonly CandidateRows[], first = 0): void {
    const { primaryBytes, stride } = this.#shape;
    const rowBytes = scan.kind === 'codes' ? primaryBytes : 4 * stride;
    const share = Math.max(BLOCK_ROWS, BLOCK_ROWS * Math.floor(SHARED_BYTES / rowBytes / BLOCK_ROWS));
    const step = found.length === 1 ? scan.rows : share;
    const run = scan.kind === 'codes' ? this.#kernel.scanCodes : this.#kernel.scanExact;
    this.#placeSegment(scan);
    if (this.#sifts && scan.kind === 'codes') {
      for (const [i, list] of found.entries()) this.#jobs[i]!.prepare(list.threshold, scan.rows, SIFTED_OUT);
      for (let start = first; start < scan.rows; start += SIFTED_ROWS)
        this.#siftRows(
          segment,
          { first: start, end: Math.min(scan.rows, start + SIFTED_ROWS), rows: scan.rows },
          found,
        );
      return;
    }
    for (let start = first; start < scan.rows; start += step)
      for (let i = 0; i < found.length; i++)
        this.#scanRows(this.#jobs[i]!, run, segment, start, Math.min(scan.rows, start + step), found[i]!);
  }

  /** The same of a portion of rows, for all probes together where sixteen bits suffice. */
  #siftRows(
    segment: number,
    { first, end, rows }: { first: number; end: number; rows: number },
    found: readonly CandidateRows[],
  ): void {
    const { prepareRows, scanCodes, siftRows } = this.#kernel;
    const { address } = this.#sift;
    const whole = BLOCK_ROWS * Math.ceil(end / BLOCK_ROWS);
    if (prepareRows(address, first, whole) === 0) {
      for (const [i, list] of found.entries()) {
        this.#scanRows(this.#jobs[i]!, scanCodes, segment, first, end, list);
        this.#jobs[i]!.prepare(list.threshold, rows, SIFTED_OUT);
      }
      return;
    }
    for (let next = 0; next < found.length; next = this.#sift.next) {
      const count = siftRows(address, first, whole, next);
      const { rows: reported, lower, upper, probes } = this.#out;
      for (let i = 0; i < count; i++) {
        const probe = probes[i]!;
        const list = found[probe]!;
        list.addOne(segment, reported[i]!, lower[i]!, upper[i]!);
        this.#jobs[probe]!.threshold = list.threshold;
      }
    }
  }

  /**
   * The same of the first rows of a coded segment, by weighing them: while no near rows are known, all that a scan meets are
   * near enough to be reported. @returns the row to go on with.
   */
  scanFirst(segment: number, scan: SegmentScan, found: readonly CandidateRows[]): number {
    const rows = Math.min(WEIGHED, scan.rows);
    const { limit } = found[0]!;
    const heat = Math.min(LONGEST_HEAT, 4 * Math.floor(rows / (4 * HEATS_PER_RESULT * limit)));
    if (rows < WEIGHED_FROM || heat < 8) return 0;
    this.#placeSegment(scan);
    const { scanWeighed, weighRows } = this.#kernel;
    for (const [i, list] of found.entries()) {
      const job = this.#jobs[i]!;
      job.prepare(list.threshold, rows, OUT_ROWS);
      this.#take(job, weighRows(job.address, 0, heat), segment, list);
      this.#scanRows(job, (address, from) => scanWeighed(address, 0, from), segment, 0, rows, list);
    }
    return rows;
  }

  /** The addresses of rows to measure, at most MEASURED; their writer calls {@link measure}. */
  get measured(): Uint32Array {
    return this.#measured.rows;
  }

  /** @returns how far the first `count` of them are from the probe, as `squaredDistance` says; overwritten by the next call */
  measure(vector: Float32Array, count: number): Float64Array {
    const { probe, rows, squares } = this.#measured;
    probe.set(vector);
    // Some of the last eight may be missing.
    for (let i = count; i % 8 !== 0; i++) rows[i] = rows[0]!;
    this.#kernel.measureRows(
      probe.byteOffset,
      rows.byteOffset,
      count,
      this.#shape.stride,
      squares.byteOffset,
    );
    return squares.subarray(0, count);
  }

  #scanRows(job: Job, run: Scan, segment: number, first: number, end: number, found: CandidateRows): void {
    // Where the kernel does not lower the threshold, it must come back for a lower one.
    const outCapacity = found.limit <= NEAREST ? OUT_ROWS : Math.min(OUT_ROWS, GATHERED + found.limit);
    for (let next = first; next < end; next = job.next) {
      job.prepare(found.threshold, end, outCapacity);
      this.#take(job, run(job.address, next), segment, found);
    }
  }

  /** Takes over what the kernel has reported. */
  #take(job: Job, count: number, segment: number, found: CandidateRows): void {
    const { rows, lower, upper } = this.#out;
    found.threshold = job.threshold;
    if (count > 0) found.add(segment, count, rows, lower, upper);
  }

  #placeSegment(scan: SegmentScan): void {
    const layout = codeLayout(this.#shape, scan.capacity);
    const { address } = scan;
    if (scan.admitted !== undefined) this.#admitted.set(scan.admitted);
    this.#place.set({
      codes: address + layout.codes,
      codeNorms: address + layout.norms,
      offAxes: this.#shape.residualLength === 0 ? 0 : address + layout.offAxes,
      blockErrors: address + layout.blockErrors,
      residualCodes: address + layout.residualCodes,
      exactRows: address,
      admitted: scan.admitted === undefined ? 0 : this.#admitted.byteOffset,
    });
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
      scanner.load(group, lists[0]!);
      loaded.set(slab, scanner);
      return scanner;
    };
    let largest: readonly [number, SegmentScan] | undefined;
    for (const each of segments)
      if (each[1].kind === 'codes' && each[1].rows > (largest?.[1].rows ?? 0)) largest = each;
    const begun = largest === undefined ? 0 : scannerOf(largest[1]).scanFirst(...largest, lists);
    for (const each of segments) scannerOf(each[1]).scan(...each, lists, each === largest ? begun : 0);
    // The kernel has brought the thresholds down already where it counts the nearest.
    for (const list of lists)
      if (list.limit <= NEAREST) list.dropBeyond();
      else list.tighten();
  }
}
