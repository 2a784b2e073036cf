/** Puts a written signature on paper or a screen, and takes its picture: pen, ground, light, blur, grain, turn. */
import type { Chance } from './random.ts';
import type { Path } from './pen.ts';
import type { Colours } from '../../core/signatures/raster.ts';

export const MEDIA = ['scan', 'phone', 'tablet'] as const;
export type Medium = (typeof MEDIA)[number];

interface Rgb {
  red: number;
  green: number;
  blue: number;
}

/** Renders with a medium's usual variation. */
export function render(paths: readonly Path[], medium: Medium, chance: Chance): Colours {
  const turn = chance.normal(medium === 'tablet' ? 0.02 : medium === 'scan' ? 0.03 : 0.07);
  const skew = medium === 'phone' ? chance.normal(0.04) : 0;
  const longSide = chance.between(420, 800);
  const placed = place(paths, turn, skew, longSide, chance);
  const pen = medium === 'tablet' ? chance.around(0.24, 0.35) : chance.around(0.16, 0.3);
  const cover = drawStrokes(
    placed,
    Math.max(1.6, Math.min(pen * placed.letter, (medium === 'tablet' ? 0.028 : 0.014) * longSide)),
    medium === 'tablet' ? 0 : 0.35,
    chance,
  );
  const ink = medium === 'tablet' ? BLACK : chance.pick([BLACK, BLACK, GREY, BLUE]);
  return picture(cover, placed, ink, medium, chance);
}

const BLACK: Rgb = { red: 25, green: 25, blue: 30 };
const GREY: Rgb = { red: 110, green: 110, blue: 112 };
const BLUE: Rgb = { red: 35, green: 50, blue: 150 };

interface Placed {
  paths: Path[];
  width: number;
  height: number;
  /** Height of a small letter, pixels. */
  letter: number;
}

/** Turns, skews and scales the paths into a picture with margins, y downwards. */
function place(paths: readonly Path[], turn: number, skew: number, longSide: number, chance: Chance): Placed {
  const cos = Math.cos(turn);
  const sin = Math.sin(turn);
  const turned = paths.map((path) => {
    const out: Path = [];
    for (let i = 0; i < path.length; i += 2) {
      const x = path[i]! + skew * path[i + 1]!;
      const y = -path[i + 1]!;
      out.push(cos * x - sin * y, sin * x + cos * y);
    }
    return out;
  });
  let left = Infinity;
  let top = Infinity;
  let right = -Infinity;
  let bottom = -Infinity;
  for (const path of turned)
    for (let i = 0; i < path.length; i += 2) {
      left = Math.min(left, path[i]!);
      right = Math.max(right, path[i]!);
      top = Math.min(top, path[i + 1]!);
      bottom = Math.max(bottom, path[i + 1]!);
    }
  const scale = longSide / Math.max(right - left, bottom - top, 0.1);
  const margin = longSide * chance.between(0.03, 0.15);
  return {
    paths: turned.map((path) => path.map((v, i) => (v - (i % 2 === 0 ? left : top)) * scale + margin)),
    width: Math.ceil((right - left) * scale + 2 * margin),
    height: Math.ceil((bottom - top) * scale + 2 * margin),
    letter: scale,
  };
}

/** How much each pixel is covered by ink, 0 to 1; a pen presses lighter where it is fast. */
function drawStrokes(placed: Placed, pen: number, pressure: number, chance: Chance): Float32Array {
  const { width, height } = placed;
  const cover = new Float32Array(width * height);
  for (const path of placed.paths) {
    const force = chance.around(1, 0.1);
    for (let i = 2; i < path.length; i += 2) {
      const dx = path[i]! - path[i - 2]!;
      const dy = path[i + 1]! - path[i - 1]!;
      const speed = Math.hypot(dx, dy);
      const radius = (pen / 2) * force * (1 - pressure * Math.min(1, speed / (pen * 4)));
      const steps = Math.max(1, Math.ceil(speed / 0.7));
      for (let s = 0; s < steps; s++)
        stamp(
          cover,
          width,
          height,
          path[i - 2]! + (dx * s) / steps,
          path[i - 1]! + (dy * s) / steps,
          Math.max(0.6, radius),
        );
    }
  }
  return cover;
}

function stamp(
  cover: Float32Array,
  width: number,
  height: number,
  x: number,
  y: number,
  radius: number,
): void {
  const reach = Math.ceil(radius + 1);
  for (let v = Math.max(0, Math.floor(y) - reach); v <= Math.min(height - 1, Math.floor(y) + reach); v++)
    for (let u = Math.max(0, Math.floor(x) - reach); u <= Math.min(width - 1, Math.floor(x) + reach); u++) {
      const share = Math.min(1, Math.max(0, radius + 0.5 - Math.hypot(u - x, v - y)));
      const at = v * width + u;
      if (share > cover[at]!) cover[at] = share;
    }
}

function picture(cover: Float32Array, placed: Placed, ink: Rgb, medium: Medium, chance: Chance): Colours {
  const { width, height } = placed;
  const paper = medium === 'tablet' ? 255 : chance.between(medium === 'scan' ? 225 : 170, 250);
  const grain = medium === 'tablet' ? 0 : chance.between(1, medium === 'scan' ? 5 : 9);
  const shadeX = medium === 'phone' ? chance.normal(50) : 0;
  const shadeY = medium === 'phone' ? chance.normal(50) : 0;
  const blur = medium === 'phone' ? chance.whole(0, 2) : medium === 'scan' ? chance.whole(0, 1) : 0;
  let soft = cover;
  for (let i = 0; i < blur; i++) soft = blur3(soft, width, height);
  const data = new Uint8Array(width * height * 3);
  for (let y = 0, i = 0; y < height; y++)
    for (let x = 0; x < width; x++, i++) {
      const light = (paper + shadeX * (x / width - 0.5) + shadeY * (y / height - 0.5)) / 255;
      const noise = grain > 0 ? chance.normal(grain) : 0;
      const share = soft[i]!;
      const tone = (colour: number) => clampByte((255 * (1 - share) + colour * share) * light + noise);
      data[i * 3] = tone(ink.red);
      data[i * 3 + 1] = tone(ink.green);
      data[i * 3 + 2] = tone(ink.blue);
    }
  return { width, height, data };
}

const clampByte = (value: number) => Math.max(0, Math.min(255, Math.round(value)));

function blur3(from: Float32Array, width: number, height: number): Float32Array {
  const out = new Float32Array(from.length);
  for (let y = 1; y < height - 1; y++)
    for (let x = 1; x < width - 1; x++) {
      let sum = 0;
      for (let dy = -1; dy <= 1; dy++)
        for (let dx = -1; dx <= 1; dx++) sum += from[(y + dy) * width + x + dx]!;
      out[y * width + x] = sum / 9;
    }
  return out;
}
