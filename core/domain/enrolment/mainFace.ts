import type { FoundFaces } from '../../contracts/dashboard/enrolmentRuns.ts';

/** The main face is at least so many times as wide as every other face. */
const TIMES_AS_WIDE = 1.5;
/** A main face is at least this share of the long side; smaller ones might have been found in part only. */
const LEAST_SHARE = 0.1;
/** The centre of the main face lies within this share of the width of the photo, around its middle. */
const MIDDLE = 0.6;

/**
 * Whether the largest face of a photo is clearly the main one: at least 1.5 times as wide as every other face, with its
 * centre in the middle 60 % of the width, and its width a tenth or more of the long side of the photo. A photo of two
 * people of about the same size has no main face. A head that is no clear face counts as the others do.
 */
export function isClearlyMain({
  width,
  height,
  boxes: [main, second],
  unclear,
}: Omit<FoundFaces, 'onePerson'>): boolean {
  if (main === undefined) return false;
  const offCentre = Math.abs(main.x + main.width / 2 - width / 2);
  if (offCentre > (MIDDLE / 2) * width) return false;
  if (main.width < LEAST_SHARE * Math.max(width, height)) return false;
  return [second, ...unclear].every(
    (other) => other === undefined || main.width >= TIMES_AS_WIDE * other.width,
  );
}
