import type { FaceId } from '../contracts/ids.ts';
import type { Candidate, Watchlist } from '../domain/ports/gallery.ts';
import type { CandidateRows } from './candidates.ts';
import { squaredDistance } from './distance.ts';
import type { Partition } from './partition.ts';
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

/** Rows whose exact distance is asked for at a time: the nearest ones usually end it after the first round. */
const ROUND = 256;

/**
 * The nearest `limit` of the candidates, by exact distance: the candidates are taken by rising lower bound, until the
 * next one's bound is beyond the worst that is kept.
 */
export async function nearest(
  found: CandidateRows,
  scanned: readonly ScannedSegment[],
  probe: Float32Array,
  query: { limit: number; maxDistance: number },
  fetch: FetchVectors,
): Promise<Candidate[]> {
  const order = found.ascending();
  const kept: Ranked[] = [];
  /** No candidate from this one on can be among the nearest. */
  const isBeyond = (candidate: number) =>
    kept.length >= query.limit && found.lower[candidate]! > kept.at(-1)!.squared;
  for (let start = 0; start < order.length && !isBeyond(order[start]!); start += ROUND) {
    const round = order.subarray(start, start + ROUND);
    const fetched = await fetchMissing(found, scanned, round, fetch);
    for (const candidate of round) {
      if (isBeyond(candidate)) break;
      const { partition, segment } = scanned[found.segments[candidate]!]!;
      const row = found.rows[candidate]!;
      const faceId = segment.faceEver(row);
      const squared = segment.hasVector(row)
        ? segment.squaredDistance(row, probe)
        : squaredDistance(probe, fetched.get(faceId) ?? missing(faceId));
      if (Math.sqrt(squared) > query.maxDistance) continue;
      const { watchlist } = partition;
      insert(kept, { faceId, watchlist, squared }, query.limit);
    }
  }
  return kept.map(({ faceId, watchlist, squared }) => ({ faceId, watchlist, distance: Math.sqrt(squared) }));
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

function missing(face: FaceId): never {
  throw new VectorMissing(face);
}

const NONE: ReadonlyMap<FaceId, Float32Array> = new Map();

async function fetchMissing(
  found: CandidateRows,
  scanned: readonly ScannedSegment[],
  round: Uint32Array,
  fetch: FetchVectors,
): Promise<ReadonlyMap<FaceId, Float32Array>> {
  const faces: FaceId[] = [];
  for (const candidate of round) {
    const { segment } = scanned[found.segments[candidate]!]!;
    const row = found.rows[candidate]!;
    if (!segment.hasVector(row)) faces.push(segment.faceEver(row));
  }
  return faces.length === 0 ? NONE : fetch(faces);
}

function insert(kept: Ranked[], row: Ranked, limit: number): void {
  let [low, high] = [0, kept.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (byDistance(kept[middle]!, row) < 0) low = middle + 1;
    else high = middle;
  }
  if (low >= limit) return;
  kept.splice(low, 0, row);
  if (kept.length > limit) kept.pop();
}
