/** Faces that somebody made unrecognisable with a mosaic of squares. */
import { squareOnto } from './geometry.ts';
import type { ImageView } from './imageView.ts';
import type { Proposal } from './detection.ts';
import { luma } from './raster.ts';

/** The part of a proposal that is looked at: this share of its side, around its middle. */
const PART = 0.75;
/** Most pixels of its side. */
const SIDE = 96;

/**
 * Between the edges of the squares a mosaic is level, so that this share of all differences lies on this share of the
 * columns, and of the rows. Source: of 726 photos of LFW none has such a place by all limits of this file.
 */
const ON_EDGES = 0.8;
const EDGES = 1 / 8;
/** Least share of the differences on one edge of the squares. The rim of a photo on a page is a single one. */
const ONE_EDGE = 0.05;
/** Least share of differences of at most 1 of 255, and least deviation of the tones: level squares, unlike ones. */
const LEVEL = 0.4;
const UNLIKE = 6;
/** Most of the pixels that have one tone: paper around a photo is level too. Tones are counted in steps of 4. */
const ONE_TONE = 0.4;

/** Whether a proposal lies on a mosaic of about six to nine squares across a head; of fewer, too few edges are inside. */
export function isPixelated(view: ImageView, { center, side }: Proposal): boolean {
  const size = Math.min(SIDE, Math.round(side * PART * view.scale));
  if (size < 16) return false;
  const grey = luma(view.sample(squareOnto(size, center, side * PART, 0), size, size));
  const columns = new Float64Array(size - 1);
  const rows = new Float64Array(size - 1);
  let level = 0;
  let sum = 0;
  let squares = 0;
  const tones = new Uint32Array(64);
  for (let y = 0; y < size - 1; y++) {
    for (let x = 0; x < size - 1; x++) {
      const at = y * size + x;
      const across = Math.abs(grey[at + 1]! - grey[at]!);
      const down = Math.abs(grey[at + size]! - grey[at]!);
      columns[x]! += across;
      rows[y]! += down;
      if (across <= 1 && down <= 1) level += 1;
      tones[Math.min(63, grey[at]! >> 2)]! += 1;
      sum += grey[at]!;
      squares += grey[at]! ** 2;
    }
  }
  const count = (size - 1) ** 2;
  return (
    level >= LEVEL * count &&
    Math.max(...tones) <= ONE_TONE * count &&
    squares / count - (sum / count) ** 2 >= UNLIKE ** 2 &&
    isStepped(columns) &&
    isStepped(rows)
  );
}

/** Whether nearly all differences lie on few lines, two of them or more. */
function isStepped(differences: Float64Array): boolean {
  const total = differences.reduce((sum, one) => sum + one, 0);
  const most = differences.toSorted((p, q) => q - p).slice(0, Math.ceil(differences.length * EDGES));
  if (most.reduce((sum, one) => sum + one, 0) < ON_EDGES * total) return false;
  const isEdge = (i: number) => differences[i]! >= ONE_EDGE * total;
  return (
    differences.reduce((edges, _, i) => edges + (isEdge(i) && !(i > 0 && isEdge(i - 1)) ? 1 : 0), 0) >= 2
  );
}
