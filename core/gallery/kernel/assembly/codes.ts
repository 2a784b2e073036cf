/** The scan of rows of codes; docs/explanation/gallery.md has the bounds and why they hold. */
import { admits, admitsEach, BLOCK, GATHERED, Job, PAGE, tighten } from './job';

/** Adds to four lanes of i32 the sums for 16 codes (0 to 127) at `row` against 16 components of the query (-127 to 127). */
@inline
function add16(sum: v128, row: usize, query: usize): v128 {
  const codes = v128.load(row);
  if (ADDS_BYTES) return i32x4.relaxed_dot_i8x16_i7x16_add_s(v128.load(query), codes, sum);
  if (ASC_FEATURE_RELAXED_SIMD) {
    // In two steps: where the one that adds is not one instruction, V8 makes five of it, and three of these.
    return i32x4.add(
      sum,
      i32x4.extadd_pairwise_i16x8_s(i16x8.relaxed_dot_i8x16_i7x16_s(v128.load(query), codes)),
    );
  }
  // The plain kernel's query is laid out as i16, widened once instead of per row.
  return i32x4.add(
    sum,
    i32x4.add(
      i32x4.dot_i16x8_s(i16x8.extend_low_i8x16_s(codes), v128.load(query)),
      i32x4.dot_i16x8_s(i16x8.extend_high_i8x16_s(codes), v128.load(query, 16)),
    ),
  );
}

/**
 * The result of the instruction for sums of bytes for values that a kernel never gives it, by which processors differ: those with one
 * instruction take the codes without a sign and lose nothing of the products.
 */
export function sumOfBytes(query: i32, codes: i32): i32 {
  if (!ADDS_BYTES) return 0;
  return i32x4.extract_lane(
    i32x4.relaxed_dot_i8x16_i7x16_add_s(i8x16.splat(<i8>query), i8x16.splat(<i8>codes), i32x4.splat(0)),
    0,
  );
}

/** Bytes of the query per 16 components. */
@inline
function queryStep(): usize {
  return ASC_FEATURE_RELAXED_SIMD ? 16 : 32;
}

@inline
function add32(sum: v128, row: usize, query: usize): v128 {
  return add16(add16(sum, row, query), row + 16, query + queryStep());
}

@inline
export function dot32(row: usize, query: usize): v128 {
  return add32(i32x4.splat(0), row, query);
}

/** Lane sums of a whole row; `bytes` is a multiple of 32. */
@inline
export function dotRow(row: usize, query: usize, bytes: u32): v128 {
  let sum = dot32(row, query);
  const end = row + bytes;
  row += 32;
  while (row < end) {
    query += 2 * queryStep();
    sum = add32(sum, row, query);
    row += 32;
  }
  return sum;
}

/** The same of exactly 128 codes, written out so that the compiler can keep the query in registers. */
@inline
function dot128(row: usize, query: usize): v128 {
  const step = 2 * queryStep();
  return i32x4.add(
    add32(dot32(row, query), row + 32, query + step),
    add32(dot32(row + 64, query + 2 * step), row + 96, query + 3 * step),
  );
}

/** [Σa, Σb, Σc, Σd] of four i32x4. */
@inline
export function sumLanes(a: v128, b: v128, c: v128, d: v128): v128 {
  const ab = i32x4.add(v128.shuffle<i32>(a, b, 0, 4, 1, 5), v128.shuffle<i32>(a, b, 2, 6, 3, 7));
  const cd = i32x4.add(v128.shuffle<i32>(c, d, 0, 4, 1, 5), v128.shuffle<i32>(c, d, 2, 6, 3, 7));
  return i32x4.add(v128.shuffle<i32>(ab, cd, 0, 1, 4, 5), v128.shuffle<i32>(ab, cd, 2, 3, 6, 7));
}

@inline
export function sumOf(lanes: v128): i32 {
  return (
    i32x4.extract_lane(lanes, 0) +
    i32x4.extract_lane(lanes, 1) +
    i32x4.extract_lane(lanes, 2) +
    i32x4.extract_lane(lanes, 3)
  );
}

/**
 * The sums of four rows at `at`.
 * @param known the bytes of a row's primary code, where the code for it is written out; else 0.
 */
@inline
function sumRows(at: usize, query: usize, bytes: u32, known: u32): v128 {
  if (known == 32)
    return sumLanes(dot32(at, query), dot32(at + 32, query), dot32(at + 64, query), dot32(at + 96, query));
  if (known == 128)
    return sumLanes(
      dot128(at, query),
      dot128(at + 128, query),
      dot128(at + 256, query),
      dot128(at + 384, query),
    );
  return sumLanes(
    dotRow(at, query, bytes),
    dotRow(at + bytes, query, bytes),
    dotRow(at + 2 * bytes, query, bytes),
    dotRow(at + 3 * bytes, query, bytes),
  );
}

/**
 * Scans the codes from row `first`; stops when the output may not hold another block.
 * @returns how many rows were reported; `job.next` says where to go on.
 */
