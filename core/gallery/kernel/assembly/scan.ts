/**
 * The two inner loops of the gallery, in AssemblyScript (compiled by `scripts/kernels.ts`). Both go strictly row by row, because
 * only then does the processor's prefetcher run at the speed of the memory; it stops at the end of a page, so the loops touch the
 * first line of the next page while they still read this one. Neither decides anything: they report every row whose lower bound of the
 * squared distance is at most `threshold`. What the bounds are and why they hold: docs/gallery.md.
 *
 * A job is a structure in memory, laid out by `../job.ts`; the two must agree.
 */

/** Rows that share one set of error bounds. */
const BLOCK: u32 = 64;
/** Bytes of a page of memory, beyond whose end no processor prefetches. */
const PAGE: usize = 4096;

/** A view of the job: every field is read once, before the loop. */
@unmanaged
class Job {
  codes: usize;
  codeNorms: usize;
  codeSums: usize;
  offAxes: usize;
  blockErrors: usize;
  tailCodes: usize;
  tailSums: usize;
  rows: u32;
  leadBytes: u32;
  tailBytes: u32;
  query: usize;
  tailQuery: usize;
  admitted: usize;
  outRows: usize;
  outLower: usize;
  outUpper: usize;
  outCapacity: u32;
  /** Out: the row to go on with; `rows` when the scan is finished. */
  next: u32;
  threshold: f32;
  probeSquared: f32;
  leadSumFactor: f32;
  leadFactor: f32;
  offAxesFactor: f32;
  tailSumFactor: f32;
  tailFactor: f32;
  leadCodeError: f32;
  leadRowError: f32;
  tailCodeError: f32;
  tailRowError: f32;
  slack: f32;
  exactRows: usize;
  exactStride: u32;
  exactProbe: usize;
  exactRelativeError: f32;
  /** Out, and of no meaning: whatever was touched ahead, so that no compiler leaves it out. */
  touched: u32;
}

/** Four lanes of i32 sums for 16 codes at `row` against 16 query components (0 to 127) at `query`. */
@inline
function dot16(row: usize, query: usize, sum: v128): v128 {
  if (ASC_FEATURE_RELAXED_SIMD) {
    // In two steps: V8 makes five instructions of the one that adds as well, and three of these.
    return i32x4.add(
      sum,
      i32x4.extadd_pairwise_i16x8_s(
        i16x8.relaxed_dot_i8x16_i7x16_s(v128.load(row), v128.load(query)),
      ),
    );
  } else {
    // The plain kernel's query is laid out as i16, widened once instead of per row.
    const codes = v128.load(row);
    return i32x4.add(
      sum,
      i32x4.add(
        i32x4.dot_i16x8_s(i16x8.extend_low_i8x16_s(codes), v128.load(query)),
        i32x4.dot_i16x8_s(i16x8.extend_high_i8x16_s(codes), v128.load(query, 16)),
      ),
    );
  }
}

/** Bytes of the query per 16 components. */
@inline
function queryStep(): usize {
  return ASC_FEATURE_RELAXED_SIMD ? 16 : 32;
}

/** Lane sums of 64 codes and more; `bytes` is a multiple of 64. */
@inline
function dotRow(row: usize, query: usize, bytes: u32): v128 {
  let even = i32x4.splat(0);
  let odd = i32x4.splat(0);
  const end = row + bytes;
  const step = queryStep();
  while (row < end) {
    even = dot16(row, query, even);
    odd = dot16(row + 16, query + step, odd);
    even = dot16(row + 32, query + 2 * step, even);
    odd = dot16(row + 48, query + 3 * step, odd);
    row += 64;
    query += 4 * step;
  }
  return i32x4.add(even, odd);
}

