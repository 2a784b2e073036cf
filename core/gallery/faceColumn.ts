import { trusted, type FaceId } from '../contracts/ids.ts';
import type { Area, Slabs } from './slab.ts';

/**
 * The highest id that fits into four bytes. Ids rise from 1, so no known installation reaches it. Beyond it an id takes eight
 * bytes.
 */
const LARGEST_NARROW = 2 ** 31 - 1;

/**
 * The face of every row of a segment, negated where it was removed. In four bytes a row, in the slab: there a row that was
 * never written takes no memory.
 */
export class FaceColumn {
  readonly area: Area;
  /** The least id that was ever here. */
  smallest = Infinity;
  /** Its first `#rows` are written. */
  #faces: Int32Array | Float64Array;
  #rows = 0;
  /** No face is below the one of the row before. */
  #ascending = true;
  #largest = -Infinity;

  constructor(capacity: number, slabs: Slabs) {
    this.area = slabs.allocate(4 * capacity);
    this.#faces = new Int32Array(this.area.slab.memory.buffer, this.area.address, capacity);
  }

  append(face: FaceId): void {
    if (face > LARGEST_NARROW && this.#faces instanceof Int32Array)
      this.#faces = Float64Array.from(this.#faces);
    this.#faces[this.#rows++] = face;
    // A face that comes back stands twice, once negated: then halving cannot find it.
    if (face <= this.#largest) this.#ascending = false;
    this.smallest = Math.min(this.smallest, face);
    this.#largest = Math.max(this.#largest, face);
  }

  /** Whether the faces rise from row to row, so that {@link rowsBelow} holds no others. */
  get rises(): boolean {
    return this.#ascending;
  }

  /** From now on a free row. */
  forget(row: number): void {
    this.#faces[row] = -this.#faces[row]!;
  }

  /** The live face of a row. */
  at(row: number): FaceId | undefined {
    const face = this.#faces[row]!;
    return face < 0 ? undefined : trusted.face(face);
  }

  /** The current or former face of a row. */
  everAt(row: number): FaceId {
    return trusted.face(Math.abs(this.#faces[row]!));
  }

  /** The row of a live face, or -1. */
  find(face: FaceId): number {
    if (face < this.smallest || face > this.#largest) return -1;
    return this.#ascending ? this.#search(face) : this.#faces.subarray(0, this.#rows).indexOf(face);
  }

  /** Adds live faces above `after`, up to `upTo`; of those by rising ids the first `most` are among them. */
  collect(after: FaceId, upTo: FaceId, most: number, found: FaceId[]): void {
    if (this.#largest <= after || this.smallest > upTo) return;
    const enough = this.#ascending ? found.length + most : Infinity;
    for (let row = this.#ascending ? this.#firstFrom(after + 1) : 0; row < this.#rows; row++) {
      const face = this.#faces[row]!;
      if (face > after && face <= upTo) found.push(trusted.face(face));
      else if (this.#ascending && face > upTo) break;
      if (found.length >= enough) break;
    }
  }

  /** Rows from the first on that hold all faces below this one; others may be among them where ids do not rise. */
  rowsBelow(face: FaceId): number {
    if (this.smallest >= face) return 0;
    return this.#ascending ? this.#firstFrom(face) : this.#rows;
  }

  /** The rows of live faces, by rising ids. */
  liveRows(): number[] {
    const rows: number[] = [];
    for (let row = 0; row < this.#rows; row++) if (this.#faces[row]! > 0) rows.push(row);
    return this.#ascending ? rows : rows.sort((a, b) => this.#faces[a]! - this.#faces[b]!);
  }

  #search(face: FaceId): number {
    const row = this.#firstFrom(face);
    return this.#faces[row] === face ? row : -1;
  }

  /** Where faces ascend: the first row whose face, removed or not, is not below this one. */
  #firstFrom(face: number): number {
    let [low, high] = [0, this.#rows];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (Math.abs(this.#faces[middle]!) < face) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