export function scanCodes(job: Job, first: u32): u32 {
  if (job.primaryBytes == 32) return scanBlocks(job, first, 32);
  return job.primaryBytes == 128 ? scanBlocks(job, first, 128) : scanBlocks(job, first, 0);
}

@inline
function scanBlocks(job: Job, first: u32, known: u32): u32 {
  const bytes = known != 0 ? known : job.primaryBytes;
  const rows = job.rows;
  const query = job.query;
  const norms = job.place.codeNorms;
  const offAxes = job.place.offAxes;
  const factor = f32x4.splat(job.primaryFactor);
  const offAxesFactor = f32x4.splat(job.offAxesFactor);
  const lastStart = job.outCapacity - GATHERED - BLOCK;

  let base = job.threshold - job.primaryConstant + job.slack;
  let gathered: u32 = 0;
  let found: u32 = 0;
  let row = first;
  let at = job.place.codes + <usize>first * bytes;
  const last = job.place.codes + <usize>rows * bytes;
  let ahead = (at & ~(PAGE - 1)) + PAGE;
  let touched: u32 = 0;
  while (row < rows) {
    if (found > lastStart) break;
    const limit = f32x4.splat(base + primaryErrorOf(job, row));
    const end = row + BLOCK;
    while (row < end) {
      while (ahead <= at + PAGE && ahead < last) {
        touched |= load<u8>(ahead);
        ahead += PAGE;
      }
      const sums = f32x4.convert_i32x4_s(sumRows(at, query, bytes, known));
      at += 4 * bytes;
      const offset = <usize>row << 2;
      let value = f32x4.add(v128.load(norms + offset), f32x4.mul(factor, sums));
      if (offAxes != 0)
        value = f32x4.add(value, f32x4.mul(offAxesFactor, v128.load(offAxes + offset)));
      const hits = i32x4.bitmask(f32x4.le(value, limit));
      if (hits != 0) gathered = gather(job, row, value, hits, gathered);
      row += 4;
    }
    if (gathered >= GATHERED || row >= rows) {
      found = settle(job, gathered, found);
      gathered = 0;
      base = job.threshold - job.primaryConstant + job.slack;
    }
  }
  if (gathered != 0) found = settle(job, gathered, found);
  job.touched = touched;
  job.next = row < rows ? row : rows;
  return found;
}

/** Keeps the rows among four whose bits are set, with their values, behind the output. @returns how many are kept now. */
@inline
function gather(job: Job, row: u32, value: v128, hits: i32, gathered: u32): u32 {
  const rows = job.outRows + (<usize>job.outCapacity << 2);
  const values = job.outLower + (<usize>job.outCapacity << 2);
  // Lanes go through memory: the rare path, and a lane number must be constant.
  const lanes = job.outUpper + (<usize>job.outCapacity << 2);
  v128.store(lanes, value);
  do {
    const lane = <u32>ctz(hits);
    const to = <usize>gathered << 2;
    gathered += 1;
    store<u32>(rows + to, row + lane);
    store<f32>(values + to, load<f32>(lanes + (<usize>lane << 2)));
    hits &= hits - 1;
  } while (hits != 0);
  return gathered;
}

/**
 * Reports of the gathered rows those that their residual codes do not rule out, and lowers the threshold by them.
 * @returns how many rows are reported now.
 */
function settle(job: Job, gathered: u32, found: u32): u32 {
  const rows = job.outRows + (<usize>job.outCapacity << 2);
  const values = job.outLower + (<usize>job.outCapacity << 2);
  // All residual codes are asked for before any is needed, so that the memory fetches them side by side.
  let touched: u32 = 0;
  if (job.residualBytes != 0)
    for (let i: u32 = 0; i < gathered; i++) {
      const residual = job.place.residualCodes + <usize>load<u32>(rows + (<usize>i << 2)) * job.residualBytes;
      touched |= load<u8>(residual) | load<u8>(residual + job.residualBytes - 1);
    }
  job.touched = touched;
  for (let i: u32 = 0; i < gathered; i++) {
    const row = load<u32>(rows + (<usize>i << 2));
    const now = report(job, row, load<f32>(values + (<usize>i << 2)), primaryErrorOf(job, row), found);
    if (now != found) tighten(job, load<f32>(job.outUpper + (<usize>found << 2)));
    found = now;
  }
  return found;
}

/** How far the sums over a row's primary code may be off. */
@inline
export function primaryErrorOf(job: Job, row: u32): f32 {
  const errors = job.place.blockErrors + <usize>(row / BLOCK) * 16;
  return job.primaryCodeError * load<f32>(errors) + job.primaryRowError * load<f32>(errors, 4);
}

/**
 * The beginning of a scan, which knows no near row yet: weighs the rows from `first` to `job.rows` by their primary codes, and
 * reports of every `heat` of them the one that promises most, whose upper bound is likely to be small. The others wait in
 * `job.weighed` for `scanWeighed`.
 * @param first a multiple of BLOCK. @param heat a multiple of 4; the output has room for one row of each.
 * @returns how many rows were reported.
 */
export function weighRows(job: Job, first: u32, heat: u32): u32 {
  return job.primaryBytes == 32 ? weigh(job, first, heat, 32) : weigh(job, first, heat, 0);
}

