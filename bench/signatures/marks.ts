/** Marks that everybody makes, and other things that stand where a signature should: by invented hands. */
import type { Colours } from '../../core/signatures/raster.ts';
import { COLOURS, laidOn, lettering, stampAt } from './foreign.ts';
import { MEDIA, render } from './page.ts';
import type { Path } from './pen.ts';
import type { Chance } from './random.ts';

/** A smooth deviation of a hand along a stroke: a few waves of chance. */
function wander(size: number, chance: Chance): (at: number) => number {
  const waves = Array.from({ length: 3 }, (_, i) => ({
    high: chance.normal(size / (i + 1)),
    shift: chance.between(0, 6.3),
  }));
  return (at) =>
    waves.reduce((sum, { high, shift }, i) => sum + high * Math.sin((i + 1) * 3 * at + shift), 0);
}

/** A stroke along a curve over 0 to 1, y upwards, by a hand that is more or less steady. */
function stroke(curve: (at: number) => readonly [number, number], chance: Chance, unsteady = 0.03): Path {
  const [offX, offY] = [wander(unsteady, chance), wander(unsteady, chance)];
  return Array.from({ length: 160 }, (_, i) => {
    const at = i / 159;
    const [x, y] = curve(at);
    return [x + offX(at), y + offY(at)];
  }).flat();
}

function line(from: readonly [number, number], to: readonly [number, number], chance: Chance): Path {
  const bow = chance.normal(0.06);
  return stroke((at) => {
    const [dx, dy] = [to[0] - from[0], to[1] - from[1]];
    const side = bow * Math.sin(Math.PI * at);
    return [from[0] + at * dx - side * dy, from[1] + at * dy + side * dx];
  }, chance);
}

const near = (chance: Chance, x: number, y: number) =>
  [x + chance.normal(0.1), y + chance.normal(0.1)] as const;

/** Every kind is a hand's own plan, then one drawing of it; different hands call it with other chance. */
export const DRAWN: Record<string, (chance: Chance) => Path[]> = {
  x: (chance) => [
    line(near(chance, 0, 1), near(chance, 1, 0), chance),
    line(near(chance, 1, 1), near(chance, 0, 0), chance),
  ],
  cross: (chance) => [
    line(near(chance, 0.5, 1.2), near(chance, 0.5, 0), chance),
    line(near(chance, 0, 0.7), near(chance, 1, 0.7), chance),
  ],
  dash: (chance) => [line(near(chance, 0, 0), near(chance, 2, 0.1), chance)],
  circle: (chance) => {
    const [flat, turn, more] = [chance.around(1, 0.15), chance.between(0, 6.3), chance.between(0.9, 1.15)];
    return [
      stroke((at) => [Math.cos(turn + 6.28 * more * at), flat * Math.sin(turn + 6.28 * more * at)], chance),
    ];
  },
  wave: (chance) => {
    const [periods, high, fade] = [chance.between(2, 6), chance.around(0.35, 0.25), chance.between(0.4, 1)];
    const shift = chance.between(0, 6.3);
    return [
      stroke((at) => [3 * at, high * (1 - (1 - fade) * at) * Math.sin(shift + 6.28 * periods * at)], chance),
    ];
  },
  loops: (chance) => {
    const [count, high, open] = [chance.between(3, 7), chance.around(0.5, 0.2), chance.between(0.3, 0.6)];
    return [
      stroke(
        (at) => [3 * at - open * Math.sin(6.28 * count * at) * 0.7, high * Math.cos(6.28 * count * at)],
        chance,
      ),
    ];
  },
  zigzag: (chance) => {
    const [count, high] = [chance.whole(3, 8), chance.around(0.5, 0.25)];
    return [stroke((at) => [3 * at, high * (2 * Math.abs(((at * count) % 1) - 0.5) - 0.5)], chance)];
  },
  stroke: (chance) => {
    const arc = chance.between(-2.5, 2.5);
    const turn = chance.between(-0.6, 0.9);
    return [
      stroke((at) => {
        const angle = turn + arc * (at - 0.5);
        return Math.abs(arc) < 0.1
          ? [2 * at, turn * at]
          : [(2 * Math.sin(angle)) / arc, (-2 * Math.cos(angle)) / arc];
      }, chance),
    ];
  },
  spiral: (chance) => {
    const [rounds, flat] = [chance.between(1.5, 3.5), chance.around(1, 0.15)];
    return [
      stroke(
        (at) => [(0.2 + at) * Math.cos(6.28 * rounds * at), flat * (0.2 + at) * Math.sin(6.28 * rounds * at)],
        chance,
      ),
    ];
  },
  tick: (chance) => {
    const corner = near(chance, 0.5, 0);
    return [line(near(chance, 0, 0.5), corner, chance), line(corner, near(chance, 1.4, 1.3), chance)];
  },
  star: (chance) => {
    const [count, shift] = [chance.whole(3, 4), chance.between(0, 3.1)];
    return Array.from({ length: count }, (_, i) => {
      const angle = shift + (Math.PI * i) / count;
      const [x, y] = [Math.cos(angle), Math.sin(angle)];
      return line(near(chance, -x, -y), near(chance, x, y), chance);
    });
  },
  hash: (chance) => [
    line(near(chance, 0.35, 1), near(chance, 0.3, 0), chance),
    line(near(chance, 0.7, 1), near(chance, 0.65, 0), chance),
    line(near(chance, 0, 0.65), near(chance, 1, 0.7), chance),
    line(near(chance, 0, 0.3), near(chance, 1, 0.35), chance),
  ],
  'long wave': (chance) => {
    const [periods, high] = [chance.between(7, 14), chance.around(0.25, 0.3)];
    return [stroke((at) => [4 * at, high * Math.sin(6.28 * periods * at)], chance)];
  },
  'long loops': (chance) => {
    const [count, high, open] = [chance.between(8, 14), chance.around(0.4, 0.2), chance.between(0.2, 0.45)];
    return [
      stroke(
        (at) => [4 * at - open * Math.sin(6.28 * count * at) * 0.6, high * Math.cos(6.28 * count * at)],
        chance,
      ),
    ];
  },
  scribble: (chance) => {
    const [count, wide] = [chance.between(3, 8), chance.around(1.5, 0.2)];
    const high = chance.between(0.3, 0.8);
    return [stroke((at) => [wide * Math.sin(6.28 * count * at), high * (0.5 - at)], chance, 0.08)];
  },
};

