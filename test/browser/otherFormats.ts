/** A photo in the formats that the service converts, and the start of one that it does not read. */
import sharp from 'sharp';
import { writeFac } from '../../core/decoding/records/fac.ts';
import { jp2Of, jpeg2000Of } from '../support/jpeg2000.ts';
import { drawPhoto } from './drawnFaces.ts';

export const HEIC = Buffer.from('\0\0\0\u0018ftypheic\0\0\0\0mif1heic');

/** A WebP, a TIFF, a JPEG 2000 and a face record of one drawn person. */
export async function convertedFiles(): Promise<{ name: string; buffer: Buffer }[]> {
  const [width, height] = [120, 160];
  const drawn = await sharp(Buffer.from(drawPhoto(3).svg))
    .resize(width, height, { fit: 'fill' })
    .png()
    .toBuffer();
  const jpeg = await sharp(drawn).flatten().jpeg().toBuffer();
  const eyes = { left: { x: 75, y: 72 }, right: { x: 45, y: 72 } };
  return [
    { name: 'phone.webp', buffer: await sharp(drawn).webp().toBuffer() },
    { name: 'scan.tiff', buffer: await sharp(drawn).tiff().toBuffer() },
    { name: 'passport.jp2', buffer: jp2Of(await jpeg2000Of(jpeg)) },
    { name: 'passport.bin', buffer: Buffer.from(writeFac({ jpeg, width, height, eyes }, 2005)) },
  ];
}
