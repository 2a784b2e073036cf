/** A decoded image, or a part of one, that is sampled in the coordinates of the upright original. */
import type { Point } from '../contracts/faces.ts';
import { compose, scaleOf, type Similarity } from './geometry.ts';
import { halve, resample } from './sampling.ts';
import { createRaster, type Raster } from './raster.ts';

/** The value of a sample outside the view: the nearest edge pixel, or black. */
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

/** A picture whose bright parts (95th percentile) already reach this value is not dark. */
const BRIGHT = 120;
/** Where the bright parts are brought. */
const TARGET = 220;
/** Noise is all there is below; a larger factor only amplifies it. */
const MAX_GAIN = 24;

/**
 * The same view, brighter; undefined when it is not dark. A face in the dark is found so; quality and template are still taken
 * from the original pixels.
 */
export function brightened(view: ImageView): ImageView | undefined {
  const { raster } = view;
  const bright = percentile(raster, 0.95);
  if (bright >= BRIGHT) return undefined;
  const gain = Math.min(MAX_GAIN, TARGET / Math.max(1, bright));
  const table = Uint8Array.from({ length: 256 }, (_, value) => Math.min(255, Math.round(value * gain)));
  const lit = createRaster(raster.width, raster.height);
  for (let i = 0; i < lit.data.length; i++) lit.data[i] = table[raster.data[i]!]!;
  return view.withRaster(lit);
}

/** Of the green channel, which is most of what the eye calls brightness. */
function percentile({ data }: Raster, share: number): number {
  const counts = new Uint32Array(256);
  for (let i = 1; i < data.length; i += 3) counts[data[i]!]!++;
  let left = (data.length / 3) * share;
  for (let value = 0; value < 256; value++) {
    left -= counts[value]!;
    if (left <= 0) return value;
  }
  return 255;
}
