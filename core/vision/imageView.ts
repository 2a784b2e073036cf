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

/**
 * Fills `picture` with the mean of n × n bilinear taps per pixel, n the source pixels that one of its sides covers.
 * Written in small functions a third of the CPU of an image is spent here: hence the one long loop.
 */
function resample(source: Raster, toSource: Similarity, picture: Raster, blackOutside: boolean): void {
  const { a, b, tx, ty } = toSource;
  const { data } = source;
  const stride = source.width * 3;
  const maxX = source.width - 1;
  const maxY = source.height - 1;
  const taps = Math.max(1, Math.ceil(Math.hypot(a, b) - 0.01));
  const share = 1 / (taps * taps);
  const offset = (tap: number) => ({
    u: ((tap % taps) + 0.5) / taps,
    v: (Math.floor(tap / taps) + 0.5) / taps,
  });
  const tapsX = Float64Array.from({ length: taps * taps }, (_, tap) => a * offset(tap).u - b * offset(tap).v);
  const tapsY = Float64Array.from({ length: taps * taps }, (_, tap) => b * offset(tap).u + a * offset(tap).v);
  let to = 0;
  for (let y = 0; y < picture.height; y++) {
    for (let x = 0; x < picture.width; x++, to += 3) {
      let red = 0;
      let green = 0;
      let blue = 0;
      const left = a * x - b * y + tx - 0.5;
      const top = b * x + a * y + ty - 0.5;
      for (let tap = 0; tap < tapsX.length; tap++) {
        // In units of pixel centres.
        let px = left + tapsX[tap]!;
        let py = top + tapsY[tap]!;
        if (px < 0 || py < 0 || px > maxX || py > maxY) {
          if (blackOutside && (px < -0.5 || py < -0.5 || px > maxX + 0.5 || py > maxY + 0.5)) continue;
          px = Math.min(Math.max(px, 0), maxX);
          py = Math.min(Math.max(py, 0), maxY);
        }
        const x0 = px | 0;
        const y0 = py | 0;
        const p = (y0 * stride + x0 * 3) | 0;
        const q = x0 < maxX ? p + 3 : p;
        const r = y0 < maxY ? p + stride : p;
        const s = r + q - p;
        const ws = (px - x0) * (py - y0);
        const wq = px - x0 - ws;
        const wr = py - y0 - ws;
        const wp = 1 - ws - wq - wr;
        red += wp * data[p]! + wq * data[q]! + wr * data[r]! + ws * data[s]!;
        green += wp * data[p + 1]! + wq * data[q + 1]! + wr * data[r + 1]! + ws * data[s + 1]!;
        blue += wp * data[p + 2]! + wq * data[q + 2]! + wr * data[r + 2]! + ws * data[s + 2]!;
      }
      picture.data[to] = red * share + 0.5;
      picture.data[to + 1] = green * share + 0.5;
      picture.data[to + 2] = blue * share + 0.5;
    }
  }
}
