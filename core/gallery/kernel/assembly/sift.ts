/**
 * The comparison of many probes with the same rows, for one distance that is known from the start. Sums of sixteen bits
 * decide about nearly all pairs, eight rows at a time; the bounds of `codes.ts` decide about the rest. Why no near pair is
 * lost: docs/explanation/gallery.md.
 */
import { dot32, dotRow, primaryErrorOf, report, sumLanes } from './codes';
import { BLOCK, Job, Place } from './job';

/** Probes that are compared with a row while it is in a register; the sums of two groups of eight rows fill the others. */
const TOGETHER: u32 = 4;

/** A probe that is sifted for; laid out by `../sift.ts`, and the two must agree. */
@unmanaged
class SiftedProbe {
  job: Job;
  /** The start of its sums: −|x|² / 2t − 64 Σq, and 4 for all rounding. */
  start: i32;
}

@unmanaged
class Sift {
  place: Place;
  /** SiftedProbe after SiftedProbe: room for a multiple of TOGETHER. */
  probes: usize;
  count: u32;
  /** Codes of the probes: by four of them, then by two components, then by probe; each pair eight times. */
  queries: usize;
  /** Rows of a portion: codes by eight rows, then by two components; and what is taken from the sums of each. */
  codes: usize;
  halves: usize;
  primaryBytes: u32;
  /** How many of the first components are compared: a multiple of 4. */
  axes: u32;
  /** For each component w², in units of `weightUnit`, as i16. */
  weights: usize;
  /** For each of four probes a list of the rows that its sums did not decide: the first row in the high half, a bit for each of 16. */
  undecided: usize;
  /** Pairs that the primary codes did not decide either: rows, the numbers of their probes, what the codes say. */
  nearRows: usize;
  nearProbes: usize;
  nearValues: usize;
  /** Out: the number of the probe of each reported row; the rows and their bounds are in the output of the jobs. */
  outProbes: usize;
  /** 1 / 2t. */
  scale: f32;
  /** The largest distance of interest. */
  distance: f32;
  weightUnit: f32;
  /** The largest |z − t·q| / t of any probe. */
  codeError: f32;
  /** No sum of a near pair may be larger. */
  largest: f32;
  /** The largest |r| and |e| of the primary codes of the rows that are laid out. */
  rowLength: f32;
  rowRest: f32;
  /** Out: the probe to go on with. */
  next: u32;
  /** Written, of no meaning. */
  touched: u32;
}

/**
 * Lays out the rows from `first` up to `end` for `siftRows`.
 * @param first a multiple of BLOCK, as `end` is
 * @returns false: their errors do not fit sixteen bits, or this engine cannot multiply bytes
 */
export function prepareRows(sift: Sift, first: u32, end: u32): bool {
  if (!ASC_FEATURE_RELAXED_SIMD) return false;
  const bytes = sift.primaryBytes;
  const axes = sift.axes;
  const place = sift.place;
  let to = sift.codes;
  let half = sift.halves;
  let rowLength: f32 = 0;
  let rowRest: f32 = 0;
  for (let row = first; row < end;) {
    const errors = place.blockErrors + <usize>(row / BLOCK) * 16;
    const length = load<f32>(errors), rest = load<f32>(errors, 4);
    const near = sift.distance + rest;
    const reach = near * near * sift.scale;
    if (!(reach + 2 * sift.codeError * length <= sift.largest)) return false;
    rowLength = max(rowLength, length);
    rowRest = max(rowRest, rest);
    const endOfBlock = row + BLOCK;
    for (; row < endOfBlock; row += 8) {
      const at = place.codes + <usize>row * bytes;
      // Values beyond the axes are overwritten by the next eight rows.
      for (let byte: u32 = 0; byte < axes; byte += 16) transpose(at + byte, bytes, to + (<usize>byte << 3));
      to += <usize>axes * 8;
      const low = halvesOf(sift, at, reach), high = halvesOf(sift, at + 4 * bytes, reach);
      // Their low 16 bits.
      v128.store(half, v128.shuffle<i16>(low, high, 0, 2, 4, 6, 8, 10, 12, 14));
      half += 16;
    }
  }
  sift.rowLength = rowLength;
  sift.rowRest = rowRest;
  return true;
}

