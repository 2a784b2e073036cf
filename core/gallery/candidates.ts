/** A selection among fewer candidates is not worth it. */
const LEAST_SELECTION = 256;

/** Rows that may be among the nearest, as bounds of their squared distance; the threshold falls as they come. */
export class CandidateRows {
  /** Every row whose lower bound is above it can be left out; the kernel lowers it too. */
  threshold: number;
  // Not typed arrays: every probe of a duplicate search makes a list, and most lists are short.
  readonly segments: number[] = [];
  readonly rows: number[] = [];
  readonly lower: number[] = [];
  readonly upper: number[] = [];
  /** How many nearest rows are asked for. */
  readonly limit: number;
  /** Rows within this multiple of the squared distance of the last of them are asked for too. */
  readonly reach: number;
  #selectAt: number;

  /** @param threshold the largest squared distance of interest. */
  constructor(limit: number, threshold: number, reach: number) {
    this.limit = limit;
    this.threshold = threshold;
    this.reach = reach;
    this.#selectAt = Math.max(LEAST_SELECTION, 2 * limit);
  }

  get count(): number {
    return this.rows.length;
  }

  add(
    segment: number | Uint32Array,
    count: number,
    rows: Uint32Array,
    lower: Float32Array,
    upper: Float32Array,
  ): void {
    for (let i = 0; i < count; i++)
      this.addOne(typeof segment === 'number' ? segment : segment[i]!, rows[i]!, lower[i]!, upper[i]!);
  }

  addOne(segment: number, row: number, lower: number, upper: number): void {
    if (!(lower <= this.threshold)) return;
    this.segments.push(segment);
    this.rows.push(row);
    this.lower.push(lower);
    this.upper.push(upper);
    if (this.count >= this.#selectAt) this.tighten();
  }

  /**
   * At least `limit` rows are within the limit-th smallest upper bound, so nothing beyond it can be among the nearest:
   * not even by a tie, because a tie is not beyond.
   */
  tighten(): void {
    if (this.count >= this.limit && this.limit > 0) {
      const furthest = this.reach * nthSmallest(Float32Array.from(this.upper), this.limit - 1);
      this.threshold = Math.min(this.threshold, furthest);
      this.dropBeyond();
    }
    this.#selectAt = Math.max(LEAST_SELECTION, 2 * this.limit, 2 * this.count);
  }

  /** Numbers of the candidates by rising lower bound. */
  ascending(): Uint32Array {
    const { count, lower } = this;
    const keys = new Float64Array(count);
    const words = new Uint32Array(keys.buffer);
    for (let i = 0; i < count; i++) {
      keys[i] = lower[i]!;
      // A float32 leaves the low 29 bits of a double empty: the number travels there while the keys are sorted.
      words[2 * i] = i;
    }
    keys.sort();
    for (let i = 0; i < count; i++) words[i] = words[2 * i]!;
    return words.subarray(0, count);
  }

  /** Leaves out what is beyond the threshold. */
  dropBeyond(): void {
    let kept = 0;
    for (let i = 0; i < this.count; i++) {
      if (this.lower[i]! > this.threshold) continue;
      this.segments[kept] = this.segments[i]!;
      this.rows[kept] = this.rows[i]!;
      this.lower[kept] = this.lower[i]!;
      this.upper[kept] = this.upper[i]!;
      kept++;
    }
    for (const column of [this.segments, this.rows, this.lower, this.upper]) column.length = kept;
  }
}

/** Hoare's selection; reorders the values. */
function nthSmallest(values: Float32Array, n: number): number {
  let [left, right] = [0, values.length - 1];
  while (left < right) {
    const pivot = values[(left + right) >> 1]!;
    let [i, j] = [left, right];
    while (i <= j) {
      while (values[i]! < pivot) i++;
      while (values[j]! > pivot) j--;
      if (i > j) break;
      const swapped = values[i]!;
      values[i++] = values[j]!;
      values[j--] = swapped;
    }
    if (n <= j) right = j;
    else if (n >= i) left = i;
    else break;
  }
  return values[n]!;
}
