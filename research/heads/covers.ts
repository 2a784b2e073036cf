/** More that hides a head: cloth, hair, hands, things, paint, mosaics and blurs of every strength. Seeded. */
import sharp, { type Sharp } from 'sharp';
import type { Raster } from '../../core/vision/raster.ts';
import {
  colourAt,
  COVERS,
  scaled,
  textured,
  type Colour,
  type Cover,
  type Portrait,
} from '../../bench/desk/people.ts';
import { painted, type Shape } from '../occlusion/covers.ts';

type Random = () => number;
type Paint = (x: number, y: number) => Colour;
/** The same by the place in the face, in coordinates as of {@link Shape}. */
type PlacedPaint = (x: number, y: number, u: number, v: number) => Colour;
/** How deep a place lies in a shape, in distances between the eyes; negative outside. Coordinates as of {@link Shape}. */
type Depth = (u: number, v: number) => number;

export function between(random: Random, low: number, high: number): number {
  return low + (high - low) * random();
}

function pick<T>(random: Random, items: readonly T[]): T {
  return items[Math.floor(random() * items.length)]!;
}

function anyColour(random: Random): Colour {
  return [255 * random(), 255 * random(), 255 * random()];
}

function grey(tone: number): Colour {
  return [tone, tone, tone];
}

function ellipse(across: number, down: number, middle: number): Depth {
  return (u, v) => (1 - Math.hypot(u / across, (v - middle) / down)) * Math.min(across, down);
}

function box(side: number, top: number, bottom: number, turn = 0): Depth {
  const [cos, sin] = [Math.cos(turn), Math.sin(turn)];
  const middle = (top + bottom) / 2;
  return (u, v) => {
    const [x, y] = [u * cos + (v - middle) * sin, (v - middle) * cos - u * sin];
    return Math.min(side - Math.abs(x), (bottom - top) / 2 - Math.abs(y));
  };
}

function union(...depths: Depth[]): Depth {
  return (u, v) => Math.max(...depths.map((depth) => depth(u, v)));
}

function without(whole: Depth, hole: Depth): Depth {
  return (u, v) => Math.min(whole(u, v), -hole(u, v));
}

/** Head and shoulders under one cloth. */
function draped(random: Random): Depth {
  const [across, top] = [between(random, 1.2, 1.7), between(random, -1.9, -1.2)];
  const [neck, slope] = [between(random, 1.3, 2.4), between(random, 0.3, 1.6)];
  return (u, v) => {
    const round = Math.sqrt(Math.max(0, 1 - (Math.min(0, v - top - across) / across) ** 2));
    return v < top
      ? v - top
      : Math.min(v - top, across * round + slope * Math.max(0, v - neck) - Math.abs(u));
  };
}

/** Where the eyes, or the eyes and the nose, are left free; or nothing. */
function slit(random: Random): Depth {
  const kind = random();
  if (kind < 0.2) return () => -1;
  if (kind < 0.7)
    return box(between(random, 0.75, 1.15), -between(random, 0.15, 0.35), between(random, 0.12, 0.35));
  if (kind < 0.85) {
    const [across, down] = [between(random, 0.28, 0.45), between(random, 0.16, 0.3)];
    return (u, v) => ellipse(across, down, 0)(Math.abs(u) - 0.5, v);
  }
  return ellipse(between(random, 0.8, 1.05), between(random, 0.4, 0.6), between(random, -0.1, 0.15));
}

/** Light on folds. @param depth share of the light */
function folds(random: Random, unit: number, depth: number): (x: number, y: number) => number {
  const waves = [1, 2, 3].map(() => {
    const turn = Math.PI * random();
    const length = unit * between(random, 0.12, 1.6);
    return {
      across: Math.cos(turn) / length,
      down: Math.sin(turn) / length,
      phase: 6 * random(),
      share: random(),
    };
  });
  const total = waves.reduce((sum, { share }) => sum + share, 0.2);
  return (x, y) => {
    let [light, bend] = [0, 0];
    for (const { across, down, phase, share } of waves) {
      bend = Math.sin(6 * (x * across + y * down) + phase + 1.5 * bend);
      light += (share / total) * bend;
    }
    return 1 + depth * light;
  };
}

function plaid(random: Random, unit: number, first: Colour, second: Colour): Paint {
  const period = unit * between(random, 0.08, 0.6);
  const turn = Math.PI * random();
  const [cos, sin, kind] = [Math.cos(turn) / period, Math.sin(turn) / period, random()];
  return (x, y) => {
    const [one, two] = [Math.sin(6 * (x * cos + y * sin)), Math.sin(6 * (y * cos - x * sin))];
    return (kind < 0.4 ? one > 0 : kind < 0.7 ? one * two > 0 : one + two > 0.9) ? first : second;
  };
}