/** (|w·r|² − (d + |e|)²) / 2t − |z − t·q| |r| / t of four rows, cut to whole numbers. */
@inline
function halvesOf(sift: Sift, at: usize, reach: f32): v128 {
  const bytes = sift.primaryBytes;
  let squares0 = i32x4.splat(0), squares1 = squares0, squares2 = squares0, squares3 = squares0;
  let weighed0 = squares0, weighed1 = squares0, weighed2 = squares0, weighed3 = squares0;
  const end = at + sift.axes;
  let weights = sift.weights;
  for (; at < end; at += 8) {
    const weight = v128.load(weights);
    weights += 16;
    const r0 = signed(at), r1 = signed(at + bytes), r2 = signed(at + 2 * bytes), r3 = signed(at + 3 * bytes);
    squares0 = i32x4.add(squares0, i32x4.dot_i16x8_s(r0, r0));
    squares1 = i32x4.add(squares1, i32x4.dot_i16x8_s(r1, r1));
    squares2 = i32x4.add(squares2, i32x4.dot_i16x8_s(r2, r2));
    squares3 = i32x4.add(squares3, i32x4.dot_i16x8_s(r3, r3));
    weighed0 = i32x4.add(weighed0, i32x4.dot_i16x8_s(i16x8.mul(r0, r0), weight));
    weighed1 = i32x4.add(weighed1, i32x4.dot_i16x8_s(i16x8.mul(r1, r1), weight));
    weighed2 = i32x4.add(weighed2, i32x4.dot_i16x8_s(i16x8.mul(r2, r2), weight));
    weighed3 = i32x4.add(weighed3, i32x4.dot_i16x8_s(i16x8.mul(r3, r3), weight));
  }
  const squares = f32x4.convert_i32x4_s(sumLanes(squares0, squares1, squares2, squares3));
  const weighed = f32x4.convert_i32x4_s(sumLanes(weighed0, weighed1, weighed2, weighed3));
  const lengths = f32x4.mul(weighed, f32x4.splat(sift.weightUnit * sift.scale));
  const errors = f32x4.mul(f32x4.sqrt(squares), f32x4.splat(sift.codeError));
  return i32x4.trunc_sat_f32x4_s(f32x4.sub(f32x4.sub(lengths, f32x4.splat(reach)), errors));
}

/** Eight codes, with their signs. */
@inline
function signed(at: usize): v128 {
  return i16x8.sub(v128.load8x8_u(at), i16x8.splat(64));
}

/** Sixteen codes of eight rows: afterwards two codes of row 0, the same two of row 1, and so on. */
@inline
function transpose(at: usize, step: u32, to: usize): void {
  const r0 = v128.load(at), r1 = v128.load(at + step), r2 = v128.load(at + 2 * step), r3 = v128.load(at + 3 * step);
  const r4 = v128.load(at + 4 * step), r5 = v128.load(at + 5 * step), r6 = v128.load(at + 6 * step), r7 = v128.load(at + 7 * step);
  const a0 = v128.shuffle<i16>(r0, r1, 0, 8, 1, 9, 2, 10, 3, 11), a1 = v128.shuffle<i16>(r2, r3, 0, 8, 1, 9, 2, 10, 3, 11);
  const a2 = v128.shuffle<i16>(r4, r5, 0, 8, 1, 9, 2, 10, 3, 11), a3 = v128.shuffle<i16>(r6, r7, 0, 8, 1, 9, 2, 10, 3, 11);
  const b0 = v128.shuffle<i16>(r0, r1, 4, 12, 5, 13, 6, 14, 7, 15), b1 = v128.shuffle<i16>(r2, r3, 4, 12, 5, 13, 6, 14, 7, 15);
  const b2 = v128.shuffle<i16>(r4, r5, 4, 12, 5, 13, 6, 14, 7, 15), b3 = v128.shuffle<i16>(r6, r7, 4, 12, 5, 13, 6, 14, 7, 15);
  storeFour(to, a0, a1, a2, a3);
  storeFour(to + 64, b0, b1, b2, b3);
}

