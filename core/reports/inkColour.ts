/** Colours the ink of a picture, so that the ink of two signatures can be laid over each other. */
import { crc32 } from 'node:zlib';

type Colour = readonly [red: number, green: number, blue: number];

const HEADER_END = 33;
/** Of the header: bits per sample and colour type, 8 and 0 for grey. */
const [DEPTH, COLOUR_TYPE] = [24, 25];
const INDEXED = 3;

/**
 * The darkness of a grey picture as the opacity of one colour. Only a palette is added: the pixels are not decoded.
 * @param png with one sample of 8 bits for each pixel
 * @throws {TypeError} the picture has another form
 */
export function colouredInk(png: Uint8Array, colour: Colour): Uint8Array {
  if (png[DEPTH] !== 8 || png[COLOUR_TYPE] !== 0) throw new TypeError('The ink is not a grey PNG of 8 bits.');
  const header = Uint8Array.from(png.subarray(16, 29));
  header[COLOUR_TYPE - 16] = INDEXED;
  const greys = Array.from({ length: 256 }, (_, grey) => grey);
  return Buffer.concat([
    png.subarray(0, 8),
    chunk('IHDR', header),
    chunk('PLTE', Uint8Array.from(greys.flatMap(() => [...colour]))),
    chunk(
      'tRNS',
      Uint8Array.from(greys, (grey) => 255 - grey),
    ),
    png.subarray(HEADER_END),
  ]);
}

function chunk(type: string, content: Uint8Array): Buffer {
  const checked = Buffer.concat([Buffer.from(type, 'latin1'), content]);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(content.length);
  const sum = Buffer.alloc(4);
  sum.writeUInt32BE(crc32(checked));
  return Buffer.concat([length, checked, sum]);
}
