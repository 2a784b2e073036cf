import type { Size } from '../../compare/geometry.ts';

export interface Place {
  x: number;
  y: number;
  width: number;
  height: number;
}

/** A label in CSS pixels of the pane; `isLong`: with its words, else icon and number alone. */
export interface Label {
  x: number;
  y: number;
  isLong: boolean;
}

/** Height of a label, CSS pixels; widths of a letter in 12 px bold, and of the icon with the padding. */
const HEIGHT = 20;
const LETTER = 7.5;
const ICON = 26;
/** Between a box and its label. */
const GAP = 4;

/**
 * Places for the labels of boxes so that none covers another one. A label stands above its box, inside it at the top, or
 * below it, and is shortened before it is left out.
 * @param boxes in the order in which they choose a place
 * @param reserved places of other labels
 * @returns one entry for each box; null: there is no free place, not even for its number
 */
export function placeLabels(
  boxes: readonly { place: Place; words: string }[],
  pane: Size,
  reserved: readonly Place[] = [],
): (Label | null)[] {
  const taken = [...reserved];
  return boxes.map(({ place, words }) => {
    for (const isLong of [true, false]) {
      const width = ICON + LETTER * (isLong ? words.length : 2);
      for (const y of [place.y - HEIGHT - GAP, place.y, place.y + place.height + GAP]) {
        for (const x of [place.x, place.x + place.width - width]) {
          const label = { x, y, width, height: HEIGHT };
          if (!isInside(label, pane) || taken.some((other) => overlap(label, other))) continue;
          taken.push(label);
          return { x, y, isLong };
        }
      }
    }
    return null;
  });
}

function isInside({ x, y, width, height }: Place, pane: Size): boolean {
  return x >= 0 && y >= 0 && x + width <= pane.width && y + height <= pane.height;
}

function overlap(one: Place, other: Place): boolean {
  return (
    one.x < other.x + other.width &&
    other.x < one.x + one.width &&
    one.y < other.y + other.height &&
    other.y < one.y + one.height
  );
}