/** Four pairs of components of eight rows, of which each argument has two rows. */
@inline
function storeFour(to: usize, rows01: v128, rows23: v128, rows45: v128, rows67: v128): void {
  const low03 = v128.shuffle<i32>(rows01, rows23, 0, 4, 1, 5), high03 = v128.shuffle<i32>(rows01, rows23, 2, 6, 3, 7);
  const low47 = v128.shuffle<i32>(rows45, rows67, 0, 4, 1, 5), high47 = v128.shuffle<i32>(rows45, rows67, 2, 6, 3, 7);
  v128.store(to, v128.shuffle<i64>(low03, low47, 0, 2));
  v128.store(to, v128.shuffle<i64>(low03, low47, 1, 3), 16);
  v128.store(to, v128.shuffle<i64>(high03, high47, 0, 2), 32);
  v128.store(to, v128.shuffle<i64>(high03, high47, 1, 3), 48);
}

/**
 * Reports the rows of a portion that each probe from number `from` on may be near to; stops when the output may not hold those
 * of four more probes.
 * @returns how many rows were reported; `sift.next` says which probe to go on with
 */
export function siftRows(sift: Sift, first: u32, end: u32, from: u32): u32 {
  const rows = end - first;
  let found: u32 = 0;
  let probe = from;
  for (; probe < sift.count; probe += TOGETHER) {
    if (found + rows * TOGETHER > probeAt(sift, probe).job.outCapacity) break;
    siftFour(sift, rows, probe);
    found = reportNear(sift, decideFour(sift, first, rows, probe), found);
  }
  sift.next = min(probe, sift.count);
  return found;
}

@inline
function probeAt(sift: Sift, number: u32): SiftedProbe {
  return changetype<SiftedProbe>(sift.probes + <usize>number * offsetof<SiftedProbe>());
}

/** The list of one of four probes: an entry of 8 bytes for each sixteen rows, and a last one that is 0. */
@inline
function undecidedOf(sift: Sift, rows: u32, number: u32): usize {
  return sift.undecided + <usize>number * (<usize>rows / 2 + 8);
}

/** Of eight rows the products of two components with those of the query, added. */
@inline
function dotPairs(query: v128, rows: v128): v128 {
  if (ASC_FEATURE_RELAXED_SIMD) return i16x8.relaxed_dot_i8x16_i7x16_s(query, rows);
  return unreachable();
}

