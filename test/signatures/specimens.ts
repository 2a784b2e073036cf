/** Signatures and other pictures, drawn on the spot for tests. */
import sharp from 'sharp';
import { Chance } from '../../bench/signatures/random.ts';
import { inventName } from '../../bench/signatures/names.ts';
import { developSignature, sign } from '../../bench/signatures/hand.ts';
import { render } from '../../bench/signatures/page.ts';
import type { Medium } from '../../bench/signatures/page.ts';
import type { Colours } from '../../core/signatures/raster.ts';

/** `count` signings by the person that a number stands for. */
export function signings(person: number, count: number, medium: Medium = 'scan'): Colours[] {
  const chance = new Chance(person);
  const signature = developSignature(inventName(chance), chance);
  return Array.from({ length: count }, () => render(sign(signature, chance), medium, chance));
}

/** A picture drawn pixel by pixel: `colour` gets 0 to 255 per channel. */
export function paint(
  width: number,
  height: number,
  colour: (x: number, y: number) => readonly [number, number, number],
): Colours {
  const data = new Uint8Array(width * height * 3);
  for (let y = 0, at = 0; y < height; y++)
    for (let x = 0; x < width; x++, at += 3) data.set(colour(x, y).map(byte), at);
  return { width, height, data };
}

/** Changes a picture channel by channel. */
export function repaint(
  picture: Colours,
  change: (value: number, x: number, y: number, channel: number) => number,
): Colours {
  const { width, height } = picture;
  const data = picture.data.map((value, i) => {
    const pixel = Math.floor(i / 3);
    return byte(change(value, pixel % width, Math.floor(pixel / width), i % 3));
  });
  return { width, height, data };
}

const byte = (value: number) => Math.max(0, Math.min(255, Math.round(value)));

export function encoded(picture: Colours, format: 'png' | 'jpeg' = 'png'): Promise<Buffer> {
  const { width, height, data } = picture;
  return sharp(data, { raw: { width, height, channels: 3 } })
    .toFormat(format)
    .toBuffer();
}

/** Two pictures on one white page. */
export function onOnePage(one: Colours, other: Colours, gap: number, how: 'beside' | 'stacked'): Colours {
  const width = how === 'beside' ? one.width + gap + other.width : Math.max(one.width, other.width);
  const height = how === 'beside' ? Math.max(one.height, other.height) : one.height + gap + other.height;
  const [left, top] = how === 'beside' ? [one.width + gap, 0] : [0, one.height + gap];
  const at = (picture: Colours, x: number, y: number) => {
    if (x < 0 || y < 0 || x >= picture.width || y >= picture.height) return undefined;
    const i = (y * picture.width + x) * 3;
    return [picture.data[i]!, picture.data[i + 1]!, picture.data[i + 2]!] as const;
  };
  return paint(width, height, (x, y) => at(one, x, y) ?? at(other, x - left, y - top) ?? [255, 255, 255]);
}

/** A landscape: clouds over ridges, a wood, and a lake that mirrors them. */
export function landscape(seed: number): Colours {
  const chance = new Chance(seed);
  const [width, height] = [640, 420];
  const waves = Array.from({ length: 12 }, (_, i) => ({
    high: 26 / (i + 1),
    long: (0.004 + 0.003 * i) * chance.around(1, 0.3),
    shift: chance.between(0, 6.3),
  }));
  const ridge = (x: number, base: number) =>
    waves.reduce(
      (y, { high, long, shift }) => y + high * Math.sin(x * long * 2 * Math.PI + shift * base),
      base,
    );
  const grain = Array.from({ length: 64 * 64 }, () => chance.normal(1));
  const tree = (x: number, y: number) => grain[(Math.floor(y / 5) % 64) * 64 + (Math.floor(x / 4) % 64)]!;
  const tone = (x: number, y: number): readonly [number, number, number] => {
    const cloud = 18 * Math.sin(x / 61 + seed) * Math.sin(y / 17 + x / 130);
    if (y < ridge(x, 120)) return [150 + cloud + y / 3, 175 + cloud + y / 4, 215 + cloud];
    if (y < ridge(x + 300, 190)) return [105 + cloud, 120 + cloud, 140];
    const leaves = 22 * tree(x, y);
    return [60 + leaves, 85 + leaves, 50 + leaves / 2];
  };
  const shore = 290;
  return paint(width, height, (x, y) => {
    const [red, green, blue] = tone(x, y < shore ? y : 2 * shore - y + 3 * Math.sin(x / 9 + y));
    const dim = (y < shore ? 1 : 0.75) * (1 - 0.0002 * Math.hypot(x - width / 2, y - height / 2));
    const noise = chance.normal(4);
    return [red * dim + noise, green * dim + noise, blue * dim + noise];
  });
}

/** Rows of small blocks of about one height, as printed letters are. */
export function pageOfText(): Colours {
  return paint(700, 500, (x, y) => {
    const inRow = y % 40 > 14 && y % 40 < 30 && y > 20 && y < 470;
    const letter = Math.floor(x / 14) * 31 + Math.floor(y / 40) * 17;
    const inLetter = x % 14 > 3 && x > 40 && x < 660 && letter % 7 !== 0;
    const stroke = (x % 14 < 6 || (y % 40) - 14 < 4 + (letter % 5)) && inLetter;
    return inRow && stroke ? [20, 20, 20] : [255, 255, 255];
  });
}

/** The header of a PNG that claims a size, and nothing behind it. */
export function pngThatClaims(width: number, height: number): Buffer {
  const header = Buffer.alloc(33);
  Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex').copy(header);
  header.writeUInt32BE(width, 16);
  header.writeUInt32BE(height, 20);
  header.set([8, 2, 0, 0, 0], 24);
  header.writeUInt32BE(crc32(header.subarray(12, 29)), 29);
  return Buffer.concat([header, Buffer.from('0000000049444154', 'hex')]);
}

function crc32(bytes: Uint8Array): number {
  let crc = 0xffffffff;
  for (const value of bytes) {
    crc ^= value;
    for (let bit = 0; bit < 8; bit++) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0);
  }
  return ~crc >>> 0;
}
