/** The scan of float32 rows; the bounds are the rounding errors of single precision alone. */
import { admits, Job, PAGE, tighten } from './job';

/** [Σa, Σb, Σc, Σd] of four f32x4. */
@inline
function sumFloatLanes(a: v128, b: v128, c: v128, d: v128): v128 {
  const ab = f32x4.add(v128.shuffle<f32>(a, b, 0, 4, 1, 5), v128.shuffle<f32>(a, b, 2, 6, 3, 7));
  const cd = f32x4.add(v128.shuffle<f32>(c, d, 0, 4, 1, 5), v128.shuffle<f32>(c, d, 2, 6, 3, 7));
  return f32x4.add(v128.shuffle<f32>(ab, cd, 0, 1, 4, 5), v128.shuffle<f32>(ab, cd, 2, 3, 6, 7));
}

/** `sum` and the squares of the differences of four components. */
@inline
function addSquares(row: usize, probe: usize, sum: v128): v128 {
  const difference = f32x4.sub(v128.load(row), v128.load(probe));
  if (ASC_FEATURE_RELAXED_SIMD) return f32x4.relaxed_madd(difference, difference, sum);
  return f32x4.add(sum, f32x4.mul(difference, difference));
}

/** Lane sums of the squared differences of one float32 row; `stride` components, a multiple of 4. */
@inline
function squaresOfRow(row: usize, probe: usize, stride: u32): v128 {
  let even = f32x4.splat(0);
  let odd = f32x4.splat(0);
  const end = row + (<usize>stride << 2);
  const pairs = row + (<usize>(stride & ~7) << 2);
  while (row < pairs) {
    even = addSquares(row, probe, even);
    odd = addSquares(row + 16, probe + 16, odd);
    row += 32;
    probe += 32;
  }
  if (row < end) even = addSquares(row, probe, even);
  return f32x4.add(even, odd);
}

/** The same of exactly 128 components, written out: the loop's own instructions would be a fifth of all. */
@inline
function squares128(row: usize, probe: usize): v128 {
  return f32x4.add(squaresOfHalf(row, probe), squaresOfHalf(row + 16, probe + 16));
}

/** Every second four of 128 components. */
@inline
function squaresOfHalf(row: usize, probe: usize): v128 {
  let sum = addSquares(row, probe, f32x4.splat(0));
  sum = addSquares(row + 32, probe + 32, sum);
  sum = addSquares(row + 64, probe + 64, sum);
  sum = addSquares(row + 96, probe + 96, sum);
  sum = addSquares(row + 128, probe + 128, sum);
  sum = addSquares(row + 160, probe + 160, sum);
  sum = addSquares(row + 192, probe + 192, sum);
  sum = addSquares(row + 224, probe + 224, sum);
  sum = addSquares(row + 256, probe + 256, sum);
  sum = addSquares(row + 288, probe + 288, sum);
  sum = addSquares(row + 320, probe + 320, sum);
  sum = addSquares(row + 352, probe + 352, sum);
  sum = addSquares(row + 384, probe + 384, sum);
  sum = addSquares(row + 416, probe + 416, sum);
  sum = addSquares(row + 448, probe + 448, sum);
  sum = addSquares(row + 480, probe + 480, sum);
  return sum;
}

/** As `scanCodes`, over float32 rows. */
export function scanExact(job: Job, first: u32): u32 {
  return job.exactStride == 128 ? scanRows(job, first, true) : scanRows(job, first, false);
}

@inline
function scanRows(job: Job, first: u32, is128: bool): u32 {
  const rows = job.rows;
  const stride = job.exactStride;
  const bytes = <usize>stride << 2;
  const probe = job.exactProbe;
  const low: f32 = 1 - job.exactRelativeError;
  const high: f32 = 1 + job.exactRelativeError;
  let limit = f32x4.splat(job.threshold * high + job.exactSlack);
  const lastStart = job.outCapacity - 4;
  let found: u32 = 0;
  let row = first;
  let at = job.place.exactRows + <usize>first * bytes;
  const last = job.place.exactRows + <usize>rows * bytes;
  let ahead = (at & ~(PAGE - 1)) + PAGE;
  let touched: u32 = 0;
  while (row < rows) {
    if (found > lastStart) break;
    while (ahead <= at + PAGE && ahead < last) {
      touched |= load<u8>(ahead);
      ahead += PAGE;
    }
    const value = is128
      ? sumFloatLanes(
          squares128(at, probe),
          squares128(at + 512, probe),
          squares128(at + 1024, probe),
          squares128(at + 1536, probe),
        )
      : sumFloatLanes(
          squaresOfRow(at, probe, stride),
          squaresOfRow(at + bytes, probe, stride),
          squaresOfRow(at + 2 * bytes, probe, stride),
          squaresOfRow(at + 3 * bytes, probe, stride),
        );
    const hits = i32x4.bitmask(f32x4.le(value, limit));
    if (hits != 0) {
      const lanes = job.outLower + (<usize>found << 2);
      v128.store(lanes, value);
      const v0 = load<f32>(lanes), v1 = load<f32>(lanes, 4), v2 = load<f32>(lanes, 8), v3 = load<f32>(lanes, 12);
      if (hits & 1) found = reportExact(job, row, v0, low, high, found);
      if (hits & 2) found = reportExact(job, row + 1, v1, low, high, found);
      if (hits & 4) found = reportExact(job, row + 2, v2, low, high, found);
      if (hits & 8) found = reportExact(job, row + 3, v3, low, high, found);
      limit = f32x4.splat(job.threshold * high + job.exactSlack);
    }
    row += 4;
    at += 4 * bytes;
  }
  job.touched = touched;
  job.next = row < rows ? row : rows;
  return found;
}