/** Lists for each of four probes the rows of a portion that its sums do not decide. */
@inline
function siftFour(sift: Sift, rows: u32, probe: u32): void {
  const start0 = i16x8.splat(<i16>probeAt(sift, probe).start), start1 = i16x8.splat(<i16>probeAt(sift, probe + 1).start);
  const start2 = i16x8.splat(<i16>probeAt(sift, probe + 2).start), start3 = i16x8.splat(<i16>probeAt(sift, probe + 3).start);
  const second = <usize>sift.axes * 8;
  const queries = sift.queries + <usize>probe * second;
  let to0 = undecidedOf(sift, rows, 0), to1 = undecidedOf(sift, rows, 1);
  let to2 = undecidedOf(sift, rows, 2), to3 = undecidedOf(sift, rows, 3);
  let at = sift.codes;
  for (let row: u32 = 0; row < rows; row += 16) {
    const half = sift.halves + (<usize>row << 1);
    const low = v128.load(half), high = v128.load(half, 16);
    let a0 = i16x8.sub(start0, low), a1 = i16x8.sub(start1, low);
    let a2 = i16x8.sub(start2, low), a3 = i16x8.sub(start3, low);
    let b0 = i16x8.sub(start0, high), b1 = i16x8.sub(start1, high);
    let b2 = i16x8.sub(start2, high), b3 = i16x8.sub(start3, high);
    const end = at + second;
    let query = queries;
    while (at < end) {
      let rowsLow = v128.load(at);
      let rowsHigh = v128.load(at + second);
      let code = v128.load(query);
      a0 = i16x8.add(a0, dotPairs(code, rowsLow));
      b0 = i16x8.add(b0, dotPairs(code, rowsHigh));
      code = v128.load(query, 16);
      a1 = i16x8.add(a1, dotPairs(code, rowsLow));
      b1 = i16x8.add(b1, dotPairs(code, rowsHigh));
      code = v128.load(query, 32);
      a2 = i16x8.add(a2, dotPairs(code, rowsLow));
      b2 = i16x8.add(b2, dotPairs(code, rowsHigh));
      code = v128.load(query, 48);
      a3 = i16x8.add(a3, dotPairs(code, rowsLow));
      b3 = i16x8.add(b3, dotPairs(code, rowsHigh));
      rowsLow = v128.load(at, 16);
      rowsHigh = v128.load(at + second, 16);
      code = v128.load(query, 64);
      a0 = i16x8.add(a0, dotPairs(code, rowsLow));
      b0 = i16x8.add(b0, dotPairs(code, rowsHigh));
      code = v128.load(query, 80);
      a1 = i16x8.add(a1, dotPairs(code, rowsLow));
      b1 = i16x8.add(b1, dotPairs(code, rowsHigh));
      code = v128.load(query, 96);
      a2 = i16x8.add(a2, dotPairs(code, rowsLow));
      b2 = i16x8.add(b2, dotPairs(code, rowsHigh));
      code = v128.load(query, 112);
      a3 = i16x8.add(a3, dotPairs(code, rowsLow));
      b3 = i16x8.add(b3, dotPairs(code, rowsHigh));
      at += 32;
      query += 128;
    }
    at += second;
    to0 = note(to0, row, a0, b0);
    to1 = note(to1, row, a1, b1);
    to2 = note(to2, row, a2, b2);
    to3 = note(to3, row, a3, b3);
  }
  store<u64>(to0, 0);
  store<u64>(to1, 0);
  store<u64>(to2, 0);
  store<u64>(to3, 0);
}

/** Notes which of 16 sums are not below 0, if any is: without a branch, which the processor could not predict. */
@inline
function note(to: usize, row: u32, low: v128, high: v128): usize {
  const bits = <u32>i8x16.bitmask(i8x16.narrow_i16x8_s(low, high)) ^ 0xffff;
  store<u64>(to, (<u64>row << 32) | bits);
  return to + (<usize>(bits != 0) << 3);
}

/**
 * Asks the primary codes about what four probes left undecided.
 * @returns how many pairs they do not decide
 */
function decideFour(sift: Sift, first: u32, rows: u32, probe: u32): u32 {
  let near: u32 = 0;
  // The last four may be fewer.
  for (let number = probe; number < min(probe + TOGETHER, sift.count); number++) {
    const start = near;
    for (let at = undecidedOf(sift, rows, number - probe); ; at += 8) {
      const entry = load<u64>(at);
      let bits = <u32>entry;
      if (bits == 0) break;
      const row = first + <u32>(entry >> 32);
      do {
        store<u32>(sift.nearRows + (<usize>near << 2), row + <u32>ctz(bits));
        near++;
        bits &= bits - 1;
      } while (bits != 0);
    }
    // The rows are taken by four.
    v128.store(sift.nearRows + (<usize>near << 2), i32x4.splat(first));
    near = sift.primaryBytes == 32 ? decideRows(sift, number, start, near, 32) : decideRows(sift, number, start, near, 0);
  }
  return near;
}