/** A mark that looks like an initial: a law that keeps it to the limit of the others would refuse every eighth signature. */
export const LIKE_NAMES: typeof DRAWN = {
  eight: (chance) => {
    const [flat, turn] = [chance.around(0.5, 0.2), chance.between(0, 6.3)];
    const more = 6.28 * chance.between(1, 2.2);
    return [stroke((at) => [Math.sin(turn + more * at), flat * Math.sin(2 * (turn + more * at))], chance)];
  },
};

export const photographed = (paths: readonly Path[], chance: Chance) =>
  render(paths, chance.pick(MEDIA), chance);

/** Ridges of a finger about a core, a loop or a whorl, bent and broken by chance. */
function thumbprint(chance: Chance): Colours {
  const [width, height] = [420, 520];
  const [ridge, swirl] = [chance.between(9, 14), chance.normal(0.5)];
  const [coreX, coreY] = [210 + chance.normal(15), 230 + chance.normal(20)];
  const [wide, tall] = [chance.between(120, 160), chance.between(170, 215)];
  const bends = Array.from({ length: 5 }, () => ({
    x: chance.normal(0.02),
    y: chance.normal(0.02),
    shift: chance.between(0, 6.3),
    high: chance.between(2, 6),
  }));
  const whorl = chance.happens(0.5);
  const data = new Uint8Array(width * height * 3).fill(255);
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) {
      const [u, v] = [x - coreX, y - coreY];
      const rim = Math.hypot((x - 210) / wide, (y - 260) / tall) + 0.05 * Math.sin(5 * Math.atan2(v, u));
      if (rim > 1) continue;
      const bend = bends.reduce(
        (sum, one) => sum + one.high * Math.sin(one.x * x + one.y * y + one.shift),
        0,
      );
      const way = whorl || v < 0 ? Math.hypot(u * 1.15, v) : Math.abs(u) * 1.15;
      const phase = ((way + bend) / ridge) * 2 * Math.PI + swirl * Math.atan2(v, u);
      const tone =
        128 -
        120 * Math.tanh(2 * Math.sin(phase)) +
        chance.normal(12) +
        (rim > 0.85 ? (rim - 0.85) * 500 : 0);
      data.fill(Math.max(0, Math.min(255, Math.round(tone))), (y * width + x) * 3, (y * width + x) * 3 + 3);
    }
  return { width, height, data };
}

const blank = (width: number, height: number): Colours => ({
  width,
  height,
  data: new Uint8Array(width * height * 3).fill(255),
});

const FIRST = ['Maria', 'Sofia', 'Peter', 'Ahmed', 'John', 'Wei', 'Olga', 'Carlos', 'Fatima', 'Anders'];
const LAST = [
  'Lopez',
  'Rossi',
  'Schmidt',
  'Haddad',
  'Smith',
  'Chen',
  'Petrova',
  'Silva',
  'Nilsson',
  'Okafor',
];

/** Kinds of marks, each by another hand at each call. */
export const MARKS: Record<string, (chance: Chance) => Colours | Promise<Colours>> = {
  ...Object.fromEntries(
    Object.entries(DRAWN).map(([kind, draw]) => [
      kind,
      (chance: Chance) => photographed(draw(chance), chance),
    ]),
  ),
  thumbprint,
  seal: (chance) =>
    laidOn(
      blank(420, 420),
      stampAt(
        210,
        210,
        chance.between(120, 190),
        COLOURS[chance.pick(['blue', 'red', 'black'] as const)],
        chance,
      ),
    ),
  'typed name': (chance) =>
    laidOn(
      blank(800, 220),
      lettering(`${chance.pick(FIRST)} ${chance.pick(LAST)}`, 30, 140, {
        size: chance.between(50, 100),
        colour: '#111',
        weight: chance.pick(['regular', 'bold'] as const),
      }),
    ),
};