function reportExact(job: Job, row: u32, value: f32, low: f32, high: f32, found: u32): u32 {
  if (row >= job.rows || !admits(job.place.admitted, row)) return found;
  const at = <usize>found << 2;
  store<u32>(job.outRows + at, row);
  store<f32>(job.outLower + at, value * low - job.exactSlack);
  store<f32>(job.outUpper + at, value * high + job.exactSlack);
  tighten(job, value * high + job.exactSlack);
  return found + 1;
}

/**
 * The exact squared distances of float32 rows: in double precision, summed from the first component to the last, as
 * `../../distance.ts` says. Two rows share a vector, a lane each; eight are taken at a time, because a sum waits for each of its
 * additions.
 * @param rows the addresses of `count` rows, and of any further ones up to a multiple of eight
 * @param stride components of a row, a multiple of 4; those beyond its own are 0 in rows and probe
 * @param squares the results, with room for a multiple of eight
 */
export function measureRows(probe: usize, rows: usize, count: u32, stride: u32, squares: usize): void {
  const bytes = <usize>stride << 2;
  for (let i: u32 = 0; i < count; i += 8) {
    let a = load<u32>(rows) as usize, b = load<u32>(rows, 4) as usize, c = load<u32>(rows, 8) as usize, d = load<u32>(rows, 12) as usize;
    let e = load<u32>(rows, 16) as usize, f = load<u32>(rows, 20) as usize, g = load<u32>(rows, 24) as usize, h = load<u32>(rows, 28) as usize;
    let ab = f64x2.splat(0), cd = ab, ef = ab, gh = ab;
    const end = probe + bytes;
    for (let at = probe; at < end; at += 8) {
      const two = f64x2.promote_low_f32x4(v128.load64_zero(at));
      const first = v128.shuffle<u64>(two, two, 0, 0), second = v128.shuffle<u64>(two, two, 1, 1);
      let pairs = interleave(a, b);
      ab = addSquare(ab, first, pairs);
      ab = addSquare(ab, second, upper(pairs));
      pairs = interleave(c, d);
      cd = addSquare(cd, first, pairs);
      cd = addSquare(cd, second, upper(pairs));
      pairs = interleave(e, f);
      ef = addSquare(ef, first, pairs);
      ef = addSquare(ef, second, upper(pairs));
      pairs = interleave(g, h);
      gh = addSquare(gh, first, pairs);
      gh = addSquare(gh, second, upper(pairs));
      a += 8; b += 8; c += 8; d += 8;
      e += 8; f += 8; g += 8; h += 8;
    }
    v128.store(squares, ab);
    v128.store(squares, cd, 16);
    v128.store(squares, ef, 32);
    v128.store(squares, gh, 48);
    rows += 32;
    squares += 64;
  }
}

/** Two components of two rows: the first of each, then the second of each. */
@inline
function interleave(a: usize, b: usize): v128 {
  return v128.shuffle<u32>(v128.load64_zero(a), v128.load64_zero(b), 0, 4, 1, 5);
}

@inline
function upper(pairs: v128): v128 {
  return v128.shuffle<u64>(pairs, pairs, 1, 1);
}

/** Adds the squares of what two rows, in the lower half of `pair`, differ from a component of the probe. */
@inline
function addSquare(sum: v128, component: v128, pair: v128): v128 {
  const difference = f64x2.sub(component, f64x2.promote_low_f32x4(pair));
  return f64x2.add(sum, f64x2.mul(difference, difference));
}
