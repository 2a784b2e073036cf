/** A decoded image, or a part of one, that is sampled in the coordinates of the upright original. */
import type { Point } from '../contracts/faces.ts';
import { compose, scaleOf, type Similarity } from './geometry.ts';
import { createRaster, halve, type Raster } from './raster.ts';

/** What a sample outside the view gets: the nearest edge pixel, or black. */
export type Outside = 'edge' | 'black';

export class ImageView {
  /** The raster, then its halves, quarters …, made when first needed. */
  readonly #levels: Raster[];
  readonly #origin: Point;
  readonly #scale: number;

  /** `raster` shows the original from `origin` on, at `scale` raster pixels per pixel of the original. */
  constructor(raster: Raster, origin: Point = { x: 0, y: 0 }, scale = 1) {
    this.#levels = [raster];
    this.#origin = origin;
    this.#scale = scale;
  }

  /** Raster pixels per pixel of the original. */
  get scale(): number {
    return this.#scale;
  }

  get raster(): Raster {
    return this.#levels[0]!;
  }

  /** The same part of the original, shown by another raster of the same size. */
  withRaster(raster: Raster): ImageView {
    return new ImageView(raster, this.#origin, this.#scale);
  }

  /**
   * A picture of `width` × `height` pixels; `pictureToImage` says where in the original each of its pixels lies.
   * Downscaling averages over the area a pixel covers (halved copies, then a grid of bilinear taps): plain bilinear
   * crops move the recognition descriptor three times as far between two sizes of the same photo.
   */
  sample(pictureToImage: Similarity, width: number, height: number, outside: Outside = 'edge'): Raster {
    const toBase = compose(this.#imageToRaster(), pictureToImage);
    const level = this.#levelFor(scaleOf(toBase));
    const factor = 1 / 2 ** level;
    const toLevel = compose({ a: factor, b: 0, tx: 0, ty: 0 }, toBase);
    const picture = createRaster(width, height);
    resample(this.#levels[level]!, toLevel, picture, outside === 'black');
    return picture;
  }

  #imageToRaster(): Similarity {
    const s = this.#scale;
    return { a: s, b: 0, tx: -this.#origin.x * s, ty: -this.#origin.y * s };
  }

  /** The coarsest level that still has at least one pixel per pixel of the picture. */
  #levelFor(scale: number): number {
    const wanted = Math.max(0, Math.floor(Math.log2(scale) + 1e-9));
    while (this.#levels.length <= wanted) {
      const last = this.#levels.at(-1)!;
      if (last.width < 2 || last.height < 2) break;
      this.#levels.push(halve(last));
    }
    return Math.min(wanted, this.#levels.length - 1);
  }
}

/** Fills `picture` with the mean of n × n bilinear taps per pixel, n the source pixels that one of its sides covers. */
function resample(source: Raster, toSource: Similarity, picture: Raster, blackOutside: boolean): void {
  const { a, b, tx, ty } = toSource;
  const taps = Math.max(1, Math.ceil(Math.hypot(a, b) - 0.01));
  const share = 1 / (taps * taps);
  const sum = new Float64Array(3);
  let to = 0;
  for (let y = 0; y < picture.height; y++) {
    for (let x = 0; x < picture.width; x++, to += 3) {
      sum.fill(0);
      for (let j = 0; j < taps; j++) {
        const v = y + (j + 0.5) / taps;
        for (let i = 0; i < taps; i++) {
          const u = x + (i + 0.5) / taps;
          addBilinear(source, a * u - b * v + tx - 0.5, b * u + a * v + ty - 0.5, blackOutside, sum);
        }
      }
      picture.data[to] = sum[0]! * share + 0.5;
      picture.data[to + 1] = sum[1]! * share + 0.5;
      picture.data[to + 2] = sum[2]! * share + 0.5;
    }
  }
}

/** Adds the colour at (x, y), in units of pixel centres, to `sum`. */
function addBilinear(
  { width, height, data }: Raster,
  x: number,
  y: number,
  blackOutside: boolean,
  sum: Float64Array,
): void {
  if (blackOutside && (x < -0.5 || y < -0.5 || x > width - 0.5 || y > height - 0.5)) return;
  const px = Math.min(Math.max(x, 0), width - 1);
  const py = Math.min(Math.max(y, 0), height - 1);
  const x0 = Math.floor(px);
  const y0 = Math.floor(py);
  const fx = px - x0;
  const fy = py - y0;
  const right = x0 + 1 < width ? 3 : 0;
  const below = y0 + 1 < height ? width * 3 : 0;
  const at = (y0 * width + x0) * 3;
  const w00 = (1 - fx) * (1 - fy);
  const w10 = fx * (1 - fy);
  const w01 = (1 - fx) * fy;
  const w11 = fx * fy;
  for (let channel = 0; channel < 3; channel++) {
    const i = at + channel;
    sum[channel]! +=
      w00 * data[i]! + w10 * data[i + right]! + w01 * data[i + below]! + w11 * data[i + below + right]!;
  }
}
