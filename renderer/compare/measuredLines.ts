import { useState } from 'react';
import type { ComparedImage } from './compared.ts';
import type { Point } from './geometry.ts';

/** A line between two points of one image, in pixels of that image. */
export interface MeasuredLine {
  /** Counts up in one comparison; shown at both ends of the line. */
  id: number;
  /** The key of the image. */
  image: string;
  from: Point;
  /** null: the second point is not set yet. */
  to: Point | null;
}

/** A line with both its points. */
export interface FinishedLine extends MeasuredLine {
  to: Point;
}

export function isFinished(line: MeasuredLine): line is FinishedLine {
  return line.to !== null;
}

/**
 * How long a line is.
 * @returns percent of the distance between the eyes, the only length that two photos share; pixels of the image where
 * the eyes are not known
 */
export function lengthOf(
  { from, to }: FinishedLine,
  eyes: ComparedImage['eyes'],
): { unit: 'eyeDistance' | 'pixels'; length: number } {
  const length = distance(from, to);
  const apart = eyes === null ? 0 : distance(...eyes);
  return apart === 0 ? { unit: 'pixels', length } : { unit: 'eyeDistance', length: (100 * length) / apart };
}

function distance(one: Point, other: Point): number {
  return Math.hypot(other.x - one.x, other.y - one.y);
}

/** The measured lines of a comparison. They are kept with the view alone, never with an image. */
export function useMeasuredLines() {
  const [measuring, setMeasuring] = useState(false);
  const [lines, setLines] = useState<readonly MeasuredLine[]>([]);
  /** Begins a line, or ends the one that was begun in the same image. */
  const setPoint = (image: string, at: Point) =>
    setLines((now) => {
      const last = now.at(-1);
      if (last?.to === null && last.image === image) return [...now.slice(0, -1), { ...last, to: at }];
      return [...now.filter(isFinished), { id: (last?.id ?? 0) + 1, image, from: at, to: null }];
    });
  /** Ends the mode; a line without its second point goes with it. */
  const setMode = (on: boolean) => {
    setMeasuring(on);
    if (!on) setLines((now) => now.filter(isFinished));
  };
  const remove = (id: number) => setLines((now) => now.filter((line) => line.id !== id));
  return { measuring, lines, setPoint, setMode, remove };
}
export type MeasuredLines = ReturnType<typeof useMeasuredLines>;