function pieceOf(photo: Raster, random: Random): Paint {
  const [shiftX, shiftY] = [Math.floor(random() * photo.width), Math.floor(random() * photo.height)];
  const step = between(random, 0.4, 1.2);
  return (x, y) => {
    const column = (Math.floor(x * step) + shiftX) % photo.width;
    const at = 3 * (((Math.floor(y * step) + shiftY) % photo.height) * photo.width + column);
    return [photo.data[at]!, photo.data[at + 1]!, photo.data[at + 2]!];
  };
}

/** Cloth: mostly of one colour, every second time dark, with folds, weave and grain; or a print, or a piece of a photo. */
export function cloth(photo: Raster, unit: number, random: Random): Paint {
  const kind = random();
  const base = random() < 0.5 ? scaled(anyColour(random), 0.3) : anyColour(random);
  const tone = random() < 0.5 ? grey(between(random, 8, 60)) : base;
  const plain = kind < 0.55 ? tone : kind < 0.65 ? grey(between(random, 180, 250)) : undefined;
  const pattern =
    plain === undefined
      ? kind < 0.82
        ? plaid(random, unit, base, anyColour(random))
        : pieceOf(photo, random)
      : () => plain;
  const [light, weave] = [folds(random, unit, between(random, 0.05, 0.4)), pieceOf(photo, random)];
  const [depth, grain] = [between(random, 0, 0.5), between(random, 0, 0.15)];
  return (x, y) =>
    scaled(
      pattern(x, y),
      light(x, y) * (1 - depth / 2 + (depth * weave(x, y)[1]) / 255) * (1 + grain * (random() - 0.5)),
    );
}

const HAIR: readonly Colour[] = [
  [22, 18, 17],
  [48, 34, 26],
  [86, 60, 40],
  [140, 105, 66],
  [196, 164, 112],
  [120, 58, 32],
  [150, 150, 150],
  [215, 212, 208],
];

function hairs(face: Portrait, random: Random): Paint {
  const own = random() < 0.3 ? colourAt(face, 0, -1.15) : pick(random, HAIR);
  const base = scaled(own, between(random, 0.7, 1.2));
  const unit = face.width / 2.2;
  const [period, slant, bend] = [
    unit * between(random, 0.01, 0.07),
    between(random, -0.7, 0.7),
    between(random, 0, 4),
  ];
  const [depth, shine] = [between(random, 0.05, 0.3), folds(random, 2 * unit, between(random, 0, 0.35))];
  return (x, y) => {
    const strand = Math.sin((x + slant * y + bend * Math.sin(y / unit)) / period);
    return scaled(base, shine(x, y) * (1 + depth * strand + depth * (random() - 0.5)));
  };
}

const SKIN: readonly Colour[] = [
  [240, 205, 180],
  [222, 178, 148],
  [196, 148, 116],
  [150, 104, 76],
  [100, 66, 48],
  [62, 42, 34],
];

function skin(face: Portrait, random: Random): Paint {
  const base = random() < 0.5 ? colourAt(face, 0, 0.45) : pick(random, SKIN);
  const light = folds(random, face.width / 2, between(random, 0.05, 0.25));
  return (x, y) => scaled(base, light(x, y) * (0.97 + 0.06 * random()));
}

/** One colour in folds of light. */
function shaded(colour: Colour, face: Portrait, random: Random): Paint {
  const light = folds(random, unitOf(face), between(random, 0, 0.3));
  return (x, y) => scaled(colour, light(x, y));
}

/** Parallel bars. @param share of a period that a bar takes */
function barsAcross(turn: number, period: number, share: number): Depth {
  const [cos, sin] = [Math.cos(turn), Math.sin(turn)];
  return (u, v) => {
    const at = (u * cos + v * sin) / period;
    return period * (share / 2 - Math.abs(at - Math.round(at)));
  };
}

/** An outline that bulges in some directions, around a place in the face. */
function bulging(random: Random, size: number): Depth {
  const bulges = [1, 2, 3, 5].map((times) => ({
    times,
    phase: 6 * random(),
    share: between(random, 0, 0.22),
  }));
  return (u, v) => {
    const angle = Math.atan2(v - 0.4, u);
    const more = bulges.reduce(
      (sum, { times, phase, share }) => sum + share * Math.cos(times * angle + phase),
      1,
    );
    return size * more - Math.hypot(u, v - 0.4);
  };
}

