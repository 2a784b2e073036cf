/** One image of each pair degraded, the other as it was: what does the random error rate become? */
import { readFileSync } from 'node:fs';
import sharp from 'sharp';
import { table } from '../report.ts';
import { Album, pairsOf } from './accuracy.ts';
import type { LabelledPair } from './accuracy.ts';
import { Chance } from './random.ts';
import { errorRates } from './rates.ts';
import { compareSignatures, prepareSignature } from '../../core/signatures/compare.ts';
import { percent } from '../statistics.ts';

interface Picture {
  data: Buffer;
  width: number;
  height: number;
}

type Degrade = (picture: Picture) => Promise<Buffer>;

const image = ({ data, width, height }: Picture) => sharp(data, { raw: { width, height, channels: 3 } });
const WHITE = '#ffffff';

/** Changes channel by channel: value, x, y, channel. */
function pixels(
  change: (value: number, x: number, y: number, channel: number, picture: Picture) => number,
): Degrade {
  return (picture) => {
    const { width, height } = picture;
    const data = Buffer.from(picture.data);
    for (let i = 0; i < data.length; i++) {
      const pixel = Math.floor(i / 3);
      const value = change(data[i]!, pixel % width, Math.floor(pixel / width), i % 3, picture);
      data[i] = Math.max(0, Math.min(255, Math.round(value)));
    }
    return image({ data, width, height }).png().toBuffer();
  };
}

const turned =
  (degrees: number): Degrade =>
  (picture) =>
    image(picture).rotate(degrees, { background: WHITE }).png().toBuffer();
const resized =
  (factor: number): Degrade =>
  (picture) =>
    image(picture)
      .resize(Math.round(picture.width * factor))
      .png()
      .toBuffer();

/** Darkest of the neighbours within a radius. */
const thicker: Degrade = async (picture) => {
  const { width, height, data } = picture;
  const out = Buffer.from(data);
  for (let y = 2; y < height - 2; y++)
    for (let x = 2; x < width - 2; x++)
      for (let c = 0; c < 3; c++) {
        let darkest = 255;
        for (let dy = -2; dy <= 2; dy++)
          for (let dx = -2; dx <= 2; dx++)
            if (dx * dx + dy * dy <= 5)
              darkest = Math.min(darkest, data[((y + dy) * width + x + dx) * 3 + c]!);
        out[(y * width + x) * 3 + c] = darkest;
      }
  return image({ data: out, width, height }).png().toBuffer();
};

const grain = new Chance(3);
const onFrame = (at: number, length: number) => (at >= 4 && at < 7) || (at >= length - 7 && at < length - 4);

const DEGRADATIONS: Record<string, Degrade> = {
  'as it was': (picture) => image(picture).png().toBuffer(),
  inverted: pixels((value) => 255 - value),
  shadow: pixels((value, x, _y, _c, { width }) => value * (0.4 + (0.6 * x) / width)),
  'JPEG quality 15': (picture) => image(picture).jpeg({ quality: 15 }).toBuffer(),
  'four times the size': resized(4),
  'a quarter of the size, not under 64 px': (picture) =>
    resized(Math.max(0.25, 64 / Math.min(picture.width, picture.height)))(picture),
  'faint ink': pixels((value) => 255 - 0.3 * (255 - value)),
  'blur, σ 2': (picture) => image(picture).blur(2).png().toBuffer(),
  'noise, σ 20': pixels((value) => value + grain.normal(20)),
  'thicker pen': thicker,
  'ruled lines': pixels((value, _x, y) => (y % 44 < 2 ? Math.min(value, 100) : value)),
  frame: pixels((value, x, y, _c, { width, height }) =>
    onFrame(x, width) || onFrame(y, height) ? 20 : value,
  ),
  'red stamp': pixels((value, x, y, c, { width, height }) => {
    const off = Math.hypot(x - width * 0.6, y - height * 0.5) / (height * 0.35);
    return Math.abs(off - 1) < 0.06 || Math.abs(off - 0.7) < 0.05 ? value * [0.85, 0.2, 0.25][c]! : value;
  }),
  'coloured ground': pixels((value, _x, _y, c) => value * [0.95, 0.85, 0.55][c]!),
  'turned 5°': turned(5),
  'turned 15°': turned(15),
  'turned −15°': turned(-15),
  'cut by 20 %': (picture) =>
    image(picture)
      .extract({ left: 0, top: 0, width: Math.round(picture.width * 0.8), height: picture.height })
      .png()
      .toBuffer(),
};

/** One draw of chance says little: what is drawn is drawn so many times, and all pairs of all draws count. */
const DRAWS = 5;
const DRAWN: ReadonlySet<string> = new Set(['noise, σ 20']);

/**
 * @param count genuine and random pairs per kind of degradation
 * @param only the kinds whose names hold this; all without it
 */
export async function robustnessReport(count: number, only = ''): Promise<string> {
  const pairs = pairsOf('cedar', 1);
  const every = (kind: string) => {
    const all = pairs.filter((pair) => pair.kind === kind);
    return all.filter((_, i) => i % Math.max(1, Math.floor(all.length / count)) === 0).slice(0, count);
  };
  const [genuine, random] = [every('genuine'), every('random')];
  const album = new Album();
  const rows: string[][] = [];
  let asItWas: number[] | undefined;
  for (const [name, degrade] of Object.entries(DEGRADATIONS)) {
    if (asItWas && !name.includes(only)) continue;
    const own: number[] = [];
    const foreign: number[] = [];
    for (let draw = 0; draw < (DRAWN.has(name) ? DRAWS : 1); draw++) {
      own.push(...(await similaritiesOf(genuine, degrade, album)));
      foreign.push(...(await similaritiesOf(random, degrade, album)));
    }
    const { eer } = errorRates(own, foreign);
    const missed = own.filter((similarity) => similarity < 40).length / own.length;
    asItWas ??= own;
    rows.push([name, percent(eer), percent(missed), signed(mean(own) - mean(asItWas))]);
    console.log(name, percent(eer));
  }
  return [
    `CEDAR, ${genuine.length} genuine and ${random.length} random pairs for each kind, the second image degraded; noise ${DRAWS} times with another grain each, all of them counted. Mean change: points of similarity, against the pictures as they were.`,
    table(['degraded by', 'random EER', 'genuine below 40', 'genuine, mean change'], rows),
  ].join('\n\n');
}

const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
const signed = (value: number) => `${value < 0 ? '−' : '+'}${Math.abs(value).toFixed(1)}`;

async function similaritiesOf(
  pairs: readonly LabelledPair[],
  degrade: Degrade,
  album: Album,
): Promise<number[]> {
  const out: number[] = [];
  for (const { first, second } of pairs) {
    const kept = await album.open(first);
    const { data, info } = await sharp(readFileSync(second))
      .flatten({ background: WHITE })
      .toColourspace('srgb')
      .raw()
      .toBuffer({ resolveWithObject: true });
    const picture = {
      data: info.channels === 1 ? tripled(data) : data,
      width: info.width,
      height: info.height,
    };
    const degraded = await prepareSignature(await degrade(picture));
    const both = kept.kind === 'signature' && degraded.kind === 'signature';
    out.push(both ? compareSignatures(kept, degraded).similarity : 0);
  }
  return out;
}

function tripled(grey: Buffer): Buffer {
  const out = Buffer.alloc(grey.length * 3);
  for (let i = 0; i < out.length; i++) out[i] = grey[Math.floor(i / 3)]!;
  return out;
}
