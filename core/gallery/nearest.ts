import type { FaceId } from '../contracts/ids.ts';
import type { Candidate, Watchlist } from '../domain/ports/gallery.ts';
import type { CandidateRows } from './candidates.ts';
import { squaredDistance } from './distance.ts';
import type { Partition } from './partition.ts';
import { MEASURED, type Scanner } from './scan.ts';
import type { Segment } from './segment.ts';

/** Where a scanned segment belongs. */
export interface ScannedSegment {
  partition: Partition;
  segment: Segment;
}

/** A row whose exact distance is known. */
interface Ranked {
  faceId: FaceId;
  watchlist: Watchlist;
  /** As `squaredDistance` says. */
  squared: number;
}

/** Exact vectors that are not in memory, from the store; faces that are gone are left out. */
export type FetchVectors = (faces: readonly FaceId[]) => Promise<ReadonlyMap<FaceId, Float32Array>>;

/** Which rows are near enough: the nearest `limit` within `maxDistance`. */
export interface Nearness {
  limit: number;
  maxDistance: number;
  /** Those within this multiple of the distance of the last of them are near enough, too; default: 1. */
  reach?: number;
}

/** The means of computing exact distances: the scanner of each slab, and vectors that are in none. */
export interface Exact {
  scanners: ReadonlyMap<number, Scanner>;
  fetch: FetchVectors;
}

/** Where the nearest end it: rows whose distance is computed before it is asked whether the next can be near enough. */
const STEP = 8;

/**
 * The candidates that are near enough, by exact distance: they are taken by rising lower bound, until the next one's bound is
 * beyond the last that is asked for.
 */
export async function nearest(
  found: CandidateRows,
  scanned: readonly ScannedSegment[],
  probe: Float32Array,
  query: Nearness,
  exact: Exact,
): Promise<Candidate[]> {
  const { count } = found;
  if (count === 0) return [];
  const all = count <= query.limit;
  const order = all ? undefined : found.ascending();
  const step = all ? MEASURED : STEP;
  const kept: Ranked[] = [];
  const reach = (query.reach ?? 1) ** 2;
  /** No candidate from this place of the order on can be near enough. */
  const isBeyond = (place: number) =>
    kept.length >= query.limit &&
    found.lower[order?.[place] ?? place]! > reach * kept[query.limit - 1]!.squared;
  let fetched = NONE;
  for (let start = 0; start < count && !isBeyond(start); start += step) {
    if (start % MEASURED === 0) {
      const missing = missingOf(found, scanned, order, start);
      fetched = missing.length === 0 ? NONE : await exact.fetch(missing);
    }
    const end = Math.min(count, start + step);
    measure(found, scanned, order, { start, end }, probe, exact.scanners, fetched);
    for (let place = start; place < end; place++) {
      if (isBeyond(place)) break;
      const squared = SQUARES[place - start]!;
      if (Math.sqrt(squared) > query.maxDistance) continue;
      const candidate = order?.[place] ?? place;
      const { partition, segment } = scanned[found.segments[candidate]!]!;
      const faceId = segment.faceEver(found.rows[candidate]!);
      const row = { faceId, watchlist: partition.watchlist, squared };
      if (all) kept.push(row);
      else insert(kept, row, query.limit, reach);
    }
  }
  if (all) kept.sort(byDistance);
  return kept.map(({ faceId, watchlist, squared }) => ({ faceId, watchlist, distance: Math.sqrt(squared) }));
}

/** Exact squared distances of some candidates, read before anything else is done. */
const SQUARES = new Float64Array(MEASURED);

/** Writes the exact squared distances of the candidates from place `start` to `end` of an order; without one they are in any. */
function measure(
  found: CandidateRows,
  scanned: readonly ScannedSegment[],
  order: Uint32Array | undefined,
  { start, end }: { start: number; end: number },
  probe: Float32Array,
  scanners: Exact['scanners'],
  fetched: ReadonlyMap<FaceId, Float32Array>,
): void {
  let scanner: Scanner | undefined;
  let first = start;
  const flush = (place: number) => {
    if (scanner !== undefined) SQUARES.set(scanner.measure(probe, place - first), first - start);
    scanner = undefined;
  };
  for (let place = start; place < end; place++) {
    const candidate = order?.[place] ?? place;
    const { segment } = scanned[found.segments[candidate]!]!;
    const row = found.rows[candidate]!;
    const address = segment.exactAddress(row);
    if (address === undefined) {
      flush(place);
      SQUARES[place - start] = squaredDistance(probe, vectorOf(fetched, segment.faceEver(row)));
      continue;
    }
    const its = scanners.get(segment.exactSlab)!;
    if (its !== scanner) {
      flush(place);
      scanner = its;
      first = place;
    }
    its.measured[place - first] = address;
  }
  flush(end);
}

/** Nearest first; rows at the same distance in the order of their ids. */
function byDistance(a: Ranked, b: Ranked): number {
  return a.squared - b.squared || a.faceId - b.faceId;
}

/** The store has no vector of a face: it was erased while the search ran, or the gallery must be filled again. */
export class VectorMissing extends Error {
  override name = 'VectorMissing';
  readonly faceId: FaceId;

  constructor(faceId: FaceId) {
    super(`The store has no template of face ${faceId}, which the gallery still holds.`);
    this.faceId = faceId;
  }
}

function vectorOf(fetched: ReadonlyMap<FaceId, Float32Array>, face: FaceId): Float32Array {
  const vector = fetched.get(face);
  if (vector === undefined) throw new VectorMissing(face);
  return vector;
}

const NONE: ReadonlyMap<FaceId, Float32Array> = new Map();

/** The faces of the next MEASURED candidates whose vectors are not in memory. */
function missingOf(
  found: CandidateRows,
  scanned: readonly ScannedSegment[],
  order: Uint32Array | undefined,
  start: number,
): FaceId[] {
  const faces: FaceId[] = [];
  for (let place = start; place < Math.min(found.count, start + MEASURED); place++) {
    const candidate = order?.[place] ?? place;
    const { segment } = scanned[found.segments[candidate]!]!;
    const row = found.rows[candidate]!;
    if (!segment.hasVector(row)) faces.push(segment.faceEver(row));
  }
  return faces;
}

/** @param reach rows within this multiple of the squared distance of the last of `limit` are kept, too */
function insert(kept: Ranked[], row: Ranked, limit: number, reach: number): void {
  if (kept.length >= limit && row.squared > reach * kept[limit - 1]!.squared) return;
  let [low, high] = [0, kept.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (byDistance(kept[middle]!, row) < 0) low = middle + 1;
    else high = middle;
  }
  if (low >= limit && reach === 1) return;
  kept.splice(low, 0, row);
  while (kept.length > limit && (reach === 1 || kept.at(-1)!.squared > reach * kept[limit - 1]!.squared))
    kept.pop();
}