function moved(depth: Depth, across: number, down: number): Depth {
  return (u, v) => depth(u - across, v - down);
}

function within(whole: Depth, part: Depth): Depth {
  return (u, v) => Math.min(whole(u, v), part(u, v));
}

/** Lays paint on a face. @param soft width of the edge @param strength opacity, 0 to 1 */
function laid(
  { raster, eyes: [left, right] }: Portrait,
  depth: Depth,
  paint: PlacedPaint,
  { soft = 0.02, strength = 1 }: { soft?: number; strength?: number } = {},
): Promise<Raster> {
  const data = new Uint8Array(raster.data);
  const [dx, dy] = [right.x - left.x, right.y - left.y];
  const unit = dx * dx + dy * dy;
  const middle = { x: (left.x + right.x) / 2, y: (left.y + right.y) / 2 };
  for (let y = 0; y < raster.height; y++)
    for (let x = 0; x < raster.width; x++) {
      const [px, py] = [x + 0.5 - middle.x, y + 0.5 - middle.y];
      const [u, v] = [(px * dx + py * dy) / unit, (py * dx - px * dy) / unit];
      const deep = depth(u, v);
      if (deep <= -soft / 2) continue;
      const share = strength * Math.min(1, deep / soft + 0.5);
      const colour = paint(x, y, u, v);
      for (let channel = 0; channel < 3; channel++) {
        const at = 3 * (y * raster.width + x) + channel;
        data[at] = data[at]! + share * (colour[channel]! - data[at]!);
      }
    }
  return Promise.resolve({ ...raster, data });
}

function mixed(one: Colour, two: Colour, share: number): Colour {
  const mix = (k: 0 | 1 | 2) => one[k] + share * (two[k] - one[k]);
  return [mix(0), mix(1), mix(2)];
}

function unitOf({ eyes: [left, right] }: Portrait): number {
  return Math.hypot(right.x - left.x, right.y - left.y);
}

/** A shape of one colour with a light. */
function filled(
  face: Portrait,
  depth: Depth,
  colour: Colour,
  light: (x: number, y: number) => number,
): Raster {
  const shape: Shape = (u, v) => depth(u, v) > 0;
  return painted(face.raster, face.eyes, shape, (x, y) => scaled(colour, light(x, y)));
}

function anyPaint(face: Portrait, photo: Raster, random: Random): Paint {
  const colour = random() < 0.5 ? grey(pick(random, [0, 8, 128, 246, 255])) : anyColour(random);
  const kind = random();
  return kind < 0.5 ? () => colour : kind < 0.8 ? cloth(photo, unitOf(face), random) : pieceOf(photo, random);
}

