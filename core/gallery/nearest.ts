import type { FaceId } from '../contracts/ids.ts';
import type { CandidateRows } from './candidates.ts';
import { squaredDistance } from './distance.ts';
import type { Partition } from './partition.ts';
import { byDistance, type Ranked } from './ranking.ts';
import type { Segment } from './segment.ts';

/** Where a scanned segment belongs. */
export interface ScannedSegment {
  partition: Partition;
  segment: Segment;
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
): Promise<Ranked[]> {
  const order = Uint32Array.from({ length: found.count }, (_, i) => i).sort(
    (a, b) => found.lower[a]! - found.lower[b]!,
  );
  const kept: Ranked[] = [];
  for (let start = 0; start < order.length; start += ROUND) {
    const round = order.subarray(start, start + ROUND);
    const isDone = () => kept.length >= query.limit;
    if (isDone() && found.lower[round[0]!]! > kept.at(-1)!.squared) break;
    const rows = Array.from(round, (i) => ({
      ...scanned[found.segments[i]!]!,
      row: found.rows[i]!,
      lower: found.lower[i]!,
    }));
    const fetched = await fetchMissing(rows, fetch);
    for (const { partition, segment, row, lower } of rows) {
      if (isDone() && lower > kept.at(-1)!.squared) break;
      const faceId = segment.faceEver(row);
      const vector = segment.hasVector(row) ? segment.vector(row) : fetched?.get(faceId);
      if (vector === undefined) throw new VectorMissing(faceId);
      const squared = squaredDistance(probe, vector);
      if (Math.sqrt(squared) > query.maxDistance) continue;
      insert(
        kept,
        { faceId, watchlist: partition.watchlist, subject: segment.subject(row), squared },
        query.limit,
      );
    }
  }
  return kept;
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

async function fetchMissing(
  rows: readonly { segment: Segment; row: number }[],
  fetch: FetchVectors,
): Promise<ReadonlyMap<FaceId, Float32Array> | undefined> {
  const missing = rows.filter(({ segment, row }) => !segment.hasVector(row));
  if (missing.length === 0) return undefined;
  return fetch(missing.map(({ segment, row }) => segment.faceEver(row)));
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
