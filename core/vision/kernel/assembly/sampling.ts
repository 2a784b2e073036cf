/**
 * The two loops over pixels that cost an image a third of its processor time when JavaScript ran them, in
 * AssemblyScript (compiled by `scripts/kernels.ts`). Pixels are three interleaved bytes. Both loops read and write
 * whole machine words, so behind every raster in memory `../sampling.ts` leaves room.
 */

/** Positions are whole numbers with this many bits behind the point. */
const FRACTION: i32 = 16;
const ONE: i32 = 1 << FRACTION;
/** Weights of neighbouring pixels add up to this many bits: the most that a signed half word holds. */
const WEIGHT: i32 = 14;

@inline
function fixed(value: f64): i32 {
  return <i32>nearest(value * ONE);
}

@inline
function within(value: i32, least: i32, most: i32): i32 {
  return min(max(value, least), most);
}

/** Red, green, blue of two neighbouring pixels at `at`, blended by `weights` (a pair of them in every lane). */
@inline
function blended(at: usize, weights: v128): v128 {
  const pairs = i8x16.swizzle(
    v128.load64_zero(at),
    i8x16(0, -1, 3, -1, 1, -1, 4, -1, 2, -1, 5, -1, -1, -1, -1, -1),
  );
  return f32x4.convert_i32x4_s(i32x4.dot_i16x8_s(pairs, weights));
}

/** The bilinear tap at a place of the raster; its values are 2 ** WEIGHT times as large. */
@inline
function tapAt(source: usize, stride: i32, x: i32, y: i32): v128 {
  const at = source + (y >> FRACTION) * stride + (x >> FRACTION) * 3;
  const weight = (x & (ONE - 1)) >> (FRACTION - WEIGHT);
  const weights = i32x4.splat((weight << 16) | ((1 << WEIGHT) - weight));
  const above = blended(at, weights);
  const below = blended(at + stride, weights);
  const depth = f32x4.splat(<f32>(y & (ONE - 1)) * (<f32>1 / <f32>ONE));
  return f32x4.add(above, f32x4.mul(f32x4.sub(below, above), depth));
}

/**
 * Fills a picture of `width` × `height` pixels at `target` with the mean of taps × taps bilinear taps per pixel. Pixel
 * (x, y) of it covers the square from (a·x − b·y + tx, b·x + a·y + ty) on in the raster at `source`. Positions are
 * those of pixel centres and are held within `min…` and `max…`; `blackOutside`: taps further out than half a pixel
 * are black.
 */