/** The covers of the tables of `bench -- desk`, and further kinds. */
export const ALL_COVERS: Readonly<Record<string, Cover>> = {
  ...COVERS,
  veil: (face, photo, random) =>
    laid(face, without(draped(random), slit(random)), cloth(photo, unitOf(face), random), {
      soft: between(random, 0.02, 0.15),
    }),
  'veil below the eyes': (face, photo, random) => {
    const top = between(random, 0.15, 0.5);
    const below: Depth = (_, v) => v - top;
    const head = draped(random);
    return laid(face, (u, v) => Math.min(head(u, v), below(u, v)), cloth(photo, unitOf(face), random), {
      soft: between(random, 0.02, 0.1),
    });
  },
  'headscarf and mask': async (face, photo, random) => {
    const free = ellipse(between(random, 0.85, 1.05), between(random, 1.1, 1.4), 0.35);
    const scarf = await laid(face, without(draped(random), free), cloth(photo, unitOf(face), random));
    const top = between(random, 0.3, 0.55);
    const mask = box(1.1, top, 2.2);
    return laid({ ...face, raster: scarf }, mask, cloth(photo, unitOf(face), random));
  },
  'hair from behind': (face, _, random) => {
    const [across, down, middle] = [
      between(random, 1.05, 1.4),
      between(random, 1.5, 2.1),
      between(random, 0, 0.5),
    ];
    const head = ellipse(across, down, middle);
    const length = random() < 0.5 ? 0 : between(random, 0.8, 2.6);
    const long = box(across * between(random, 0.8, 1.15), middle, middle + down * 0.5 + length);
    return laid(face, length > 0 ? union(head, long) : head, hairs(face, random), {
      soft: between(random, 0.03, 0.25),
    });
  },
  'head turned away': async (face, _, random) => {
    const nape = laid(face, ellipse(1.1, 1.65, 0.4), skin(face, random), { soft: 0.1 });
    const line = between(random, 0.2, 1.5);
    const hair: Depth = (u, v) => Math.min(ellipse(1.25, 1.85, 0.3)(u, v), line - v + 0.2 * u * u);
    return laid({ ...face, raster: await nape }, hair, hairs(face, random), {
      soft: between(random, 0.05, 0.3),
    });
  },
  'hat from behind': async (face, photo, random) => {
    const head = await laid(face, ellipse(1.15, 1.75, 0.35), hairs(face, random), { soft: 0.1 });
    const brim = between(random, -0.3, 0.7);
    const hat: Depth = (u, v) => Math.min(ellipse(1.4, 1.8, 0.1)(u, v), brim - v);
    return laid({ ...face, raster: head }, hat, cloth(photo, unitOf(face), random));
  },
  'hat and scarf': async (face, photo, random) => {
    const brim = between(random, -0.1, 0.3);
    const hat: Depth = (u, v) => Math.min(ellipse(1.4, 1.8, -0.1)(u, v), brim - v);
    const raster = await laid(face, hat, cloth(photo, unitOf(face), random));
    return laid(
      { ...face, raster },
      box(1.5, between(random, 0.3, 0.7), 2.8),
      cloth(photo, unitOf(face), random),
    );
  },
  goggles: async (face, photo, random) => {
    const brim = between(random, -0.6, 0);
    const hat: Depth = (u, v) => Math.min(ellipse(1.4, 1.8, -0.1)(u, v), brim - v);
    const raster = await laid(face, hat, cloth(photo, unitOf(face), random));
    const chin = box(1.5, between(random, 0.5, 0.9), 2.8);
    const wrapped = await laid({ ...face, raster }, chin, cloth(photo, unitOf(face), random));
    const [frame, glass] = [scaled(anyColour(random), 0.4), anyColour(random)];
    const [side, top, bottom] = [
      between(random, 0.95, 1.3),
      between(random, -0.7, -0.3),
      between(random, 0.3, 0.6),
    ];
    const rimmed = await laid(
      { ...face, raster: wrapped },
      box(side + 0.12, top - 0.12, bottom + 0.12),
      () => frame,
    );
    const shine = folds(random, unitOf(face), between(random, 0, 0.5));
    return laid({ ...face, raster: rimmed }, box(side, top, bottom), (x, y) => scaled(glass, shine(x, y)));
  },
  'bag over the head': (face, photo, random) => {
    const [across, slope] = [between(random, 1.3, 1.9), between(random, -0.05, 0.25)];
    const [top, bottom] = [between(random, -2.2, -1.5), between(random, 2, 3)];
    const bag: Depth = (u, v) => Math.min(across + slope * v - Math.abs(u), v - top, bottom - v);
    const [size, apart] = [between(random, 0.15, 0.3), between(random, 0.4, 0.6)];
    const holes: Depth = (u, v) => ellipse(size, size * 0.8, 0)(Math.abs(u) - apart, v);
    const paint = random() < 0.5 ? cloth(photo, unitOf(face), random) : shaded([183, 141, 88], face, random);
    const shape = random() < 0.5 ? bag : without(bag, holes);
    if (shape === bag || random() < 0.5) return laid(face, shape, paint);
    // Behind the holes it is dark.
    return laid({ ...face, raster: filled(face, holes, [25, 18, 14], () => 1) }, shape, paint);
  },
  'hair over the face': (face, _, random) => {
    const [width, phase] = [between(random, 0.08, 0.3), 6 * random()];
    const [bend, open] = [between(random, 0, 0.3), between(random, -0.9, 0)];
    const strands: Depth = (u, v) =>
      width * (Math.sin((u + bend * Math.sin(v + phase)) / width + phase) - open) * 0.5;
    const head = union(ellipse(1.3, 1.8, 0.2), box(1.25, 0.2, between(random, 1.5, 3.2)));
    return laid(face, (u, v) => Math.min(head(u, v), strands(u, v)), hairs(face, random), {
      soft: between(random, 0.02, 0.1),
    });
  },
  grille: (face, _, random) => {
    const [period, share] = [between(random, 0.3, 1.2), between(random, 0.35, 0.8)];
    const turn = pick(random, [0, Math.PI / 2, Math.PI * random()]);
    const isMesh = random() < 0.3;
    const across = barsAcross(turn, period, isMesh ? share / 2 : share);
    const bars = isMesh ? union(across, barsAcross(turn + Math.PI / 2, period, share / 2)) : across;
    const part =
      random() < 0.5
        ? box(50, -50, 50)
        : box(between(random, 1.3, 2.6), -between(random, 1.5, 2.2), between(random, 2, 3));
    const colour = random() < 0.6 ? grey(between(random, 20, 250)) : anyColour(random);
    return laid(face, (u, v) => Math.min(part(u, v), bars(u, v)), shaded(colour, face, random));
  },
  // An umbrella, a tray, a wheel: panels around a middle, each in a light of its own.
  canopy: (face, photo, random) => {
    const [across, down, reach] = [
      between(random, -0.7, 0.7),
      between(random, -0.8, 1.2),
      between(random, 1.4, 3.2),
    ];
    const round = ellipse(reach, reach * between(random, 0.5, 1), 0);
    const [turn, low] = [
      between(random, -0.6, 0.6),
      random() < 0.5 ? reach : between(random, 0, 0.7) * reach,
    ];
    const side = box(9, -9, low, turn);
    const [panels, depth] = [4 + Math.floor(9 * random()), between(random, 0.05, 0.5)];
    const [paint, other] = [anyPaint(face, photo, random), anyPaint(face, photo, random)];
    const isStriped = random() < 0.3;
    return laid(face, moved(within(round, side), across, down), (x, y, u, v) => {
      const at = (panels * (Math.PI + Math.atan2(v - down + 0.6 * low, u - across))) / (2 * Math.PI);
      const colour = isStriped && Math.floor(at) % 2 === 1 ? other(x, y) : paint(x, y);
      return scaled(colour, 1 - depth * (at % 1));
    });
  },
  'thing of parts': async (face, photo, random) => {
    const whole = bulging(random, between(random, 1.1, 2.1));
    let raster = await laid(face, whole, anyPaint(face, photo, random));
    for (let i = 0; i < 1 + 7 * random(); i++) {
      const [across, down] = [between(random, 0.1, 1), between(random, 0.05, 0.8)];
      const part =
        random() < 0.5 ? ellipse(across, down, 0) : box(across, -down, down, between(random, -2, 2));
      const place = moved(part, between(random, -1.3, 1.3), between(random, -1, 1.8));
      raster = await laid({ ...face, raster }, within(whole, place), anyPaint(face, photo, random));
    }
    return raster;
  },
  // Leaves, petals, a crowd of small things.
  'small things': async (face, photo, random) => {
    const size = between(random, 0.12, 0.4);
    const [width, height] = [between(random, 1.1, 2.2), between(random, 1.5, 2.4)];
    let { raster } = face;
    for (let i = 0; i < 4; i++) {
      const things = Array.from({ length: Math.ceil(between(random, 0.5, 1.2) / size ** 1.5) }, () => {
        const [across, down] = [size * between(random, 0.5, 1.5), size * between(random, 0.3, 1)];
        const thing = random() < 0.7 ? ellipse(across, down, 0) : box(across, -down, down, 3 * random());
        return moved(thing, between(random, -width, width), 0.3 + between(random, -height, height));
      });
      raster = await laid({ ...face, raster }, union(...things), shaded(anyColour(random), face, random));
    }
    return random() < 0.5
      ? raster
      : laid({ ...face, raster }, bulging(random, 0.8), anyPaint(face, photo, random));
  },
  haze: (face, _, random) => {
    const waves = folds(random, 1.5, between(random, 0.2, 0.8));
    const head = ellipse(between(random, 1.3, 2.2), between(random, 1.8, 2.8), 0.4);
    const tone = shaded(random() < 0.7 ? grey(between(random, 170, 255)) : anyColour(random), face, random);
    return laid(face, (u, v) => head(u, v) + waves(u, v) - 1, tone, {
      soft: between(random, 0.3, 1.2),
      strength: between(random, 0.8, 0.98),
    });
  },
  // An arm, a rail, somebody's shoulder.
  limb: async (face, photo, random) => {
    let { raster } = face;
    const turn = Math.PI * random();
    for (let i = 0; i < 1 + 2 * random(); i++) {
      const half = between(random, 0.35, 0.9);
      const bar = box(between(random, 1.5, 5), -half, half, turn + between(random, -0.4, 0.4));
      const paint = random() < 0.4 ? skin(face, random) : anyPaint(face, photo, random);
      const place = moved(bar, between(random, -0.8, 0.8), between(random, -0.1, 0.9));
      raster = await laid({ ...face, raster }, place, paint, { soft: between(random, 0.02, 0.2) });
    }
    return raster;
  },
  'dark glasses and mask': async (face, photo, random) => {
    const [across, down] = [between(random, 0.35, 0.5), between(random, 0.28, 0.42)];
    const glasses: Depth = (u, v) =>
      Math.max(ellipse(across, down, 0.04)(Math.abs(u) - 0.5, v), box(1.05, -0.1, 0)(u, v));
    const raster = await laid(face, glasses, () => grey(between(random, 5, 40)));
    const mask: Depth = (u, v) => Math.min(ellipse(1.05, 1.7, 0.35)(u, v), v - 0.45);
    return laid({ ...face, raster }, mask, cloth(photo, unitOf(face), random));
  },
  helmet: async (face, photo, random) => {
    const shell = await laid(
      face,
      ellipse(between(random, 1.3, 1.6), 1.95, 0.3),
      cloth(photo, 3 * unitOf(face), random),
    );
    const [tone, light] = [anyPaint(face, photo, random)(0, 0), folds(random, 3 * unitOf(face), 0.5)];
    const visor = ellipse(between(random, 0.9, 1.3), between(random, 0.4, 0.8), between(random, 0, 0.4));
    return laid({ ...face, raster: shell }, visor, (x, y) => scaled(tone, light(x, y)), { soft: 0.06 });
  },
  hands: async (face, _, random) => {
    const paint = skin(face, random);
    const side = pick(random, [[-1, 1], [-1, 1], [1], [-1]]);
    let { raster } = face;
    for (const sign of side) {
      const [x, y] = [sign * between(random, 0.1, 0.6), between(random, 0.2, 1)];
      const turn = sign * between(random, -0.5, 0.5);
      const fingers = [-0.42, -0.14, 0.14, 0.42].map((at) =>
        box(0.13, -between(random, 0.9, 1.3), 0.1, 0.1 * at),
      );
      const palm = union(ellipse(0.62, 0.75, 0.35), box(0.4, 0.5, 3.5));
      const whole: Depth = (u, v) => {
        const [p, q] = [
          (u - x) * Math.cos(turn) + (v - y) * Math.sin(turn),
          (v - y) * Math.cos(turn) - (u - x) * Math.sin(turn),
        ];
        return Math.max(
          palm(p, q),
          ...fingers.map((finger, i) => finger(p - [-0.42, -0.14, 0.14, 0.42][i]!, q)),
        );
      };
      raster = await laid({ ...face, raster }, whole, paint, { soft: between(random, 0.02, 0.1) });
    }
    return raster;
  },
  'thing held before': (face, photo, random) => {
    const [side, height] = [between(random, 0.75, 1.4), between(random, 0.9, 1.8)];
    const middle = between(random, 0.2, 0.8);
    const whole =
      random() < 0.7
        ? box(side, middle - height, middle + height, between(random, -0.4, 0.4))
        : ellipse(side + 0.2, height, middle);
    return laid(face, whole, anyPaint(face, photo, random), { soft: between(random, 0.02, 0.06) });
  },
  'sheet of paper': async (face, _, random) => {
    const [side, top] = [between(random, 0.8, 1.7), between(random, -1.2, 0.1)];
    const height = between(random, 1.6, 3.6);
    const turn = between(random, -0.35, 0.35);
    const sheet = box(side, top, top + height, turn);
    const paper = scaled(random() < 0.7 ? [250, 249, 244] : anyColour(random), between(random, 0.75, 1));
    const [light, ink, line] = [
      folds(random, 3 * unitOf(face), 0.12),
      scaled(paper, between(random, 0.2, 0.7)),
      between(random, 0.1, 0.3),
    ];
    const raster = await laid(face, sheet, (x, y) => scaled(paper, light(x, y)));
    const kind = random();
    const rows: Depth = (u, v) => Math.min(sheet(u, v) - 0.15, (Math.abs((v / line) % 1) - 0.6) * line);
    const printed =
      kind < 0.35
        ? raster
        : await laid(
            { ...face, raster },
            kind < 0.7 ? rows : box(side * 0.7, top + 0.2, top + height * 0.6, turn),
            () => ink,
          );
    if (random() < 0.4) return printed;
    const fingers = union(
      ...[-1, 1].map((sign) => {
        const [x, y] = [sign * side, top + height * between(random, 0.3, 0.8)];
        return (u: number, v: number) => ellipse(0.28, 0.4, 0)(u - x, v - y);
      }),
    );
    return laid({ ...face, raster: printed }, fingers, skin(face, random), { soft: 0.04 });
  },
  paint: (face, photo, random) =>
    laid(
      face,
      ellipse(between(random, 0.95, 1.5), between(random, 1.2, 1.9), between(random, 0.3, 0.7)),
      anyPaint(face, photo, random),
      {
        soft: random() < 0.5 ? 0.03 : between(random, 0.1, 0.9),
        strength: random() < 0.6 ? 1 : between(random, 0.75, 1),
      },
    ),
  box: (face, photo, random) =>
    laid(
      face,
      box(
        1 + 0.5 * random(),
        between(random, -1.4, -0.6),
        between(random, 1.5, 2.2),
        between(random, -0.2, 0.2),
      ),
      anyPaint(face, photo, random),
      {
        soft: random() < 0.6 ? 0.02 : between(random, 0.1, 0.8),
        strength: random() < 0.7 ? 1 : between(random, 0.8, 1),
      },
    ),
  scribble: async (face, _, random) => {
    const colour = random() < 0.5 ? grey(pick(random, [0, 20, 255])) : anyColour(random);
    const width = between(random, 0.08, 0.3);
    const strokes = Array.from({ length: Math.ceil(3 / width) }, () => {
      const [x, y, turn] = [between(random, -0.8, 0.8), between(random, -0.6, 1.8), between(random, -1, 1)];
      return (u: number, v: number) => {
        const along = (u - x) * Math.cos(turn) + (v - y) * Math.sin(turn);
        const off = (v - y) * Math.cos(turn) - (u - x) * Math.sin(turn) + 0.1 * Math.sin(4 * along);
        return Math.min(width - Math.abs(off), 0.9 - Math.abs(along));
      };
    });
    return laid(face, union(...strokes), () => colour);
  },
  sticker: async (face, _, random) => {
    const radius = between(random, 1.2, 1.8);
    const colour = random() < 0.6 ? ([250, 205, 60] as const) : anyColour(random);
    const raster = await laid(face, ellipse(radius, radius, 0.5), () => colour);
    if (random() < 0.5) return raster;
    const [ink, across] = [scaled(anyColour(random), 0.4), radius * between(random, 0.1, 0.25)];
    const eyes: Depth = (u, v) =>
      ellipse(across, 1.3 * across, 0.5 - 0.25 * radius)(Math.abs(u) - 0.35 * radius, v);
    const mouth: Depth = (u, v) =>
      Math.min(ellipse(0.6 * radius, 0.55 * radius, 0.65)(u, v), v - 0.5 - 0.25 * radius);
    return laid({ ...face, raster }, union(eyes, mouth), () => ink);
  },
  'piece of a photo': (face, photo, random) => {
    const whole = ellipse(between(random, 1, 1.3), between(random, 1.4, 1.9), 0.35);
    return Promise.resolve(textured(face, photo, (u, v) => whole(u, v) > 0, random));
  },
  hood: (face, photo, random) =>
    laid(face, without(ellipse(1.25, 1.9, 0.4), slit(random)), cloth(photo, unitOf(face), random)),
  noise: (face, _, random) =>
    laid(face, ellipse(1.2, 1.7, 0.45), () => anyColour(random), { strength: between(random, 0.5, 1) }),
  'bald head': (face, _, random) => {
    const [left, right] = face.eyes;
    const [middle, unit] = [(left.x + right.x) / 2, right.x - left.x];
    const light = (x: number) => 1.1 - 0.25 * ((x - middle) / unit) ** 2 + 0.04 * random();
    return Promise.resolve(filled(face, ellipse(1.15, 1.65, 0.35), colourAt(face, 0, 0.45), light));
  },
  'erased face': (face, _, random) => {
    const { width, height, data } = face.raster;
    const unit = unitOf(face);
    const x = (face.eyes[0].x + face.eyes[1].x) / 2;
    const at = (column: number, row: number): Colour => {
      const place =
        3 *
        (Math.max(0, Math.min(height - 1, Math.round(row))) * width +
          Math.max(0, Math.min(width - 1, Math.round(column))));
      return [data[place]!, data[place + 1]!, data[place + 2]!];
    };
    const edge = between(random, 0.9, 1.3) * unit;
    return laid(
      face,
      ellipse(edge / unit, between(random, 1.2, 1.7), 0.4),
      (column, row) => {
        const [one, two] = [at(x - edge, row), at(x + edge, row)];
        const share = Math.max(0, Math.min(1, (column - x + edge) / (2 * edge)));
        return mixed(one, two, share);
      },
      { soft: between(random, 0.05, 0.4) },
    );
  },
  'bad light': (face, _, random) => {
    const [isDark, strength] = [random() < 0.6, between(random, 0.75, 0.97)];
    const tone = grey(isDark ? between(random, 0, 25) : between(random, 235, 255));
    return laid(face, ellipse(between(random, 1.2, 1.6), between(random, 1.7, 2.3), 0.4), () => tone, {
      soft: between(random, 0.3, 1),
      strength,
    });
  },
  jigsaw: (face, _, random) => {
    const side = Math.max(3, Math.round(unitOf(face) * between(random, 0.15, 0.5)));
    const [shiftX, shiftY] = [1 + Math.floor(3 * random()), 1 + Math.floor(3 * random())];
    const { width, height, data } = face.raster;
    return laid(face, box(1.2, -0.9, 2), (x, y) => {
      const [column, row] = [Math.floor(x / side), Math.floor(y / side)];
      const fromX = (x + side * (((column * 7 + row * 3) % (2 * shiftX + 1)) - shiftX) + width) % width;
      const fromY = (y + side * (((column * 5 + row * 11) % (2 * shiftY + 1)) - shiftY) + height) % height;
      const at = 3 * (fromY * width + fromX);
      return [data[at]!, data[at + 1]!, data[at + 2]!];
    });
  },
  mosaic: (face, _, random) => {
    const across = 3 + Math.floor(13 * random());
    const kernel = pick(random, ['nearest', 'nearest', 'nearest', 'cubic'] as const);
    return overPart(face, random, kernel, async (head, { width, height }) => {
      const down = Math.max(2, Math.round((across * height) / width));
      return sharp(await head.resize(across, down, { fit: 'fill' }).png().toBuffer());
    });
  },
  'any blur': (face, _, random) => {
    const kind = random();
    return overPart(face, random, 'cubic', async (head, { width, height }) => {
      if (kind < 0.7) return head.blur(Math.max(0.5, face.width * between(random, 0.05, 0.3)));
      // A motion: squeezed in one direction and drawn out again.
      const few = Math.max(2, Math.round(between(random, 3, 8)));
      const [across, down] = kind < 0.85 ? [few, height] : [width, few];
      return sharp(await head.resize(across, down, { fit: 'fill' }).png().toBuffer());
    });
  },
};

