/** Rows that share one set of error bounds. */
export const BLOCK: u32 = 64;
/** Bytes of a page of memory, beyond whose end no processor prefetches. */
export const PAGE: usize = 4096;

/** Rows whose primary codes did not decide, kept until so many are together. */
export const GATHERED: u32 = 32;

/** Where the columns of a segment are. This and the job are laid out by `../job.ts`; the two must agree. */
@unmanaged
export class Place {
  codes: usize;
  codeNorms: usize;
  offAxes: usize;
  blockErrors: usize;
  residualCodes: usize;
  exactRows: usize;
  admitted: usize;
}

/** The job of one probe in one segment. */
@unmanaged
export class Job {
  place: Place;
  rows: u32;
  primaryBytes: u32;
  residualBytes: u32;
  query: usize;
  residualQuery: usize;
  outRows: usize;
  outLower: usize;
  outUpper: usize;
  /** The outputs have room for GATHERED + BLOCK rows more. */
  outCapacity: u32;
  /** Values of the rows that were weighed: |y|² and what the primary code says, of which the bound is made. */
  weighed: usize;
  /** How many nearest rows are asked for; 0: too many to be kept here. */
  limit: u32;
  /** The least upper bounds of rows so far, the greatest last; at most `limit`, `kept` of them. */
  nearest: usize;
  kept: u32;
  /** Out: the row to go on with; `rows` when the scan is finished. */
  next: u32;
  threshold: f32;
  /** The threshold is at most the greatest of the nearest, times this. */
  reach: f32;
  primaryConstant: f32;
  primaryFactor: f32;
  offAxesFactor: f32;
  wholeConstant: f32;
  residualFactor: f32;
  primaryCodeError: f32;
  primaryRowError: f32;
  residualCodeError: f32;
  residualRowError: f32;
  slack: f32;
  exactStride: u32;
  exactProbe: usize;
  exactRelativeError: f32;
  exactSlack: f32;
  /** Out, and of no meaning: whatever was touched ahead, so that no compiler leaves it out. */
  touched: u32;
}

/** Takes the upper bound of another row into account: the threshold is the limit-th least of them, times the reach. */
export function tighten(job: Job, upper: f32): void {
  const limit = job.limit;
  let count = job.kept;
  if (limit == 0) return;
  if (count < limit) job.kept = ++count;
  else if (!(upper < load<f32>(job.nearest + (<usize>(count - 1) << 2)))) return;
  let at = job.nearest + (<usize>(count - 1) << 2);
  while (at > job.nearest && load<f32>(at - 4) > upper) {
    store<f32>(at, load<f32>(at - 4));
    at -= 4;
  }
  store<f32>(at, upper);
  const furthest = load<f32>(job.nearest + (<usize>(count - 1) << 2)) * job.reach;
  if (count == limit && furthest < job.threshold) job.threshold = furthest;
}

/** Whether a bitmap, where there is one, has the row. */
@inline
export function admits(admitted: usize, row: u32): bool {
  return admitted == 0 || ((load<u8>(admitted + (row >> 3)) >> (<u8>(row & 7))) & 1) != 0;
}

/** The same of four rows from `row` on, a multiple of 4: all bits of a lane, or none. */
@inline
export function admitsEach(admitted: usize, row: u32): v128 {
  const bits = i32x4(1, 2, 4, 8);
  const four = i32x4.splat(<i32>load<u8>(admitted + (row >> 3)) >> <i32>(row & 4));
  return i32x4.eq(v128.and(four, bits), bits);
}
