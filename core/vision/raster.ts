/** Decoded pixels: 8-bit sRGB, three interleaved channels, rows from the top. */
export interface Raster {
  width: number;
  height: number;
  /** `width * height * 3` bytes, R G B. */
  data: Uint8Array;
}

export function createRaster(width: number, height: number): Raster {
  return { width, height, data: new Uint8Array(width * height * 3) };
}

/**
 * Half the size in both directions; each new pixel is the mean of the four it covers. An odd last row or column
 * is dropped: at most one pixel of an image's edge, which holds no part of a usable face.
 */
export function halve(raster: Raster): Raster {
  const width = raster.width >> 1;
  const height = raster.height >> 1;
  const half = createRaster(width, height);
  const { data } = raster;
  const stride = raster.width * 3;
  let to = 0;
  for (let y = 0; y < height; y++) {
    let from = 2 * y * stride;
    for (let x = 0; x < width; x++, from += 6, to += 3) {
      const below = from + stride;
      half.data[to] = (data[from]! + data[from + 3]! + data[below]! + data[below + 3]! + 2) >> 2;
      half.data[to + 1] = (data[from + 1]! + data[from + 4]! + data[below + 1]! + data[below + 4]! + 2) >> 2;
      half.data[to + 2] = (data[from + 2]! + data[from + 5]! + data[below + 2]! + data[below + 5]! + 2) >> 2;
    }
  }
  return half;
}

/** Luma of every pixel, 0 to 255 (ITU-R BT.601 weights, those of JPEG itself). */
export function luma({ width, height, data }: Raster): Float32Array {
  const grey = new Float32Array(width * height);
  for (let pixel = 0, at = 0; pixel < grey.length; pixel++, at += 3) {
    grey[pixel] = 0.299 * data[at]! + 0.587 * data[at + 1]! + 0.114 * data[at + 2]!;
  }
  return grey;
}
