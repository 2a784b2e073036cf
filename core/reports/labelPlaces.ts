/** Where labels stand beside dots that can lie close together. */

/** Points from the top left of the page. */
export interface Frame {
  x: number;
  y: number;
  width: number;
  height: number;
}

/** Directions from a dot, right and down, the best first. */
const DIRECTIONS = [
  ...[[1, 0] as const, [-1, 0] as const, [0, -1] as const, [0, 1] as const],
  ...[[1, -1] as const, [-1, -1] as const, [1, 1] as const, [-1, 1] as const],
];
/** Points between a dot and its label. */
const DISTANCES = [4, 14, 26];

/**
 * Each label stands where it covers the least of the dots and of the labels before it.
 * @param sizes of the labels, one for each dot, in points
 */
export function labelPlaces(
  dots: readonly Frame[],
  sizes: readonly Pick<Frame, 'width' | 'height'>[],
): Frame[] {
  const taken = [...dots];
  return sizes.map((size, index) => {
    const dot = dots[index]!;
    const middle = { x: dot.x + dot.width / 2, y: dot.y + dot.height / 2 };
    const covered = (place: Frame) => taken.reduce((sum, other) => sum + overlapOf(place, other), 0);
    const place = DISTANCES.flatMap((away) =>
      DIRECTIONS.map(([right, down]) => ({
        x: middle.x - size.width / 2 + right * (size.width / 2 + away),
        y: middle.y - size.height / 2 + down * (size.height / 2 + away),
        ...size,
      })),
    ).reduce((best, each) => (covered(each) < covered(best) ? each : best));
    taken.push(place);
    return place;
  });
}

/** Square points that two frames share. */
export function overlapOf(one: Frame, other: Frame): number {
  const width = Math.min(one.x + one.width, other.x + other.width) - Math.max(one.x, other.x);
  const height = Math.min(one.y + one.height, other.y + other.height) - Math.max(one.y, other.y);
  return Math.max(0, width) * Math.max(0, height);
}
