import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { CandidateRows } from './candidates.ts';
import { bestVariant, type KernelVariant } from './kernel/kernel.ts';
import type { Store } from './partition.ts';
import { encodeProbes, shapeOf, type Scale } from './quantiser.ts';
import type { Nearness } from './nearest.ts';
import { Background } from './portions.ts';
import { Readers } from './readers.ts';
import { Scanner, scanAll, scratchBytes, type ScanProbe, type SegmentScan } from './scan.ts';
import { ScanPool } from './scanPool.ts';
import { Slabs } from './slab.ts';

export interface EngineOptions {
  /** Along how many axes a template is scanned first; as many as it has components: it is scanned whole. */
  primaryLength?: number;
  /** Bytes of exact vectors to keep in memory; what is beyond stays on disk and is read row by row. Default: all. */
  exactBudget?: number;
  /** Threads beside this one for large scans; 0: this one does all. Default: the processors less one. */
  threads?: number;
  /** Scans of fewer bytes stay on this thread: they are over sooner than another would have heard of them. */
  aloneBytes?: number;
  /** How long work in the background keeps others waiting at a time, in milliseconds; 0: as little as can be done. */
  portionMs?: number;
  /** Which kernel; default: the best that this engine runs. */
  kernel?: KernelVariant;
}

/** Memory and threads for templates of one length. */
export interface Engine {
  store: Store;
  scanners: ReadonlyMap<number, Scanner>;
  pool: ScanPool | undefined;
  aloneBytes: number;
}

const ALONE_BYTES = 4 * 2 ** 20;
/** No two unit vectors are further apart than 2; keeps thresholds finite. */
const MAX_DISTANCE = 2.1;
/** A double that is rounded to float32 after this factor is not below itself. */
const ROUND_UP = 1 + 2 ** -22;

export function createEngine(options: EngineOptions, dimensions: number): Engine {
  const threads = options.threads ?? Math.max(1, availableParallelism() - 1);
  const variant = options.kernel ?? bestVariant();
  const shape = shapeOf(dimensions, options.primaryLength);
  const scanners = new Map<number, Scanner>();
  const slabs = new Slabs(scratchBytes(shape, threads + 1), (slab) => {
    scanners.set(slab.index, new Scanner(slab.memory, variant, shape, 0));
    pool?.share(slab);
  });
  const worker = fileURLToPath(new URL('./scanWorker.ts', import.meta.url));
  const pool = threads > 0 ? new ScanPool(threads, worker, variant, shape, slabs.all) : undefined;
  const exact = { used: 0, budget: options.exactBudget ?? Infinity };
  return {
    store: { shape, slabs, readers: new Readers(), background: new Background(options.portionMs), exact },
    scanners,
    pool,
    aloneBytes: options.aloneBytes ?? ALONE_BYTES,
  };
}

/** Vectors as a scan needs them. @param scale in which the segments are coded; absent while none is */
export function scanProbes(
  { store }: Engine,
  scale: Scale | undefined,
  vectors: readonly Float32Array[],
): ScanProbe[] {
  const coded = scale === undefined ? [] : encodeProbes(scale, store.shape, vectors);
  return vectors.map((exact, i) => ({ exact, coded: coded[i] }));
}

/**
 * Rows that can be near enough to each probe: on this thread, or on others when it
 * takes long. @returns a list for each probe.
 */
export async function scanSegments(
  { store, scanners, pool, aloneBytes }: Engine,
  probes: readonly ScanProbe[],
  query: Nearness,
  scans: readonly SegmentScan[],
): Promise<CandidateRows[]> {
  const { shape } = store;
  const threshold = Math.min(query.maxDistance, MAX_DISTANCE) ** 2 * ROUND_UP;
  const reach = (query.reach ?? 1) ** 2 * ROUND_UP;
  const bytes = scans.reduce(
    (sum, scan) => sum + scan.rows * (scan.kind === 'codes' ? shape.primaryBytes : 4 * shape.stride),
    0,
  );
  if (pool !== undefined && bytes * probes.length > aloneBytes)
    return pool.scan(probes, scans, query.limit, threshold, reach);
  const found = probes.map(() => new CandidateRows(query.limit, threshold, reach));
  scanAll(scanners, probes, [...scans.entries()], found);
  return found;
}
