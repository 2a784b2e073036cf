/** Faces of one picture by their boxes: their order, and the part of the picture that shows one of them alone. */
import type { Box } from './faces.ts';

/**
 * Boxes row by row from the top, each row from the left. A box is in a row if at least half of its height, or of the other's, is
 * beside the box of the row that is nearest to it: so a row may slant, as on a page that lay askew on the scanner.
 */
export function readingOrder(boxes: readonly Box[]): Box[] {
  const rows: Box[][] = [];
  for (const box of boxes.toSorted((one, two) => middle(one) - middle(two))) {
    const row = rows.find((each) => isBeside(nearest(each, box), box));
    if (row === undefined) rows.push([box]);
    else row.push(box);
  }
  return rows.flatMap((row) => row.toSorted((one, two) => one.x - two.x));
}

/** The box of a row that is nearest to another one to the left or right. */
function nearest(row: readonly Box[], { x }: Box): Box {
  return row.reduce((best, each) => (Math.abs(each.x - x) < Math.abs(best.x - x) ? each : best));
}

function isBeside(one: Box, other: Box): boolean {
  const shared = Math.min(one.y + one.height, other.y + other.height) - Math.max(one.y, other.y);
  return 2 * shared > Math.min(one.height, other.height);
}

function middle({ y, height }: Box): number {
  return y + height / 2;
}

/** The margin around a face, in sides of its box: hair, chin and ears are inside. */
const MARGIN = 0.8;
/**
 * The part of an image around a face that holds nothing of the boxes of the others. Where a box overlaps the face's
 * own, nothing can be cut between them: then both stay in, and the intake says what is wrong with that.
 * @param image what the part must lie in; all in pixels of the same image
 */
export function cropAround(face: Box, others: readonly Box[], image: { width: number; height: number }): Box {
  const right = face.x + face.width;
  const bottom = face.y + face.height;
  let part = between(
    Math.max(0, face.x - MARGIN * face.width),
    Math.max(0, face.y - MARGIN * face.height),
    Math.min(image.width, right + MARGIN * face.width),
    Math.min(image.height, bottom + MARGIN * face.height),
  );
  for (const other of others) {
    const { x, y } = part;
    const [end, low] = [x + part.width, y + part.height];
    const [otherEnd, otherLow] = [other.x + other.width, other.y + other.height];
    if (other.x >= end || otherEnd <= x || other.y >= low || otherLow <= y) continue;
    const cuts: Box[] = [];
    if (other.x >= right) cuts.push(between(x, y, other.x, low));
    if (otherEnd <= face.x) cuts.push(between(otherEnd, y, end, low));
    if (other.y >= bottom) cuts.push(between(x, y, end, other.y));
    if (otherLow <= face.y) cuts.push(between(x, otherLow, end, low));
    // The crop that leaves the other face out and keeps the largest margin.
    cuts.sort((one, two) => two.width * two.height - one.width * one.height);
    part = cuts[0] ?? part;
  }
  return part;
}

function between(x: number, y: number, right: number, bottom: number): Box {
  return { x, y, width: right - x, height: bottom - y };
}
