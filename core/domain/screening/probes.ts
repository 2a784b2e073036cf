/** The selfies of a verification as probes: those that show one person are one probe, their average. */
import type { Template } from '../../contracts/faces.ts';
import type { GalleryEntry } from '../ports/gallery.ts';
import { averageTemplate, widening } from '../scores/personDistance.ts';
import { distanceAtFmr, distanceOf, type Calibration } from '../scores/scores.ts';

/** A face that is compared with others. */
export interface Probe extends Pick<GalleryEntry, 'faceId' | 'template'> {
  /** The templates that this one is the average of; absent: it is that of one photo. */
  photos?: readonly Template[];
}

/** How many photos a probe has. */
export const photosOf = ({ photos }: Probe) => photos?.length ?? 1;

/** The factor by which the distances from a probe are widened, so that they have the false match rate of one photo. */
export const wideningOf = (probe: Probe) => widening(photosOf(probe));

/**
 * Two photos of one verification count as one person up to the distance of this false match rate. Photos of one moment are far
 * nearer to each other; one pair of strangers in a thousand is as near.
 */
const SAME_PERSON_FMR = 1e-3;

/**
 * @param templates of the selfies of a verification, by one pipeline; at least one
 * @returns for each whether it shows the same person as the most central one; of equally central ones the last decides
 */
export function showSamePerson(calibration: Calibration, templates: readonly Template[]): boolean[] {
  const farthest = distanceAtFmr(calibration, SAME_PERSON_FMR);
  const distances = templates.map(({ vector }) => templates.map((other) => distanceOf(vector, other.vector)));
  const sums = distances.map((row) => row.reduce((sum, distance) => sum + distance, 0));
  const central = sums.lastIndexOf(Math.min(...sums));
  return distances[central]!.map((distance) => distance <= farthest);
}

/** The selfies of the most central person as one probe that has the face of the last of them, and each other selfie alone. */
export function probesOf(calibration: Calibration, selfies: readonly Probe[]): Probe[] {
  if (selfies.length < 2) return [...selfies];
  const templates = selfies.map(({ template }) => template);
  const isSame = showSamePerson(calibration, templates);
  const same = selfies.filter((_, i) => isSame[i]);
  const last = same.at(-1)!;
  const others = selfies.filter((_, i) => !isSame[i]);
  if (same.length === 1) return [...others, last];
  const photos = same.map(({ template }) => template);
  const { pipelineId } = last.template;
  const vector = averageTemplate(photos.map((photo) => photo.vector));
  return [...others, { faceId: last.faceId, template: { pipelineId, vector }, photos }];
}
