/**
 * The comparison of many probes with the same rows, for one distance that is known from the start. Sums of sixteen bits
 * decide about nearly all pairs, eight rows at a time; the bounds of `codes.ts` decide about the rest. Why no near pair is
 * lost: docs/explanation/gallery.md.
 */
import { dotLead, leadErrorOf, report } from './codes';
import { BLOCK, Job, Place } from './job';

/** Probes that are compared with a row while it is in a register; the sums of two groups of eight rows fill the others. */
const TOGETHER: u32 = 4;

/** A probe that is sifted for; laid out by `../sift.ts`, and the two must agree. All in units of twice the step t. */
@unmanaged
class SiftedProbe {
  job: Job;
  /** |x|². */
  squared: f32;
  /** 64 Σq. */
  offset: i32;
}

@unmanaged
class Sift {
  place: Place;
  /** SiftedProbe after SiftedProbe: room for a multiple of TOGETHER. */
  probes: usize;
  count: u32;
  /** Codes of the probes: by four of them, then by two components, then by probe; each pair eight times. */
  queries: usize;
  /** Rows of a portion: codes by eight rows, then by two components; and half of their squared lengths. */
  codes: usize;
  halves: usize;
  leadBytes: u32;
  /** Pairs that the sixteen bits did not decide: rows in the high half, the probe in bits 16 and 17, a bit for each of 16 rows. */
  undecided: usize;
  /** Out: the number of the probe of each reported row; the rows and their bounds are in the output of the jobs. */
  outProbes: usize;
  /** 1 / (2 t). */
  scale: f32;
  /** The largest errors of any probe, |z − t·q| and |x|, by which the |r| and |e| of the rows are multiplied. */
  codeError: f32;
  rowError: f32;
  /** No sum of a block's errors may be larger. */
  largestError: f32;
  /** Out: the probe to go on with. */
  next: u32;
}

/**
 * Lays out the rows from `first` up to `end` for `siftRows`.
 * @param first a multiple of BLOCK, as `end` is
 * @returns false: their errors do not fit sixteen bits, or this engine cannot multiply bytes
 */
export function prepareRows(sift: Sift, first: u32, end: u32): bool {
  if (!ASC_FEATURE_RELAXED_SIMD) return false;
  const lead = sift.leadBytes;
  const place = sift.place;
  const scale = f32x4.splat(sift.scale);
  let to = sift.codes;
  let half = sift.halves;
  for (let row = first; row < end;) {
    const errors = place.blockErrors + <usize>(row / BLOCK) * 16;
    const error = sift.codeError * load<f32>(errors) + sift.rowError * load<f32>(errors, 4);
    if (!(error <= sift.largestError)) return false;
    const errorOfEach = f32x4.splat(error);
    const endOfBlock = row + BLOCK;
    for (; row < endOfBlock; row += 8) {
      const at = place.codes + <usize>row * lead;
      for (let byte: u32 = 0; byte < lead; byte += 16) transpose(at + byte, lead, to + (<usize>byte << 3));
      to += <usize>lead * 8;
      const low = halvesOf(place, row, scale, errorOfEach), high = halvesOf(place, row + 4, scale, errorOfEach);
      // Their low 16 bits.
      v128.store(half, v128.shuffle<i16>(low, high, 0, 2, 4, 6, 8, 10, 12, 14));
      half += 16;
    }
  }
  return true;
}

/** Half of |y|² along the axes of the lead less the errors, of four rows. */
@inline
function halvesOf(place: Place, row: u32, scale: v128, errors: v128): v128 {
  const offset = <usize>row << 2;
  let squares = v128.load(place.codeNorms + offset);
  if (place.offAxes != 0) {
    const off = v128.load(place.offAxes + offset);
    squares = f32x4.sub(squares, f32x4.mul(off, off));
  }
  return i32x4.trunc_sat_f32x4_s(f32x4.sub(f32x4.mul(squares, scale), errors));
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
  return sift.leadBytes == 32 ? siftEach(sift, first, end, from, 32) : siftEach(sift, first, end, from, 0);
}