/** Of them those that look like no head where no head is. */
export const PATCHES: readonly string[] = [
  ...[
    'patterned mask',
    'scarf',
    'pixels',
    'blur',
    'bar',
    'thing held before',
    'sheet of paper',
    'paint',
    'box',
  ],
  ...['scribble', 'piece of a photo', 'noise', 'jigsaw', 'mosaic', 'any blur', 'grille'],
  ...['canopy', 'thing of parts', 'small things', 'haze', 'limb'],
];

/** Replaces a box or an ellipse over a head, of a size that is drawn. */
async function overPart(
  { raster, eyes, width }: Portrait,
  random: Random,
  kernel: 'nearest' | 'cubic',
  alter: (head: Sharp, region: { width: number; height: number }) => Promise<Sharp>,
): Promise<Raster> {
  const [across, down] = [between(random, 0.55, 0.85) * width, between(random, 0.65, 0.95) * width];
  const x = (eyes[0].x + eyes[1].x) / 2;
  const y = (eyes[0].y + eyes[1].y) / 2 + 0.2 * width;
  const [left, top] = [Math.max(0, Math.round(x - across)), Math.max(0, Math.round(y - down))];
  const region = {
    width: Math.min(raster.width - left, Math.round(2 * across)),
    height: Math.min(raster.height - top, Math.round(2 * down)),
  };
  const raw = { width: raster.width, height: raster.height, channels: 3 as const };
  const head = await sharp(raster.data, { raw })
    .extract({ left, top, ...region })
    .png()
    .toBuffer();
  const altered = await (await alter(sharp(head), region)).png().toBuffer();
  const pixels = await sharp(altered)
    .resize({ ...region, kernel, fit: 'fill' })
    .removeAlpha()
    .raw()
    .toBuffer();
  const isRound = random() < 0.45;
  const data = new Uint8Array(raster.data);
  for (let row = 0; row < region.height; row++)
    for (let column = 0; column < region.width; column++) {
      const off = Math.hypot((2 * column) / region.width - 1, (2 * row) / region.height - 1);
      if (isRound && off > 1) continue;
      const from = 3 * (row * region.width + column);
      data.set(pixels.subarray(from, from + 3), 3 * ((row + top) * raster.width + column + left));
    }
  return { ...raster, data };
}
