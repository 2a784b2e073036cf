/** A face in the dark is found after the picture is lit; quality and template are still taken from the original pixels. */
import { ImageView } from './imageView.ts';
import { createRaster, type Raster } from './raster.ts';

/** A picture whose bright parts (95th percentile) already reach this value is not dark. */
const BRIGHT = 120;
/** Where the bright parts are brought. */
const TARGET = 220;
/** Noise is all there is below; a larger factor only amplifies it. */
const MAX_GAIN = 24;

/** The same view, brighter; undefined when it is not dark. */
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
