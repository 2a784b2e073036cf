/** Writes JPEG 2000 codestreams for tests, by the encoder of the package that the product decodes with. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import sharp from 'sharp';

interface Encoder {
  getDecodedBuffer(info: object): Uint8Array;
  setQuality(lossless: boolean, step: number): void;
  encode(): void;
  getEncodedBuffer(): Uint8Array;
}
type OpenJpeg = (options: object) => Promise<{ J2KEncoder: new () => Encoder }>;

const require = createRequire(import.meta.url);

/** @param lossless false: by the irreversible transform. The encoder ignores the ratio that it is asked for. */
export async function jpeg2000Of(picture: Uint8Array, lossless = true): Promise<Buffer> {
  const load = require('@cornerstonejs/codec-openjpeg/wasmjs') as OpenJpeg;
  const wasmBinary = readFileSync(require.resolve('@cornerstonejs/codec-openjpeg/wasm'));
  const { data, info } = await sharp(picture).autoOrient().raw().toBuffer({ resolveWithObject: true });
  const { J2KEncoder } = await load({ wasmBinary, print: () => undefined, printErr: () => undefined });
  const encoder = new J2KEncoder();
  const { width, height, channels: componentCount } = info;
  encoder.getDecodedBuffer({ width, height, bitsPerSample: 8, componentCount, isSigned: false }).set(data);
  encoder.setQuality(lossless, 0);
  encoder.encode();
  return Buffer.from(encoder.getEncodedBuffer());
}

/** The codestream in the boxes of a JP2 file. @param colourSpace 16: sRGB, 17: grey, 18: sYCC */
export function jp2Of(codestream: Buffer, colourSpace = 16): Buffer {
  const box = (type: string, ...content: Buffer[]) => {
    const head = Buffer.alloc(8);
    head.writeUInt32BE(8 + content.reduce((sum, each) => sum + each.length, 0));
    head.write(type, 4, 'latin1');
    return Buffer.concat([head, ...content]);
  };
  const bytes = (hex: string) => Buffer.from(hex, 'hex');
  const [width, height] = [codestream.subarray(8, 12), codestream.subarray(12, 16)];
  return Buffer.concat([
    box('jP  ', bytes('0d0a870a')),
    box('ftyp', Buffer.from('jp2 \0\0\0\0jp2 ', 'latin1')),
    box(
      'jp2h',
      box('ihdr', height, width, codestream.subarray(40, 42), bytes('07070000')),
      box('colr', bytes(`010000000000${colourSpace.toString(16)}`)),
    ),
    box('jp2c', codestream),
  ]);
}
