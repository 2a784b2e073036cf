/** Draws what the matcher saw, for a person to look at. */
import sharp from 'sharp';
import type { Ink } from './drawn.ts';
import type { InkPicture } from '../domain/ports/signatures.ts';

const PAPER = 255;
const INK = 170;
const LINE = 0;

/** The cleaned ink in grey with the lines that are compared in black, on white. */
export async function drawInk(ink: Ink): Promise<InkPicture> {
  const { width, height, data } = ink.mask;
  const pixels = new Uint8Array(width * height);
  for (let i = 0; i < pixels.length; i++) pixels[i] = data[i] === 1 ? INK : PAPER;
  for (const stroke of ink.strokes)
    for (let i = 0; i < stroke.length; i += 2)
      pixels[Math.round(stroke[i + 1]!) * width + Math.round(stroke[i]!)] = LINE;
  const png = await sharp(pixels, { raw: { width, height, channels: 1 } })
    // One sample for each pixel: a report colours the ink through a palette.
    .toColourspace('b-w')
    .png()
    .toBuffer();
  return { png: new Uint8Array(png), width, height };
}
