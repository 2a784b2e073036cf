/** Candidates that there is room for at first; a selection among fewer is not worth it. */
const ROOM = 256;

/** Rows that may be among the nearest, as bounds of their squared distance; the threshold falls as they come. */
export class CandidateRows {
  /** Every row whose lower bound is above it can be left out; the kernel lowers it too. */
  threshold: number;
  count = 0;
  segments = new Uint32Array(ROOM);
  rows = new Uint32Array(ROOM);
  lower = new Float32Array(ROOM);
  upper = new Float32Array(ROOM);
  /** How many nearest rows are asked for. */
  readonly limit: number;
  #selectAt: number;

  /** @param threshold the largest squared distance of interest. */
  constructor(limit: number, threshold: number) {
    this.limit = limit;
    this.threshold = threshold;
    this.#selectAt = Math.max(ROOM, 2 * limit);
  }

  add(
    segment: number | Uint32Array,
    count: number,
    rows: Uint32Array,
    lower: Float32Array,
    upper: Float32Array,
  ): void {
    this.#reserve(this.count + count);
    for (let i = 0; i < count; i++) {
      if (!(lower[i]! <= this.threshold)) continue;
      this.segments[this.count] = typeof segment === 'number' ? segment : segment[i]!;
      this.rows[this.count] = rows[i]!;
      this.lower[this.count] = lower[i]!;
      this.upper[this.count] = upper[i]!;
      this.count++;
    }
    if (this.count >= this.#selectAt) this.tighten();
  }

  /** Lowers the threshold by upper bounds of rows, each of another row; they need not be kept here. */
  limitBy(upper: Float32Array): void {
    if (upper.length < this.limit || this.limit === 0) return;
    this.threshold = Math.min(this.threshold, nthSmallest(upper.slice(), this.limit - 1));
  }

  /**
   * At least `limit` rows are within the limit-th smallest upper bound, so nothing beyond it can be among the nearest:
   * not even by a tie, because a tie is not beyond.
   */
  tighten(): void {
    this.limitBy(this.upper.subarray(0, this.count));
    this.#dropBeyond();
    this.#selectAt = Math.max(ROOM, 2 * this.limit, 2 * this.count);
  }

  /** Numbers of the candidates by rising lower bound. */
  ascending(): Uint32Array {
    const keys = new Float64Array(this.count);
    const words = new Uint32Array(keys.buffer);
    for (let i = 0; i < this.count; i++) {
      keys[i] = this.lower[i]!;
      // A float32 leaves the low 29 bits of a double empty: the number travels there while the keys are sorted.
      words[2 * i] = i;
    }
    keys.sort();
    return Uint32Array.from({ length: this.count }, (_, i) => words[2 * i]!);
  }

  #dropBeyond(): void {
    let kept = 0;
    for (let i = 0; i < this.count; i++) {
      if (this.lower[i]! > this.threshold) continue;
      this.segments[kept] = this.segments[i]!;
      this.rows[kept] = this.rows[i]!;
      this.lower[kept] = this.lower[i]!;
      this.upper[kept] = this.upper[i]!;
      kept++;
    }
    this.count = kept;
  }

  #reserve(count: number): void {
    if (count <= this.rows.length) return;
    const length = Math.max(count, 2 * this.rows.length);
    this.segments = copyTo(new Uint32Array(length), this.segments);
    this.rows = copyTo(new Uint32Array(length), this.rows);
    this.lower = copyTo(new Float32Array(length), this.lower);
    this.upper = copyTo(new Float32Array(length), this.upper);
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

function copyTo<A extends Uint32Array<ArrayBuffer> | Float32Array<ArrayBuffer>>(target: A, source: A): A {
  target.set(source);
  return target;
}
