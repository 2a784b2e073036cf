import type { FaceId } from '../contracts/ids.ts';
import type { Candidate, Watchlist } from '../domain/ports/gallery.ts';
import type { CandidateRows } from './candidates.ts';
import { squaredDistances, TOGETHER } from './distance.ts';
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
  if (found.count === 0) return [];
  const order = found.ascending();
  const kept: Ranked[] = [];
  const vectors: Float32Array[] = [];
  const starts: number[] = [];
  const squares = new Float64Array(TOGETHER);
  /** No candidate from this one on can be among the nearest. */
  const isBeyond = (candidate: number) =>
    kept.length >= query.limit && found.lower[candidate]! > kept.at(-1)!.squared;
  for (let start = 0; start < order.length && !isBeyond(order[start]!); start += ROUND) {
    const round = order.subarray(start, start + ROUND);
    const fetched = await fetchMissing(found, scanned, round, fetch);
    for (let first = 0; first < round.length && !isBeyond(round[first]!); first += TOGETHER) {
      for (let i = 0; i < TOGETHER; i++) {
        // The last four may be fewer: then one of them stands for those that are not there.
        const candidate = round[first + i] ?? round[first]!;
        const { segment } = scanned[found.segments[candidate]!]!;
        const row = found.rows[candidate]!;
        const here = segment.exactStart(row);
        vectors[i] = here === undefined ? vectorOf(fetched, segment.faceEver(row)) : segment.exact;
        starts[i] = here ?? 0;
      }
      squaredDistances(probe, vectors, starts, squares);
      for (let i = 0; i < TOGETHER && first + i < round.length; i++) {
        const candidate = round[first + i]!;
        const squared = squares[i]!;
        if (isBeyond(candidate)) break;
        if (Math.sqrt(squared) > query.maxDistance) continue;
        const { partition, segment } = scanned[found.segments[candidate]!]!;
        const faceId = segment.faceEver(found.rows[candidate]!);
        insert(kept, { faceId, watchlist: partition.watchlist, squared }, query.limit);
      }
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

function vectorOf(fetched: ReadonlyMap<FaceId, Float32Array>, face: FaceId): Float32Array {
  const vector = fetched.get(face);
  if (vector === undefined) throw new VectorMissing(face);
  return vector;
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