/** [Σa, Σb, Σc, Σd] of four i32x4. */
@inline
function sumLanes(a: v128, b: v128, c: v128, d: v128): v128 {
  const ab = i32x4.add(v128.shuffle<i32>(a, b, 0, 4, 1, 5), v128.shuffle<i32>(a, b, 2, 6, 3, 7));
  const cd = i32x4.add(v128.shuffle<i32>(c, d, 0, 4, 1, 5), v128.shuffle<i32>(c, d, 2, 6, 3, 7));
  return i32x4.add(v128.shuffle<i32>(ab, cd, 0, 1, 4, 5), v128.shuffle<i32>(ab, cd, 2, 3, 6, 7));
}

/** The same for f32x4. */
@inline
function sumFloatLanes(a: v128, b: v128, c: v128, d: v128): v128 {
  const ab = f32x4.add(v128.shuffle<f32>(a, b, 0, 4, 1, 5), v128.shuffle<f32>(a, b, 2, 6, 3, 7));
  const cd = f32x4.add(v128.shuffle<f32>(c, d, 0, 4, 1, 5), v128.shuffle<f32>(c, d, 2, 6, 3, 7));
  return f32x4.add(v128.shuffle<f32>(ab, cd, 0, 1, 4, 5), v128.shuffle<f32>(ab, cd, 2, 3, 6, 7));
}

@inline
function admits(admitted: usize, row: u32): bool {
  return admitted == 0 || ((load<u8>(admitted + (row >> 3)) >> (<u8>(row & 7))) & 1) != 0;
}

/**
 * Scans the codes from row `first`; stops when the output may not hold another block.
 * @returns how many rows were reported; `job.next` says where to go on.
 */
export function scanCodes(job: Job, first: u32): u32 {
  return job.leadBytes == 128 ? scanBlocks(job, first, true) : scanBlocks(job, first, false);
}

@inline
function scanBlocks(job: Job, first: u32, is128: bool): u32 {
  const lead = job.leadBytes;
  const rows = job.rows;
  const query = job.query;
  const norms = job.codeNorms;
  const sums = job.codeSums;
  const offAxes = job.offAxes;
  const sumFactor = f32x4.splat(job.leadSumFactor);
  const factor = f32x4.splat(job.leadFactor);
  const offAxesFactor = f32x4.splat(job.offAxesFactor);
  const base = job.threshold - job.probeSquared + job.slack;
  const lastStart = job.outCapacity - BLOCK;

  let found: u32 = 0;
  let row = first;
  let at = job.codes + <usize>first * lead;
  const last = job.codes + <usize>rows * lead;
  let ahead = (at & ~(PAGE - 1)) + PAGE;
  let touched: u32 = 0;
  while (row < rows) {
    if (found > lastStart) break;
    const errors = job.blockErrors + <usize>(row / BLOCK) * 16;
    const leadError = job.leadCodeError * load<f32>(errors) + job.leadRowError * load<f32>(errors, 4);
    const limit = f32x4.splat(base + leadError);
    const end = row + BLOCK;
    while (row < end) {
      while (ahead <= at + PAGE && ahead < last) {
        touched |= load<u8>(ahead);
        ahead += PAGE;
      }
      let a: v128, b: v128, c: v128, d: v128;
      if (is128) {
        a = dot128(at, query);
        b = dot128(at + 128, query);
        c = dot128(at + 256, query);
        d = dot128(at + 384, query);
        at += 512;
      } else {
        a = dotRow(at, query, lead);
        b = dotRow(at + lead, query, lead);
        c = dotRow(at + 2 * lead, query, lead);
        d = dotRow(at + 3 * lead, query, lead);
        at += 4 * lead;
      }
      const offset = <usize>row << 2;
      let value = f32x4.add(
        f32x4.add(v128.load(norms + offset), f32x4.mul(sumFactor, v128.load(sums + offset))),
        f32x4.mul(factor, f32x4.convert_i32x4_s(sumLanes(a, b, c, d))),
      );
      if (offAxes != 0)
        value = f32x4.add(value, f32x4.mul(offAxesFactor, v128.load(offAxes + offset)));
      let hits = i32x4.bitmask(f32x4.le(value, limit));
      if (hits != 0) {
        // Lanes go through memory: the rare path, and a lane number must be constant.
        const lanes = job.outLower + (<usize>found << 2);
        v128.store(lanes, value);
        const v0 = load<f32>(lanes), v1 = load<f32>(lanes, 4), v2 = load<f32>(lanes, 8), v3 = load<f32>(lanes, 12);
        if (hits & 1) found = report(job, row, v0, leadError, found);
        if (hits & 2) found = report(job, row + 1, v1, leadError, found);
        if (hits & 4) found = report(job, row + 2, v2, leadError, found);
        if (hits & 8) found = report(job, row + 3, v3, leadError, found);
      }
      row += 4;
    }
  }
  job.touched = touched;
  job.next = row < rows ? row : rows;
  return found;
}

