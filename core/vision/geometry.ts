/**
 * Plane geometry in continuous pixel coordinates: pixel (0, 0) covers the square from 0 to 1, so that scaling an
 * image by s scales every coordinate by s and by nothing else.
 */
import type { Box, Point } from '../contracts/faces.ts';

/** Rotation, uniform scale and shift: x' = a·x − b·y + tx, y' = b·x + a·y + ty. */
export interface Similarity {
  a: number;
  b: number;
  tx: number;
  ty: number;
}

export function transform({ a, b, tx, ty }: Similarity, { x, y }: Point): Point {
  return { x: a * x - b * y + tx, y: b * x + a * y + ty };
}

/** How long one unit becomes. */
export function scaleOf({ a, b }: Similarity): number {
  return Math.hypot(a, b);
}

/** The transform that applies `first`, then `second`. */
export function compose(second: Similarity, first: Similarity): Similarity {
  const shift = transform(second, { x: first.tx, y: first.ty });
  return {
    a: second.a * first.a - second.b * first.b,
    b: second.b * first.a + second.a * first.b,
    tx: shift.x,
    ty: shift.y,
  };
}

/**
 * Maps a square picture of `size` pixels onto the image: its middle to `center`, its side to `side` image pixels,
 * its x axis to the direction `angle` (radians, clockwise as seen on a screen).
 */
export function squareOnto(size: number, center: Point, side: number, angle: number): Similarity {
  const a = (side / size) * Math.cos(angle);
  const b = (side / size) * Math.sin(angle);
  const half = size / 2;
  return { a, b, tx: center.x - a * half + b * half, ty: center.y - b * half - a * half };
}

/**
 * The similarity that brings `from` closest to `to` in the least-squares sense (Umeyama 1991, in the plane, where
 * it has this closed form).
 */
export function fitSimilarity(from: readonly Point[], to: readonly Point[]): Similarity {
  const centerFrom = centroid(from);
  const centerTo = centroid(to);
  let dot = 0;
  let cross = 0;
  let norm = 0;
  from.forEach((point, index) => {
    const x = point.x - centerFrom.x;
    const y = point.y - centerFrom.y;
    const u = to[index]!.x - centerTo.x;
    const v = to[index]!.y - centerTo.y;
    dot += x * u + y * v;
    cross += x * v - y * u;
    norm += x * x + y * y;
  });
  const a = dot / norm;
  const b = cross / norm;
  return {
    a,
    b,
    tx: centerTo.x - a * centerFrom.x + b * centerFrom.y,
    ty: centerTo.y - b * centerFrom.x - a * centerFrom.y,
  };
}

export function centroid(points: readonly Point[]): Point {
  let x = 0;
  let y = 0;
  for (const point of points) {
    x += point.x;
    y += point.y;
  }
  return { x: x / points.length, y: y / points.length };
}

export function distance(p: Point, q: Point): number {
  return Math.hypot(p.x - q.x, p.y - q.y);
}

export function boundingBox(points: readonly Point[]): Box {
  let left = Infinity;
  let top = Infinity;
  let right = -Infinity;
  let bottom = -Infinity;
  for (const { x, y } of points) {
    left = Math.min(left, x);
    right = Math.max(right, x);
    top = Math.min(top, y);
    bottom = Math.max(bottom, y);
  }
  return { x: left, y: top, width: right - left, height: bottom - top };
}

export function boxCenter({ x, y, width, height }: Box): Point {
  return { x: x + width / 2, y: y + height / 2 };
}

function intersectionArea(p: Box, q: Box): number {
  const width = Math.min(p.x + p.width, q.x + q.width) - Math.max(p.x, q.x);
  const height = Math.min(p.y + p.height, q.y + q.height) - Math.max(p.y, q.y);
  return width > 0 && height > 0 ? width * height : 0;
}

/** Shared area over covered area, 0 to 1. */
export function intersectionOverUnion(p: Box, q: Box): number {
  const shared = intersectionArea(p, q);
  return shared / (area(p) + area(q) - shared);
}

/** Shared area over the area of the smaller one, 0 to 1: also 1 for a box inside another. */
export function intersectionOverSmaller(p: Box, q: Box): number {
  return intersectionArea(p, q) / Math.min(area(p), area(q));
}

function area({ width, height }: Box): number {
  return width * height;
}
