/** Fewer candidates than this are not worth a selection. */
const FIRST_SELECTION = 512;

/** Rows that may be among the nearest, as bounds of their squared distance; the threshold falls as they come. */
export class CandidateRows {
  /** Every row whose lower bound is above it can be left out. */
  threshold: number;
  count = 0;
  segments = new Uint32Array(2 * FIRST_SELECTION);
  rows = new Uint32Array(2 * FIRST_SELECTION);
  lower = new Float32Array(2 * FIRST_SELECTION);
  upper = new Float32Array(2 * FIRST_SELECTION);
  readonly #limit: number;
  #selectAt: number;

  /** @param limit how many nearest rows are asked for. @param threshold the largest squared distance of interest. */
  constructor(limit: number, threshold: number) {
    this.#limit = limit;
    this.threshold = threshold;
    this.#selectAt = Math.max(FIRST_SELECTION, 2 * limit);
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

  /**
   * At least `limit` rows are within the limit-th smallest upper bound, so nothing beyond it can be among the nearest:
   * not even by a tie, because a tie is not beyond.
   */
  tighten(): void {
    if (this.count >= this.#limit && this.#limit > 0) {
      const upper = this.upper.slice(0, this.count).sort();
      this.threshold = Math.min(this.threshold, upper[this.#limit - 1]!);
      this.#dropBeyond();
    }
    this.#selectAt = Math.max(FIRST_SELECTION, 2 * this.#limit, 2 * this.count);
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

function copyTo<A extends Uint32Array<ArrayBuffer> | Float32Array<ArrayBuffer>>(target: A, source: A): A {
  target.set(source);
  return target;
}
