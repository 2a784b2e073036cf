/** From colours to the density of ink: 0 bare ground, 1 black; light, shadow and the colour of the paper divided out. */
import { boxBlur, extremes, plane } from './raster.ts';
import type { Colours, Plane } from './raster.ts';

/** The background is smooth: it is estimated on a picture this many times smaller. */
const SHRINK = 4;

/** Luma after ITU-R BT.601, 0 to 255. */
export function greyOf(colours: Colours): Plane {
  const grey = plane(colours.width, colours.height);
  const { data } = colours;
  for (let i = 0, at = 0; i < grey.data.length; i++, at += 3)
    grey.data[i] = 0.299 * data[at]! + 0.587 * data[at + 1]! + 0.114 * data[at + 2]!;
  return grey;
}

/** One of the three channels, 0 red to 2 blue. */
export function channelOf(colours: Colours, channel: number): Plane {
  const out = plane(colours.width, colours.height);
  for (let i = 0; i < out.data.length; i++) out.data[i] = colours.data[i * 3 + channel]!;
  return out;
}

/**
 * Whether the ink is lighter than its ground. Ink covers the lesser part, so what is left of the picture without its
 * slow changes is skewed towards the ink: the sign of the third moment tells, whatever the light.
 */
export function isInverted(grey: Plane): boolean {
  const small = halved(grey);
  const slow = boxBlur(small, Math.round(Math.max(small.width, small.height) / 20));
  let third = 0;
  for (let i = 0; i < small.data.length; i++) {
    const off = small.data[i]! - slow.data[i]!;
    third += off * off * off;
  }
  return third > 0;
}

function halved(grey: Plane): Plane {
  const out = plane(grey.width >> 1, grey.height >> 1);
  for (let y = 0, to = 0; y < out.height; y++)
    for (let x = 0, at = 2 * y * grey.width; x < out.width; x++, at += 2, to++)
      out.data[to] =
        (grey.data[at]! +
          grey.data[at + 1]! +
          grey.data[at + grey.width]! +
          grey.data[at + grey.width + 1]!) /
        4;
  return out;
}

export function invert(image: Plane): Plane {
  const out = plane(image.width, image.height);
  for (let i = 0; i < out.data.length; i++) out.data[i] = 255 - image.data[i]!;
  return out;
}

/** Density 1 − g/background of dark ink, 0 to 1, lightly smoothed. */
export function densityOf(grey: Plane): Plane {
  const ground = groundOf(grey);
  const density = plane(grey.width, grey.height);
  for (let i = 0; i < density.data.length; i++) {
    const share = 1 - grey.data[i]! / Math.max(24, ground.data[i]!);
    density.data[i] = share > 0 ? share : 0;
  }
  return density;
}

/** The ground under the ink: morphological closing with a window wider than any stroke, then a box blur. */
function groundOf(grey: Plane): Plane {
  const small = brightest(grey, SHRINK);
  const radius = Math.max(3, Math.round(Math.max(grey.width, grey.height) / 32 / SHRINK));
  const closed = extremes(extremes(small, radius, 'largest'), radius, 'smallest');
  return enlarge(boxBlur(closed, radius), grey.width, grey.height, SHRINK);
}

/** Shrinks by whole blocks, keeping the second-brightest row mean of each: bright, but not the brightest grain of noise. */
function brightest(grey: Plane, block: number): Plane {
  const out = plane(Math.ceil(grey.width / block), Math.ceil(grey.height / block));
  for (let y = 0; y < out.height; y++)
    for (let x = 0; x < out.width; x++)
      out.data[y * out.width + x] = blockLight(grey, x * block, y * block, block);
  return out;
}

function blockLight(grey: Plane, left: number, top: number, block: number): number {
  const right = Math.min(grey.width, left + block);
  const bottom = Math.min(grey.height, top + block);
  let best = 0;
  for (let y = top; y < bottom; y++) {
    let sum = 0;
    for (let x = left; x < right; x++) sum += grey.data[y * grey.width + x]!;
    best = Math.max(best, sum / (right - left));
  }
  return best;
}

/** Bilinear enlargement of a picture that was shrunk by whole blocks. */
function enlarge(small: Plane, width: number, height: number, block: number): Plane {
  const out = plane(width, height);
  for (let y = 0; y < height; y++) {
    const v = clamp((y + 0.5) / block - 0.5, 0, small.height - 1);
    const top = Math.min(small.height - 1, Math.floor(v));
    const bottom = Math.min(small.height - 1, top + 1);
    for (let x = 0; x < width; x++) {
      const u = clamp((x + 0.5) / block - 0.5, 0, small.width - 1);
      const left = Math.floor(u);
      const right = Math.min(small.width - 1, left + 1);
      const a = mix(small.data[top * small.width + left]!, small.data[top * small.width + right]!, u - left);
      const b = mix(
        small.data[bottom * small.width + left]!,
        small.data[bottom * small.width + right]!,
        u - left,
      );
      out.data[y * width + x] = mix(a, b, v - top);
    }
  }
  return out;
}

const clamp = (value: number, low: number, high: number) => Math.min(high, Math.max(low, value));
const mix = (a: number, b: number, share: number) => a + (b - a) * share;
