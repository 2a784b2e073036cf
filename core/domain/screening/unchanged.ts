import type { FaceId } from '../../contracts/ids.ts';
import type { ScreeningFacts } from '../../contracts/validations.ts';
import type { GalleryEntry } from '../ports/gallery.ts';
import type { MatchRecord } from '../ports/screening.ts';
import { distanceOf } from '../recognition/distance.ts';
import type { Probe } from './screen.ts';

/** More than the roundings of two ways to sum a distance can differ by: a face this near is screened once more. */
const SLACK = 1e-9;

interface Screened {
  probes: readonly Probe[];
  facts: ScreeningFacts;
  matches: readonly MatchRecord[];
}

/**
 * Whether a screening would have the same matches now.
 * @param changed the faces that were changed since the screening began, as they match now; undefined: that is not known
 */
export function isUnchanged(
  { probes, facts, matches }: Screened,
  changed: ReadonlyMap<FaceId, GalleryEntry | undefined> | undefined,
): boolean {
  if (changed === undefined) return false;
  const own = new Set(probes.map(({ faceId }) => faceId));
  const matched = new Set(matches.map(({ faceId }) => faceId));
  const lists = new Set(facts.blacklists.map(({ blacklistId }) => blacklistId));
  const isNear = ({ watchlist, template }: GalleryEntry) =>
    (watchlist.kind === 'duplicate' ? facts.duplicateDetection : lists.has(watchlist.blacklistId)) &&
    probes.some((probe) => distanceOf(probe.template.vector, template.vector) <= facts.maxDistance + SLACK);
  return [...changed].every(
    ([face, entry]) => own.has(face) || !(matched.has(face) || (entry !== undefined && isNear(entry))),
  );
}
