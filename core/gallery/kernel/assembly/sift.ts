/**
 * The comparison of many probes with the same rows, for one distance that is known from the start. Sums of sixteen bits
 * decide about nearly all pairs, eight rows at a time, or sums of 32 bits where the processor adds products of bytes in one
 * instruction; the bounds of `codes.ts` decide about the rest. Why no near pair is
 * lost: docs/explanation/gallery.md.
 */
import { dot32, dotRow, primaryErrorOf, report, sumLanes, sumOf } from './codes';
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
  /**
   * Codes of the probes: by four of them, then by two components, then by probe; each pair eight times. For sums of 32 bits by two of
   * them, then by four components, then by probe.
   */
  queries: usize;
  /**
   * Rows of a portion: codes by eight rows, then by two components, or by sixteen rows, then by four components; and what is
   * taken from the sums of each.
   */
  codes: usize;
  halves: usize;
  primaryBytes: u32;
  /** How many of the first components are compared: a multiple of 4. */
  axes: u32;
  /** For each component w², in units of `weightUnit`, as i16. */
  weights: usize;
  /** For each of four probes a list of the rows that its sums did not decide: the first row in the high half, a bit for each of 16. */
  undecided: usize;
  /** Pairs that the sums did not decide: rows, and the numbers of their probes. */
  nearRows: usize;
  nearProbes: usize;
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
  for (let row = first; row < end;) {
    const errors = place.blockErrors + <usize>(row / BLOCK) * 16;
    const length = load<f32>(errors), rest = load<f32>(errors, 4);
    const near = sift.distance + rest;
    const reach = near * near * sift.scale;
    if (!(reach + 2 * sift.codeError * length <= sift.largest)) return false;
    const endOfBlock = row + BLOCK;
    if (ADDS_BYTES)
      for (; row < endOfBlock; row += 16) {
        const at = place.codes + <usize>row * bytes;
        for (let group: usize = 0; group < 4; group++) {
          const rows = at + 4 * group * bytes;
          // Values beyond the axes are overwritten by the next sixteen rows.
          for (let byte: u32 = 0; byte < axes; byte += 16) transposeFour(rows + byte, bytes, to + (<usize>byte << 4) + (group << 4));
          v128.store(half, halvesOf(sift, rows, reach));
          half += 16;
        }
        to += <usize>axes * 16;
      }
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

/** Sixteen codes of four rows: afterwards four codes of each row, 64 bytes before the next four. */
@inline
function transposeFour(at: usize, step: u32, to: usize): void {
  const r0 = v128.load(at), r1 = v128.load(at + step), r2 = v128.load(at + 2 * step), r3 = v128.load(at + 3 * step);
  const low01 = v128.shuffle<i32>(r0, r1, 0, 4, 1, 5), low23 = v128.shuffle<i32>(r2, r3, 0, 4, 1, 5);
  const high01 = v128.shuffle<i32>(r0, r1, 2, 6, 3, 7), high23 = v128.shuffle<i32>(r2, r3, 2, 6, 3, 7);
  v128.store(to, v128.shuffle<i64>(low01, low23, 0, 2));
  v128.store(to, v128.shuffle<i64>(low01, low23, 1, 3), 64);
  v128.store(to, v128.shuffle<i64>(high01, high23, 0, 2), 128);
  v128.store(to, v128.shuffle<i64>(high01, high23, 1, 3), 192);
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

/** So many undecided pairs are asked about together: their codes, which lie anywhere in memory, are then fetched side by side. */
const ENOUGH: u32 = 256;

/**
 * Reports the rows of a portion that probes from number `from` on may be near to; stops when enough pairs are undecided.
 * @returns how many rows were reported; `sift.next` says which probe to go on with
 */
export function siftRows(sift: Sift, first: u32, end: u32, from: u32): u32 {
  const rows = end - first;
  let near: u32 = 0;
  let probe = from;
  for (; probe < sift.count && near < ENOUGH; probe += TOGETHER) {
    if (ADDS_BYTES) {
      siftTwo(sift, rows, probe, 0);
      siftTwo(sift, rows, probe, 2);
    } else siftFour(sift, rows, probe);
    near = listUndecided(sift, first, rows, probe, near);
  }
  sift.next = min(probe, sift.count);
  return decide(sift, near);
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

/** The same for two probes, the first of which is number `number` of four, in sums of 32 bits: sixteen rows at a time. */
@inline
function siftTwo(sift: Sift, rows: u32, probe: u32, number: u32): void {
  const start0 = i32x4.splat(probeAt(sift, probe + number).start);
  const start1 = i32x4.splat(probeAt(sift, probe + number + 1).start);
  const queries = sift.queries + <usize>(probe + number) * sift.axes;
  const endOfQueries = queries + 2 * <usize>sift.axes;
  let to0 = undecidedOf(sift, rows, number), to1 = undecidedOf(sift, rows, number + 1);
  let at = sift.codes;
  let half = sift.halves;
  for (let row: u32 = 0; row < rows; row += 16) {
    let taken = v128.load(half);
    let a0 = i32x4.sub(start0, taken), a1 = i32x4.sub(start1, taken);
    taken = v128.load(half, 16);
    let b0 = i32x4.sub(start0, taken), b1 = i32x4.sub(start1, taken);
    taken = v128.load(half, 32);
    let c0 = i32x4.sub(start0, taken), c1 = i32x4.sub(start1, taken);
    taken = v128.load(half, 48);
    let d0 = i32x4.sub(start0, taken), d1 = i32x4.sub(start1, taken);
    half += 64;
    for (let query = queries; query < endOfQueries; query += 8) {
      const code0 = v128.load32_splat(query), code1 = v128.load32_splat(query, 4);
      let codes = v128.load(at);
      a0 = addProducts(code0, codes, a0);
      a1 = addProducts(code1, codes, a1);
      codes = v128.load(at, 16);
      b0 = addProducts(code0, codes, b0);
      b1 = addProducts(code1, codes, b1);
      codes = v128.load(at, 32);
      c0 = addProducts(code0, codes, c0);
      c1 = addProducts(code1, codes, c1);
      codes = v128.load(at, 48);
      d0 = addProducts(code0, codes, d0);
      d1 = addProducts(code1, codes, d1);
      at += 64;
    }
    to0 = note(to0, row, i16x8.narrow_i32x4_s(a0, b0), i16x8.narrow_i32x4_s(c0, d0));
    to1 = note(to1, row, i16x8.narrow_i32x4_s(a1, b1), i16x8.narrow_i32x4_s(c1, d1));
  }
  store<u64>(to0, 0);
  store<u64>(to1, 0);
}

/** Of four rows the products of four components with those of the query, added to their sums. */
@inline
function addProducts(query: v128, rows: v128, sums: v128): v128 {
  if (ADDS_BYTES) return i32x4.relaxed_dot_i8x16_i7x16_add_s(query, rows, sums);
  return unreachable();
}

/** Notes which of 16 sums are not below 0, if any is: without a branch, which the processor could not predict. */
@inline
function note(to: usize, row: u32, low: v128, high: v128): usize {
  const bits = <u32>i8x16.bitmask(i8x16.narrow_i16x8_s(low, high)) ^ 0xffff;
  store<u64>(to, (<u64>row << 32) | bits);
  return to + (<usize>(bits != 0) << 3);
}

/** Adds what the sums of four probes leave undecided to the list. @returns how many pairs are listed now */
function listUndecided(sift: Sift, first: u32, rows: u32, probe: u32, listed: u32): u32 {
  let near = listed;
  // The last four may be fewer.
  for (let number = probe; number < min(probe + TOGETHER, sift.count); number++)
    for (let at = undecidedOf(sift, rows, number - probe); ; at += 8) {
      const entry = load<u64>(at);
      let bits = <u32>entry;
      if (bits == 0) break;
      const row = first + <u32>(entry >> 32);
      do {
        store<u32>(sift.nearRows + (<usize>near << 2), row + <u32>ctz(bits));
        store<u32>(sift.nearProbes + (<usize>near << 2), number);
        near++;
        bits &= bits - 1;
      } while (bits != 0);
    }
  return near;
}

/** Reports of the listed pairs those that neither the primary nor the residual codes rule out. @returns how many are reported */
function decide(sift: Sift, near: u32): u32 {
  const place = sift.place;
  const residualBytes = probeAt(sift, 0).job.residualBytes;
  const primaryBytes = sift.primaryBytes;
  let touched: u32 = 0;
  for (let i: u32 = 0; i < near; i++) {
    const row = <usize>load<u32>(sift.nearRows + (<usize>i << 2));
    touched |= load<u8>(place.codes + row * primaryBytes) | load<u8>(place.codeNorms + (row << 2));
    if (residualBytes == 0) continue;
    const residual = place.residualCodes + row * residualBytes;
    touched |= load<u8>(residual) | load<u8>(residual + residualBytes - 1) | load<u8>(place.offAxes + (row << 2));
  }
  sift.touched = touched;
  let found: u32 = 0;
  for (let i: u32 = 0; i < near; i++) {
    const at = <usize>i << 2;
    const number = load<u32>(sift.nearProbes + at);
    const job = probeAt(sift, number).job;
    const row = load<u32>(sift.nearRows + at);
    const offset = <usize>row << 2;
    const codes = place.codes + <usize>row * primaryBytes;
    const sum = sumOf(primaryBytes == 32 ? dot32(codes, job.query) : dotRow(codes, job.query, primaryBytes));
    let value = load<f32>(place.codeNorms + offset) + job.primaryFactor * <f32>sum;
    if (place.offAxes != 0) value += job.offAxesFactor * load<f32>(place.offAxes + offset);
    const error = primaryErrorOf(job, row);
    if (!(value <= job.threshold - job.primaryConstant + job.slack + error)) continue;
    const now = report(job, row, value, error, found);
    if (now != found) store<u32>(sift.outProbes + (<usize>found << 2), number);
    found = now;
  }
  return found;
}
