/** A sheet on a darker desk: the desk is covered up with the colour of the paper beside it, so that its edge is no ink. */
import { grown, keepParts, label, tall, wide } from './components.ts';
import { brightest, channelOf, greyOf } from './density.ts';
import { areaOf, hullsOf } from './regular.ts';
import { mask, type Colours, type Mask, type Plane } from './raster.ts';
import { splitOf } from './threshold.ts';

/** The desk is looked for in blocks of so many pixels, of which ink leaves the brightest row. */
const BLOCK = 8;
/** A desk is darker than this share of the paper's light, and lies along this share of the picture's rim. */
const DARKER = 0.85;
const LEAST_RIM = 0.3;
/** The rest is one sheet: at least this share of the picture, and of its own convex hull. */
const LEAST_SHEET = 0.15;
const CONVEX = 0.9;
/** Words and buttons of a dark screen are each smaller than this share of its light field, which fills its box. */
const BESIDE = 0.25;
const FILLED = 0.94;
/** Light changes at its edge within two blocks, by this share of the difference; a shadow changes slowly. */
const STEP = 0.5;
const SHARP = 0.7;

export function sheetOf(colours: Colours): Colours {
  const blocks = brightest(greyOf(colours), BLOCK);
  const light: Plane = { ...blocks, data: blocks.data.map((value) => value / 255) };
  const { threshold, ground: dark, ink: bright } = splitOf(light);
  if (dark > DARKER * bright) return colours;
  const dim = alongRim(light, threshold);
  const surface = dim && aroundSheet(dim);
  if (!surface || !hasSharpEdge(light, surface, bright - dark)) return colours;
  return covered(colours, grown(surface, 1, 1));
}

/** The dark parts that touch the picture's rim; undefined when they do not lie along enough of it. */
function alongRim({ width, height, data }: Plane, threshold: number): Mask | undefined {
  const dark = mask(width, height);
  for (let i = 0; i < data.length; i++) dark.data[i] = data[i]! < threshold ? 1 : 0;
  const labelled = label(dark, 'sides');
  const { runs, components } = labelled;
  const touches = components.map(
    ({ left, top, right, bottom }) => left === 0 || top === 0 || right === width - 1 || bottom === height - 1,
  );
  const surface = mask(width, height);
  for (let i = 0; i < runs.count; i++)
    if (touches[runs.part[i]!])
      surface.data.fill(1, runs.row[i]! * width + runs.from[i]!, runs.row[i]! * width + runs.to[i]! + 1);
  let rim = 0;
  for (let x = 0; x < width; x++) rim += surface.data[x]! + surface.data[(height - 1) * width + x]!;
  for (let y = 0; y < height; y++) rim += surface.data[y * width]! + surface.data[(y + 1) * width - 1]!;
  return rim >= LEAST_RIM * 2 * (width + height) ? surface : undefined;
}

/** The desk with all that is small and bright on it; undefined where the rest is no sheet of paper by its shape. */
function aroundSheet(dim: Mask): Mask | undefined {
  const rest = label(dim, 'sides', 0);
  const areas = rest.components.map(({ area }) => area);
  const largest = areas.indexOf(Math.max(...areas));
  const area = areas[largest] ?? 0;
  if (area < LEAST_SHEET * dim.data.length || area < CONVEX * areaOf(hullsOf(rest)[largest]!))
    return undefined;
  const isAlone = areas.every((one) => one >= BESIDE * area);
  const box = rest.components[largest]!;
  if (!isAlone && area < FILLED * wide(box) * tall(box)) return undefined;
  const sheet = keepParts(dim, rest, (part) => part.area >= BESIDE * area);
  return { ...sheet, data: sheet.data.map((value) => 1 - value) };
}

/** Whether light changes abruptly along most of the desk's edge. */
function hasSharpEdge({ width, height, data }: Plane, surface: Mask, difference: number): boolean {
  let edge = 0;
  let sharp = 0;
  for (let y = 1; y < height - 2; y++)
    for (let x = 1; x < width - 2; x++)
      for (const step of [1, width]) {
        const at = y * width + x;
        if (surface.data[at] === surface.data[at + step]) continue;
        edge++;
        if (Math.abs(data[at - step]! - data[at + 2 * step]!) > STEP * difference) sharp++;
      }
  return edge > 0 && sharp >= SHARP * edge;
}

/** The picture with some blocks in the colour of the nearest paper: light falls off over a sheet, and its edge must not show. */
function covered(colours: Colours, blocks: Mask): Colours {
  const { width, height, data } = colours;
  const paper = [0, 1, 2].map((channel) => brightest(channelOf(colours, channel), BLOCK).data);
  const nearest = nearestBare(blocks);
  const out = new Uint8Array(data);
  for (let y = 0, i = 0; y < height; y++)
    for (let x = 0; x < width; x++, i += 3) {
      const block = Math.floor(y / BLOCK) * blocks.width + Math.floor(x / BLOCK);
      if (blocks.data[block] === 1) for (let c = 0; c < 3; c++) out[i + c] = paper[c]![nearest[block]!]!;
    }
  return { width, height, data: out };
}

/** For each place the index of a bare one that is the nearest, or nearly so: each takes its neighbour's, there and back. */
function nearestBare({ width, height, data }: Mask): Int32Array {
  const nearest = Int32Array.from(data, (value, i) => (value === 0 ? i : -1));
  const away = (at: number, bare: number) =>
    Math.hypot((at % width) - (bare % width), Math.floor(at / width) - Math.floor(bare / width));
  const take = (at: number, from: number) => {
    const bare = nearest[from]!;
    if (bare >= 0 && (nearest[at]! < 0 || away(at, bare) < away(at, nearest[at]!))) nearest[at] = bare;
  };
  for (const way of [1, -1])
    for (let step = 0; step < nearest.length; step++) {
      const at = way === 1 ? step : nearest.length - 1 - step;
      const [x, y] = [at % width, Math.floor(at / width)];
      const [beforeX, beforeY] = [x - way, y - way];
      if (beforeX >= 0 && beforeX < width) take(at, at - way);
      if (beforeY < 0 || beforeY >= height) continue;
      for (const dx of [-1, 0, 1]) if (x + dx >= 0 && x + dx < width) take(at, at - way * width + dx);
    }
  return nearest;
}