/**
 * Keeps of the rows of one probe, which are listed from `start` up to `end`, those that the primary codes do not rule out.
 * @param known the bytes of a row's primary code, where the code for it is written out; else 0
 * @returns the end of the list
 */
@inline
function decideRows(sift: Sift, number: u32, start: u32, end: u32, known: u32): u32 {
  const job = probeAt(sift, number).job;
  const place = job.place;
  const bytes = known != 0 ? known : job.primaryBytes;
  const query = job.query;
  // With the largest errors of the portion: `report` takes those of the row.
  const limit =
    job.threshold - job.primaryConstant + job.slack + job.primaryCodeError * sift.rowLength + job.primaryRowError * sift.rowRest;
  let kept = start;
  for (let i = start; i < end; i += 4) {
    const list = sift.nearRows + (<usize>i << 2);
    const row0 = load<u32>(list), row1 = load<u32>(list, 4), row2 = load<u32>(list, 8), row3 = load<u32>(list, 12);
    const sums = f32x4.convert_i32x4_s(
      sumLanes(
        dotPrimary(place, row0, query, bytes, known),
        dotPrimary(place, row1, query, bytes, known),
        dotPrimary(place, row2, query, bytes, known),
        dotPrimary(place, row3, query, bytes, known),
      ),
    );
    kept = decide(sift, job, limit, row0, f32x4.extract_lane(sums, 0), number, kept);
    if (i + 1 < end) kept = decide(sift, job, limit, row1, f32x4.extract_lane(sums, 1), number, kept);
    if (i + 2 < end) kept = decide(sift, job, limit, row2, f32x4.extract_lane(sums, 2), number, kept);
    if (i + 3 < end) kept = decide(sift, job, limit, row3, f32x4.extract_lane(sums, 3), number, kept);
  }
  return kept;
}

/** The lane sums of a row's primary code. */
@inline
function dotPrimary(place: Place, row: u32, query: usize, bytes: u32, known: u32): v128 {
  const at = place.codes + <usize>row * bytes;
  return known == 32 ? dot32(at, query) : dotRow(at, query, bytes);
}

/** Keeps a row, if its sum does not rule it out. */
@inline
function decide(sift: Sift, job: Job, limit: f32, row: u32, sum: f32, number: u32, kept: u32): u32 {
  const place = job.place;
  const offset = <usize>row << 2;
  let value = load<f32>(place.codeNorms + offset) + job.primaryFactor * sum;
  if (place.offAxes != 0) value += job.offAxesFactor * load<f32>(place.offAxes + offset);
  const to = <usize>kept << 2;
  store<u32>(sift.nearRows + to, row);
  store<u32>(sift.nearProbes + to, number);
  store<f32>(sift.nearValues + to, value);
  return kept + <u32>(value <= limit);
}

/** Reports of the pairs that the primary codes leave those that the residual codes leave too. @returns how many are reported now */
function reportNear(sift: Sift, near: u32, found: u32): u32 {
  const place = sift.place;
  const residualBytes = probeAt(sift, 0).job.residualBytes;
  let touched: u32 = 0;
  // All residual codes are asked for before any is needed, so that the memory fetches them side by side.
  if (residualBytes != 0)
    for (let i: u32 = 0; i < near; i++) {
      const residual = place.residualCodes + <usize>load<u32>(sift.nearRows + (<usize>i << 2)) * residualBytes;
      touched |= load<u8>(residual) | load<u8>(residual + residualBytes - 1);
    }
  sift.touched = touched;
  for (let i: u32 = 0; i < near; i++) {
    const at = <usize>i << 2;
    const number = load<u32>(sift.nearProbes + at);
    const job = probeAt(sift, number).job;
    const row = load<u32>(sift.nearRows + at);
    const now = report(job, row, load<f32>(sift.nearValues + at), primaryErrorOf(job, row), found);
    if (now != found) store<u32>(sift.outProbes + (<usize>found << 2), number);
    found = now;
  }
  return found;
}
