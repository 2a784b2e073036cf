/** Ink as it is compared: without specks, as strokes, and as points of their form. */
import { CALIBRATION } from './calibration.ts';
import { complexityOf } from './complexity.ts';
import { fillPinholes, keepParts, label, type Labelled } from './components.ts';
import { mainParts } from './handwriting.ts';
import { roughPenWidth, widthsOf, type Widths } from './penWidth.ts';
import { shapeOf, type Frame, type Shape } from './points.ts';
import { countOf, type Mask } from './raster.ts';
import { toOneSize } from './resample.ts';
import { traceStrokes, type Stroke } from './strokes.ts';
import { thin } from './thinning.ts';
import { SPECK_PENS } from './usable.ts';

/** The ink that is compared: in pixels of the cleaned picture, which is cropped and brought to one size. */
export interface Ink {
  mask: Mask;
  strokes: Stroke[];
  widths: Widths;
}

/** Ink without specks, its strokes, and the form of these where there is any. */
export interface Drawn {
  /** Parts of the ink, specks among them. */
  parts: Labelled;
  clean: Mask;
  /** Pixels of the picture. */
  penWidth: number;
  ink: Ink | undefined;
  shape: (Shape & { frame: Frame }) | undefined;
  /** Log-odds of a signature against a mark. */
  complexity: number;
}

export function drawnIn(marks: Mask): Drawn {
  const parts = label(marks, 'corners');
  const clean = despeckled(marks, parts);
  const penWidth = roughPenWidth(clean);
  const ink = countOf(clean) > 0 ? strokesOf(clean, penWidth) : undefined;
  const shape = ink && shapeOf(ink.strokes);
  const complexity = shape ? complexityOf(shape, CALIBRATION.complexity) : -Infinity;
  return { parts, clean, penWidth, ink, shape, complexity };
}

/** The complexity of the parts about the largest one, which lie near one another. @param labelled the parts of the clean ink */
export function complexityOfMain({ clean, complexity }: Drawn, labelled: Labelled): number {
  const main = mainParts(labelled.components);
  if (main.size >= labelled.components.length) return complexity;
  return drawnIn(keepParts(clean, labelled, (_, part) => main.has(part))).complexity;
}

/** Whether ink holds more than a mark that everybody makes. */
export const isWritten = ({ complexity }: Pick<Drawn, 'complexity'>): boolean =>
  complexity >= CALIBRATION.complexity.least;

function despeckled(ink: Mask, parts: Labelled): Mask {
  const penWidth = roughPenWidth(ink);
  const least = Math.max(6, SPECK_PENS * penWidth * penWidth);
  const kept = keepParts(ink, parts, (part) => part.area >= least);
  return fillPinholes(kept, Math.max(4, 0.25 * penWidth * penWidth));
}

function strokesOf(ink: Mask, roughWidth: number): Ink {
  const brought = toOneSize(ink, roughWidth);
  const thinned = thin(brought);
  const penWidth = countOf(brought) / Math.max(1, countOf(thinned));
  const strokes = traceStrokes(thinned, 1.1 * penWidth + 1);
  return { mask: brought, strokes, widths: widthsOf(brought, thinned, strokes) };
}