@inline
function siftEach(sift: Sift, first: u32, end: u32, from: u32, known: u32): u32 {
  const rows = end - first;
  let found: u32 = 0;
  let probe = from;
  for (; probe < sift.count; probe += TOGETHER) {
    if (found + rows * TOGETHER > probeAt(sift, probe).job.outCapacity) break;
    const undecided = siftFour(sift, rows, probe, known);
    for (let at = sift.undecided; at < undecided; at += 8) {
      const entry = load<u64>(at);
      const number = probe + (<u32>(entry >> 16) & 3);
      // The last four may be fewer.
      if (number >= sift.count) continue;
      const job = probeAt(sift, number).job;
      const start = first + <u32>(entry >> 32);
      let bits = <u32>entry & 0xffff;
      do {
        const now = decide(job, start + <u32>ctz(bits), found);
        if (now != found) store<u32>(sift.outProbes + (<usize>found << 2), number);
        found = now;
        bits &= bits - 1;
      } while (bits != 0);
    }
  }
  sift.next = min(probe, sift.count);
  return found;
}

@inline
function probeAt(sift: Sift, number: u32): SiftedProbe {
  return changetype<SiftedProbe>(sift.probes + <usize>number * offsetof<SiftedProbe>());
}

/** The sums of a probe begin with this less half of the row: below 0 at the end, the row is beyond the threshold. */
@inline
function startOf(sift: Sift, number: u32): v128 {
  const probe = probeAt(sift, number);
  const start = <i32>((probe.job.threshold + probe.job.slack) * sift.scale - probe.squared) - probe.offset;
  // Of the three one is for the rounding above, one for that of the halves, and one for the single precision before them.
  return i16x8.splat(<i16>(start + 3));
}

/** Of eight rows the products of two components with those of the query, added. */
@inline
function dotPairs(query: v128, rows: v128): v128 {
  if (ASC_FEATURE_RELAXED_SIMD) return i16x8.relaxed_dot_i8x16_i7x16_s(query, rows);
  return unreachable();
}

/**
 * The sums of four probes and all rows of a portion.
 * @param known the bytes of a row's lead, where the code for it is written out; else 0
 * @returns the end of the list of what they did not decide
 */
@inline
function siftFour(sift: Sift, rows: u32, probe: u32, known: u32): usize {
  const lead = <usize>(known != 0 ? known : sift.leadBytes);
  const start0 = startOf(sift, probe), start1 = startOf(sift, probe + 1);
  const start2 = startOf(sift, probe + 2), start3 = startOf(sift, probe + 3);
  const queries = sift.queries + <usize>probe * lead * 8;
  let to = sift.undecided;
  let at = sift.codes;
  const second = lead * 8;
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
    to = note(to, row, 0, a0, b0);
    to = note(to, row, 1, a1, b1);
    to = note(to, row, 2, a2, b2);
    to = note(to, row, 3, a3, b3);
  }
  return to;
}

/** Notes which of 16 sums are not below 0, if any is: without a branch, which the processor could not predict. */
@inline
function note(to: usize, row: u32, probe: u32, low: v128, high: v128): usize {
  const bits = <u32>i8x16.bitmask(i8x16.narrow_i16x8_s(low, high)) ^ 0xffff;
  store<u64>(to, (<u64>row << 32) | (probe << 16) | bits);
  return to + (<usize>(bits != 0) << 3);
}

/** Asks the codes of a row in full, and reports it if they leave it. @returns how many rows are reported now */
function decide(job: Job, row: u32, found: u32): u32 {
  const place = job.place;
  const offset = <usize>row << 2;
  let value = load<f32>(place.codeNorms + offset) + job.leadFactor * <f32>dotLead(job, row);
  if (place.offAxes != 0) value += job.offAxesFactor * load<f32>(place.offAxes + offset);
  const error = leadErrorOf(job, row);
  if (!(value <= job.threshold - job.leadConstant + job.slack + error)) return found;
  return report(job, row, value, error, found);
}