/** Lane sums of exactly 128 codes, written out so that the compiler can keep the query in registers. */
@inline
function dot128(row: usize, query: usize): v128 {
  const step = queryStep();
  let even = dot16(row, query, i32x4.splat(0));
  let odd = dot16(row + 16, query + step, i32x4.splat(0));
  even = dot16(row + 32, query + 2 * step, even);
  odd = dot16(row + 48, query + 3 * step, odd);
  even = dot16(row + 64, query + 4 * step, even);
  odd = dot16(row + 80, query + 5 * step, odd);
  even = dot16(row + 96, query + 6 * step, even);
  odd = dot16(row + 112, query + 7 * step, odd);
  return i32x4.add(even, odd);
}

/** A row whose lead cannot rule it out: asks its tail, where there is one, then writes its bounds. */
function report(job: Job, row: u32, leadValue: f32, leadError: f32, found: u32): u32 {
  if (row >= job.rows || !admits(job.admitted, row)) return found;
  let value = leadValue;
  let error = leadError;
  if (job.tailBytes != 0) {
    const offset = <usize>row << 2;
    const lanes = dotRow(job.tailCodes + <usize>row * job.tailBytes, job.tailQuery, job.tailBytes);
    const sum =
      i32x4.extract_lane(lanes, 0) +
      i32x4.extract_lane(lanes, 1) +
      i32x4.extract_lane(lanes, 2) +
      i32x4.extract_lane(lanes, 3);
    const errors = job.blockErrors + <usize>(row / BLOCK) * 16;
    value = load<f32>(job.codeNorms + offset) + job.tailSumFactor * load<f32>(job.tailSums + offset);
    value += job.tailFactor * <f32>sum;
    error = job.tailCodeError * load<f32>(errors, 8) + job.tailRowError * load<f32>(errors, 12);
  }
  error += job.slack;
  const middle = value + job.probeSquared;
  if (!(middle - error <= job.threshold)) return found;
  const at = <usize>found << 2;
  store<u32>(job.outRows + at, row);
  store<f32>(job.outLower + at, middle - error);
  store<f32>(job.outUpper + at, middle + error);
  return found + 1;
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

/** As `scanCodes`, over float32 rows: the bounds are the rounding errors of single precision alone. */
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
  const limit = f32x4.splat(job.threshold * high + job.slack);
  const lastStart = job.outCapacity - 4;
  let found: u32 = 0;
  let row = first;
  let at = job.exactRows + <usize>first * bytes;
  const last = job.exactRows + <usize>rows * bytes;
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
    }
    row += 4;
    at += 4 * bytes;
  }
  job.touched = touched;
  job.next = row < rows ? row : rows;
  return found;
}

function reportExact(job: Job, row: u32, value: f32, low: f32, high: f32, found: u32): u32 {
  if (row >= job.rows || !admits(job.admitted, row)) return found;
  const at = <usize>found << 2;
  store<u32>(job.outRows + at, row);
  store<f32>(job.outLower + at, value * low - job.slack);
  store<f32>(job.outUpper + at, value * high + job.slack);
  return found + 1;
}
