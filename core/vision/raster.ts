/** Decoded pixels: 8-bit sRGB, three interleaved channels, rows from the top. */
export interface Raster {
  width: number;
  height: number;
  /** `width * height * 3` bytes, R G B. */
  data: Uint8Array;
}

/** A raster has a side beyond what the sampling loops can address. */
export class RasterTooLong extends RangeError {
  override name = 'RasterTooLong';
}

export function createRaster(width: number, height: number): Raster {
  return { width, height, data: new Uint8Array(width * height * 3) };
}

/** Luma of every pixel, 0 to 255 (ITU-R BT.601 weights, those of JPEG itself). */
export function luma({ width, height, data }: Raster): Float32Array {
  const grey = new Float32Array(width * height);
  for (let pixel = 0, at = 0; pixel < grey.length; pixel++, at += 3) {
    grey[pixel] = 0.299 * data[at]! + 0.587 * data[at + 1]! + 0.114 * data[at + 2]!;
  }
  return grey;
}
