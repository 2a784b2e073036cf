/** Windows bitmaps without compression, of 1 to 32 bits a pixel. The decoder of the other formats does not read them. */
import { UnreadableImage } from './decode.ts';
import type { Pixels } from './convert.ts';

const FILE_HEADER = 14;
const CORE_HEADER = 12;
/** "BI_RGB", and "BI_BITFIELDS" with the masks that follow the header. */
const UNCOMPRESSED = 0;
const MASKED = 3;
const DEFAULT_MASKS: Partial<Record<number, readonly number[]>> = {
  16: [0x7c00, 0x03e0, 0x001f],
  32: [0xff0000, 0x00ff00, 0x0000ff],
};

interface BitmapHeader {
  width: number;
  /** Without its sign. */
  height: number;
  bits: number;
  topDown: boolean;
  compression: number;
  /** Where palette or masks begin. */
  headerEnd: number;
  pixelsAt: number;
}

/** @returns undefined: the header is damaged */
export function bitmapHeader(file: Buffer): BitmapHeader | undefined {
  if (file.length < FILE_HEADER + CORE_HEADER) return undefined;
  const header = file.readUInt32LE(FILE_HEADER);
  const isCore = header === CORE_HEADER;
  if (file.length < FILE_HEADER + header || (!isCore && header < 40)) return undefined;
  const height = isCore ? file.readInt16LE(20) : file.readInt32LE(22);
  const found = {
    width: isCore ? file.readUInt16LE(18) : file.readInt32LE(18),
    height: Math.abs(height),
    bits: file.readUInt16LE(isCore ? 24 : 28),
    topDown: height < 0,
    compression: isCore ? UNCOMPRESSED : file.readUInt32LE(30),
    headerEnd: FILE_HEADER + header,
    pixelsAt: file.readUInt32LE(10),
  };
  return found.width > 0 && found.height > 0 ? found : undefined;
}

/** @param header of the file, within the limits @throws {UnreadableImage} its data end early, or it is compressed */
export function decodeBitmap(file: Buffer, header: BitmapHeader): Pixels {
  const { width, height, bits, topDown, compression, pixelsAt } = header;
  const known = [1, 4, 8, 24].includes(bits) ? compression === UNCOMPRESSED : bits === 16 || bits === 32;
  if (!known || (compression !== UNCOMPRESSED && compression !== MASKED))
    throw new UnreadableImage('UNSUPPORTED_IMAGE');
  const stride = Math.ceil((width * bits) / 32) * 4;
  if (pixelsAt + stride * height > file.length) throw new UnreadableImage('CORRUPT_IMAGE');
  const colourOf = bits <= 8 ? paletteOf(file, header) : bits === 24 ? undefined : maskedOf(file, header);
  const data = new Uint8Array(width * height * 3);
  for (let row = 0, to = 0; row < height; row++) {
    const from = pixelsAt + stride * (topDown ? row : height - 1 - row);
    for (let column = 0; column < width; column++, to += 3) {
      if (colourOf === undefined) {
        for (let channel = 0; channel < 3; channel++)
          data[to + channel] = file[from + 3 * column + 2 - channel]!;
        continue;
      }
      const colour = colourOf(from, column);
      for (let channel = 0; channel < 3; channel++) data[to + channel] = colour[channel]!;
    }
  }
  return { data, width, height, channels: 3 };
}

type ColourOf = (row: number, column: number) => readonly number[];

function paletteOf(file: Buffer, { bits, headerEnd, pixelsAt }: BitmapHeader): ColourOf {
  const entry = headerEnd === FILE_HEADER + CORE_HEADER ? 3 : 4;
  const colours: (readonly number[])[] = [];
  for (let at = headerEnd; at + entry <= Math.min(pixelsAt, file.length) && colours.length < 256; at += entry)
    colours.push([file[at + 2]!, file[at + 1]!, file[at]!]);
  const perByte = 8 / bits;
  return (row, column) => {
    const shift = 8 - bits * (1 + (column % perByte));
    const index = (file[row + Math.floor(column / perByte)]! >> shift) & (2 ** bits - 1);
    const colour = colours[index];
    if (colour === undefined) throw new UnreadableImage('CORRUPT_IMAGE');
    return colour;
  };
}

function maskedOf(file: Buffer, { bits, compression, pixelsAt }: BitmapHeader): ColourOf {
  const stated = FILE_HEADER + 40;
  const masks =
    compression === MASKED && stated + 12 <= pixelsAt
      ? [0, 4, 8].map((at) => file.readUInt32LE(stated + at))
      : DEFAULT_MASKS[bits]!;
  // The lowest bit of a mask, and the largest value of its channel.
  const channels = masks.map((mask) => ({ mask, low: mask & -mask || 1 }));
  return (row, column) => {
    const pixel = bits === 16 ? file.readUInt16LE(row + 2 * column) : file.readUInt32LE(row + 4 * column);
    return channels.map(({ mask, low }) =>
      mask === 0
        ? 0
        : Math.round((((pixel & mask) >>> 0) / (low >>> 0) / ((mask >>> 0) / (low >>> 0))) * 255),
    );
  };
}