@inline
function weigh(job: Job, first: u32, heat: u32, known: u32): u32 {
  const bytes = known != 0 ? known : job.primaryBytes;
  const rows = job.rows;
  const query = job.query;
  const norms = job.place.codeNorms;
  const offAxes = job.place.offAxes;
  const admitted = job.place.admitted;
  const factor = f32x4.splat(job.primaryFactor);
  const offAxesFactor = f32x4.splat(job.offAxesFactor);
  const lanes = job.outLower + (<usize>job.outCapacity << 2);
  const laneRows = job.outRows + (<usize>job.outCapacity << 2);
  let at = job.place.codes + <usize>first * bytes;
  let to = job.weighed;
  let found: u32 = 0;
  for (let start = first; start < rows; start += heat) {
    // Of every fourth row the best, and which it is.
    let least = f32x4.splat(f32.MAX_VALUE);
    let best = i32x4.splat(-1);
    let numbers = i32x4.add(i32x4.splat(start), i32x4(0, 1, 2, 3));
    const end = min(start + heat, rows);
    for (let row = start; row < end; row += 4) {
      const offset = <usize>row << 2;
      const sums = f32x4.convert_i32x4_s(sumRows(at, query, bytes, known));
      at += 4 * bytes;
      let value = f32x4.add(v128.load(norms + offset), f32x4.mul(factor, sums));
      if (offAxes != 0)
        value = f32x4.add(value, f32x4.mul(offAxesFactor, v128.load(offAxes + offset)));
      v128.store(to, value);
      to += 16;
      let better = f32x4.lt(value, least);
      if (admitted != 0) better = v128.and(better, admitsEach(admitted, row));
      least = v128.bitselect(value, least, better);
      best = v128.bitselect(numbers, best, better);
      numbers = i32x4.add(numbers, i32x4.splat(4));
    }
    v128.store(lanes, least);
    v128.store(laneRows, best);
    let lane: usize = 0;
    for (let i: usize = 4; i < 16; i += 4) if (load<f32>(lanes + i) < load<f32>(lanes + lane)) lane = i;
    const row = load<u32>(laneRows + lane);
    if (row == u32.MAX_VALUE) continue;
    // Beyond every threshold from now on: it must not come again.
    store<f32>(job.weighed + (<usize>(row - first) << 2), Infinity);
    const now = report(job, row, load<f32>(lanes + lane), primaryErrorOf(job, row), found);
    if (now != found) tighten(job, load<f32>(job.outUpper + (<usize>found << 2)));
    found = now;
  }
  return found;
}

/** As `scanCodes`, of rows that were weighed; `first` is the row that `job.weighed` begins with. */
export function scanWeighed(job: Job, first: u32, from: u32): u32 {
  const rows = job.rows;
  const lastStart = job.outCapacity - GATHERED - BLOCK;
  let base = job.threshold - job.primaryConstant + job.slack;
  let gathered: u32 = 0;
  let found: u32 = 0;
  let row = from;
  while (row < rows) {
    if (found > lastStart) break;
    const limit = f32x4.splat(base + primaryErrorOf(job, row));
    const end = row + BLOCK;
    while (row < end) {
      const value = v128.load(job.weighed + (<usize>(row - first) << 2));
      const hits = i32x4.bitmask(f32x4.le(value, limit));
      if (hits != 0) gathered = gather(job, row, value, hits, gathered);
      row += 4;
    }
    if (gathered >= GATHERED || row >= rows) {
      found = settle(job, gathered, found);
      gathered = 0;
      base = job.threshold - job.primaryConstant + job.slack;
    }
  }
  if (gathered != 0) found = settle(job, gathered, found);
  job.next = row < rows ? row : rows;
  return found;
}

/** A row whose primary code cannot rule it out: asks its residual code, where there is one, then writes its bounds. */
export function report(job: Job, row: u32, primaryValue: f32, primaryError: f32, found: u32): u32 {
  if (row >= job.rows || !admits(job.place.admitted, row)) return found;
  let value = primaryValue;
  let error = primaryError;
  if (job.residualBytes != 0) {
    const offset = <usize>row << 2;
    const sum = sumOf(
      dotRow(job.place.residualCodes + <usize>row * job.residualBytes, job.residualQuery, job.residualBytes),
    );
    const errors = job.place.blockErrors + <usize>(row / BLOCK) * 16;
    const residualError = job.residualCodeError * load<f32>(errors, 8) + job.residualRowError * load<f32>(errors, 12);
    // The residual code replaces the bound that was based on its length.
    value -= job.offAxesFactor * load<f32>(job.place.offAxes + offset);
    value += job.residualFactor * <f32>sum;
    error += residualError;
  }
  error += job.slack;
  const middle = value + job.wholeConstant;
  if (!(middle - error <= job.threshold)) return found;
  const at = <usize>found << 2;
  store<u32>(job.outRows + at, row);
  store<f32>(job.outLower + at, middle - error);
  store<f32>(job.outUpper + at, middle + error);
  return found + 1;
}
