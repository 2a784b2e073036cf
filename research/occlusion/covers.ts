/** Paints what people wear or hold before their face, and what editors put there, onto a decoded photo. */
import type { Point } from '../../core/contracts/faces.ts';
import type { Raster } from '../../core/vision/raster.ts';

export type Covered = 'eyes' | 'mouth' | 'both';

/** Whether a place is covered: u to the right, v down, from between the eyes, in distances between them. */
export type Shape = (u: number, v: number) => boolean;
type Paint = (x: number, y: number) => readonly [number, number, number];

/**
 * A copy of the photo with a random cover over a part of one face.
 * Shapes are drawn in face coordinates: origin between the eyes, unit their distance, u to the right, v down.
 */
export function withCover(
  photo: Raster,
  eyes: readonly [Point, Point],
  covered: Covered,
  random: () => number,
): Raster {
  const shape = shapeOver(covered, random);
  return painted(photo, eyes, shape, randomPaint(photo, random));
}

/** A copy of the photo with one shape painted onto one face, drawn in the face's coordinates. */
export function painted(
  photo: Raster,
  [left, right]: readonly [Point, Point],
  shape: Shape,
  paint: Paint,
): Raster {
  const copy = { ...photo, data: new Uint8Array(photo.data) };
  const dx = right.x - left.x;
  const dy = right.y - left.y;
  const unit = dx * dx + dy * dy;
  const middle = { x: (left.x + right.x) / 2, y: (left.y + right.y) / 2 };
  const reach = Math.ceil(2.5 * Math.sqrt(unit));
  for (let y = Math.max(0, Math.floor(middle.y) - reach); y < Math.min(photo.height, middle.y + reach); y++) {
    for (
      let x = Math.max(0, Math.floor(middle.x) - reach);
      x < Math.min(photo.width, middle.x + reach);
      x++
    ) {
      const px = x + 0.5 - middle.x;
      const py = y + 0.5 - middle.y;
      if (shape((px * dx + py * dy) / unit, (py * dx - px * dy) / unit))
        copy.data.set(paint(x, y), (y * photo.width + x) * 3);
    }
  }
  return copy;
}

/** A copy of the photo with a surgical mask on one face: one tone, pleated, with loops to the ears. */
export function withSurgicalMask(photo: Raster, eyes: readonly [Point, Point], random: () => number): Raster {
  const tones = [
    [170, 205, 225],
    [245, 245, 245],
    [25, 25, 28],
    [200, 160, 190],
  ] as const;
  const [red, green, blue] = tones[Math.floor(random() * tones.length)]!;
  const top = 0.35 + 0.2 * random();
  const width = 0.85 + 0.15 * random();
  const shape: Shape = (u, v) => {
    const side = width * Math.sqrt(Math.max(0, 1 - Math.max(0, v - 1) ** 2));
    const loop = Math.abs(v - top - 0.15) < 0.03 && Math.abs(u) < 1.3;
    return loop || (Math.abs(u) < side && v > top + 0.15 * u * u && v < 1.95);
  };
  return painted(photo, eyes, shape, (x, y) => {
    const light = (y % 11 < 2 ? 0.88 : 1) * (0.92 + 0.08 * Math.sin(x / 19));
    return [red * light, green * light, blue * light];
  });
}

function shapeOver(covered: Covered, random: () => number): Shape {
  const between = (low: number, high: number) => low + (high - low) * random();
  const shapes = {
    eyes: [bar, glasses, hand(0)],
    mouth: [mask, mask, hand(1.1), scarf],
    both: [half],
  }[covered];
  return shapes[Math.floor(random() * shapes.length)]!(between);
}

type Between = (low: number, high: number) => number;

function bar(between: Between): Shape {
  const width = between(0.85, 1.4);
  const height = between(0.22, 0.5);
  const middle = between(-0.1, 0.1);
  return (u, v) => Math.abs(u) < width && Math.abs(v - middle) < height;
}

function glasses(between: Between): Shape {
  const across = between(0.33, 0.48);
  const down = between(0.25, 0.4);
  const power = between(2, 5);
  return (u, v) => {
    const lens = (Math.abs(Math.abs(u) - 0.5) / across) ** power + (Math.abs(v - 0.04) / down) ** power <= 1;
    return lens || (Math.abs(v + 0.05) < 0.05 && Math.abs(u) < 1.05);
  };
}

function hand(height: number): (between: Between) => Shape {
  return (between) => {
    const [x, y] = [between(-0.15, 0.15), height + between(-0.1, 0.15)];
    const [across, down] = [between(0.75, 1.1), between(0.4, 0.7)];
    return (u, v) => ((u - x) / across) ** 2 + ((v - y) / down) ** 2 <= 1;
  };
}

function mask(between: Between): Shape {
  const top = between(0.35, 0.75);
  const sag = between(-0.2, 0.25);
  const width = between(0.85, 1.1);
  return (u, v) => {
    const side = width * Math.sqrt(Math.max(0, 1 - Math.max(0, v - 1) ** 2));
    return Math.abs(u) < side && v > top + sag * u * u && v < 1.95;
  };
}

function scarf(between: Between): Shape {
  const top = between(0.5, 0.85);
  return (u, v) => v > top + 0.1 * u && v < 2.4 && Math.abs(u) < 1.6;
}

function half(between: Between): Shape {
  const edge = between(-0.05, 0.2);
  const sign = between(-1, 1) < 0 ? -1 : 1;
  return (u, v) => u * sign > edge && u * sign < 1.8 && Math.abs(v - 0.5) < 1.8;
}

function randomPaint(photo: Raster, random: () => number): Paint {
  const color = () => [random() * 255, random() * 255, random() * 255] as const;
  const grey = random() * 255;
  const [first, second] = random() < 0.5 ? [[grey, grey, grey] as const, color()] : [color(), color()];
  const dark = [random() * 45, random() * 45, random() * 45] as const;
  const period = 3 + random() * 20;
  const [shiftX, shiftY] = [Math.floor(random() * photo.width), Math.floor(random() * photo.height)];
  const paints: Paint[] = [
    () => dark,
    () => first,
    (_, y) => mix(first, dark, (y % 97) / 97),
    (x, y) => (Math.sin((x + y) / period) > 0 ? first : second),
    () => mix(first, second, random() * 0.5),
    // A piece of the same photo elsewhere: cloth, wall, hair, skin.
    (x, y) => {
      const at = (((y + shiftY) % photo.height) * photo.width + ((x + shiftX) % photo.width)) * 3;
      return [photo.data[at]!, photo.data[at + 1]!, photo.data[at + 2]!];
    },
  ];
  return paints[Math.floor(random() * paints.length)]!;
}

function mix(
  p: readonly [number, number, number],
  q: readonly [number, number, number],
  share: number,
): readonly [number, number, number] {
  return [p[0] + (q[0] - p[0]) * share, p[1] + (q[1] - p[1]) * share, p[2] + (q[2] - p[2]) * share];
}
