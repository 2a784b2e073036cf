import type { FaceId } from '../contracts/ids.ts';
import type { Candidate, GalleryQuery, SubjectKey, Watchlist } from '../domain/ports/gallery.ts';

/** A row whose exact distance is known. */
export interface Ranked {
  faceId: FaceId;
  watchlist: Watchlist;
  subject: SubjectKey | undefined;
  /** Squared, as `squaredDistance` says. */
  squared: number;
}

/** Nearest first; rows at the same distance in the order of their ids. */
export function byDistance(a: Ranked, b: Ranked): number {
  return a.squared - b.squared || a.faceId - b.faceId;
}

/** Orders rows and cuts them to what the query asks for. */
export function rank(rows: Ranked[], query: Pick<GalleryQuery, 'limit' | 'per'>): Candidate[] {
  rows.sort(byDistance);
  const kept = query.per === 'subject' ? nearestOfEach(rows) : rows;
  return kept.slice(0, query.limit).map(({ faceId, watchlist, squared }) => ({
    faceId,
    watchlist,
    distance: Math.sqrt(squared),
  }));
}

function nearestOfEach(ordered: readonly Ranked[]): Ranked[] {
  const seen = new Set<SubjectKey>();
  return ordered.filter(({ subject }) => {
    if (subject === undefined) return true;
    if (seen.has(subject)) return false;
    seen.add(subject);
    return true;
  });
}