export function resample(
  source: usize,
  stride: i32,
  minX: i32,
  minY: i32,
  maxX: i32,
  maxY: i32,
  a: f64,
  b: f64,
  tx: f64,
  ty: f64,
  taps: i32,
  target: usize,
  width: i32,
  height: i32,
  blackOutside: bool,
): void {
  minX <<= FRACTION;
  minY <<= FRACTION;
  maxX <<= FRACTION;
  maxY <<= FRACTION;
  const edge = ONE / 2;
  const pixelX = fixed(a);
  const pixelY = fixed(b);
  const tapX = fixed(a / taps);
  const tapY = fixed(b / taps);
  // How far the other taps of a pixel reach from its first one.
  const acrossX = (taps - 1) * tapX;
  const acrossY = (taps - 1) * tapY;
  const leftmost = min(acrossX, 0) - max(acrossY, 0);
  const rightmost = max(acrossX, 0) - min(acrossY, 0);
  const topmost = min(acrossX, 0) + min(acrossY, 0);
  const lowest = max(acrossX, 0) + max(acrossY, 0);

  const share = f32x4.splat(<f32>1 / <f32>((1 << WEIGHT) * taps * taps));
  // Adding this leaves the nearest whole number in the last bits of a float.
  const rounding = f32x4.splat(8388608);
  const inPixel = 0.5 / taps;
  for (let y = 0; y < height; y++) {
    // The first tap of the row; from there on whole numbers are added up, which errs by 2⁻⁸ pixels at the most.
    let left = fixed(a * inPixel - b * (y + inPixel) + tx - 0.5);
    let top = fixed(b * inPixel + a * (y + inPixel) + ty - 0.5);
    for (let x = 0; x < width; x++, left += pixelX, top += pixelY) {
      let sum = f32x4.splat(0);
      if (
        left + leftmost >= minX &&
        left + rightmost <= maxX &&
        top + topmost >= minY &&
        top + lowest <= maxY
      ) {
        sum = tapAt(source, stride, left, top);
        if (taps == 2) {
          const right = tapAt(source, stride, left + tapX, top + tapY);
          const below = tapAt(source, stride, left - tapY, top + tapX);
          const last = tapAt(source, stride, left + tapX - tapY, top + tapY + tapX);
          sum = f32x4.add(f32x4.add(sum, right), f32x4.add(below, last));
        } else if (taps > 2) {
          for (let tap = 1; tap < taps * taps; tap++) {
            const row = tap / taps;
            const column = tap - row * taps;
            sum = f32x4.add(
              sum,
              tapAt(source, stride, left + column * tapX - row * tapY, top + column * tapY + row * tapX),
            );
          }
        }
      } else if (
        !blackOutside ||
        (left + rightmost >= minX - edge &&
          left + leftmost <= maxX + edge &&
          top + lowest >= minY - edge &&
          top + topmost <= maxY + edge)
      ) {
        for (let row = 0; row < taps; row++) {
          for (let column = 0; column < taps; column++) {
            const u = left + column * tapX - row * tapY;
            const v = top + column * tapY + row * tapX;
            const outside = u < minX - edge || u > maxX + edge || v < minY - edge || v > maxY + edge;
            if (blackOutside && outside) continue;
            sum = f32x4.add(sum, tapAt(source, stride, within(u, minX, maxX), within(v, minY, maxY)));
          }
        }
      }
      const value = f32x4.add(f32x4.mul(sum, share), rounding);
      v128.store32_lane(
        target,
        i8x16.swizzle(value, i8x16(0, 4, 8, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1)),
        0,
      );
      target += 3;
    }
  }
}

/** The first, third, fifth and seventh pixel of 24 bytes, as low bytes of twelve half words and four of no meaning. */
@inline
function evenPixels(first: v128, last: v128): v128 {
  return i8x16.shuffle(first, last, 0, 1, 2, 6, 7, 8, 12, 13, 14, 26, 27, 28, 0, 0, 0, 0);
}

@inline
function oddPixels(first: v128, last: v128): v128 {
  return i8x16.shuffle(first, last, 3, 4, 5, 9, 10, 11, 15, 24, 25, 29, 30, 31, 0, 0, 0, 0);
}

/** Pairs of rows of `2 × width` pixels to rows of `width`: each the mean of four pixels, halves rounded up. */
export function halve(source: usize, stride: u32, target: usize, width: u32, height: u32): void {
  const two = i16x8.splat(2);
  for (let y: u32 = 0; y < height; y++) {
    let from = source + 2 * y * stride;
    let to = target + 3 * y * width;
    const end = to + 3 * width;
    for (; to < end; to += 12, from += 24) {
      const above = v128.load(from);
      const aboveLast = v128.load(from, 8);
      const below = v128.load(from + stride);
      const belowLast = v128.load(from + stride, 8);
      const p = evenPixels(above, aboveLast);
      const q = oddPixels(above, aboveLast);
      const r = evenPixels(below, belowLast);
      const s = oddPixels(below, belowLast);
      const low = i16x8.add(
        i16x8.add(i16x8.extend_low_i8x16_u(p), i16x8.extend_low_i8x16_u(q)),
        i16x8.add(i16x8.extend_low_i8x16_u(r), i16x8.extend_low_i8x16_u(s)),
      );
      const high = i16x8.add(
        i16x8.add(i16x8.extend_high_i8x16_u(p), i16x8.extend_high_i8x16_u(q)),
        i16x8.add(i16x8.extend_high_i8x16_u(r), i16x8.extend_high_i8x16_u(s)),
      );
      v128.store(
        to,
        i8x16.narrow_i16x8_u(i16x8.shr_u(i16x8.add(low, two), 2), i16x8.shr_u(i16x8.add(high, two), 2)),
      );
    }
  }
}
