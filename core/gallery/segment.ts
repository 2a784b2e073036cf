import { trusted, type FaceId } from '../contracts/ids.ts';
import type { FaceRange } from '../domain/ports/gallery.ts';
import { CodeColumns, type CodedRow, type CodedRows } from './codeColumns.ts';
import { FaceColumn } from './faceColumn.ts';
import { codeLayout } from './layout.ts';
import type { Scale, Shape } from './quantiser.ts';
import type { SegmentScan } from './scan.ts';
import type { Area, Slabs } from './slab.ts';

/** Up to `capacity` rows of one watchlist: their ids, their codes, and their exact vectors unless those stay on disk. */
export class Segment {
  readonly capacity: number;
  /** Rows that were ever written; those after it are empty. */
  rows = 0;
  live = 0;
  /** Rows of removed faces that a search may still be reading. */
  unwiped = 0;
  readonly #shape: Shape;
  readonly #slabs: Slabs;
  readonly #faces: FaceColumn;
  #codes: CodeColumns | undefined;
  /** Codes while not all rows have theirs. */
  #coming: CodeColumns | undefined;
  #exactArea: Area | undefined;
  #exact: Float32Array | undefined;
  /** A bit per row whose exact vector is on disk only. */
  #absent: Uint8Array | undefined;

  constructor(shape: Shape, capacity: number, slabs: Slabs) {
    this.capacity = capacity;
    this.#shape = shape;
    this.#slabs = slabs;
    this.#faces = new FaceColumn(capacity, slabs);
  }

  get full(): boolean {
    return this.rows === this.capacity;
  }

  get coded(): boolean {
    return this.#codes !== undefined;
  }

  /** The least id that was ever here. */
  get firstFace(): number {
    return this.#faces.smallest;
  }

  get exactBytes(): number {
    return this.#exactArea?.bytes ?? 0;
  }

  /** Gives its memory back, wiped; it pauses often. No scan may be reading it any more. */
  *release(): Generator<void> {
    const { rows } = this;
    const { area } = this.#faces;
    yield* area.slab.release(area, [{ start: 0, length: rows * 4 }]);
    for (const codes of [this.#codes, this.#coming])
      if (codes !== undefined) yield* codes.area.slab.release(codes.area, codes.written(rows));
    const exact = this.#exactArea;
    if (exact !== undefined)
      yield* exact.slab.release(exact, [{ start: 0, length: rows * this.#shape.stride * 4 }]);
  }

  keepCodes(): void {
    this.#codes = this.#newCodes();
  }

  keepExact(): void {
    const floats = this.capacity * this.#shape.stride;
    this.#exactArea = this.#slabs.allocate(floats * 4);
    this.#exact = new Float32Array(this.#exactArea.slab.memory.buffer, this.#exactArea.address, floats);
  }

  /**
   * Codes the rows, whose exact vectors are here, once a company's scale is known. It pauses every few rows, and rows may come
   * and go meanwhile; a scan sees the codes when all are there.
   */
  *encodeAll(scale: Scale): Generator<void> {
    const codes = this.#newCodes();
    this.#coming = codes;
    for (let row = 0; row < this.rows; row++) {
      if (this.#faces.at(row) === undefined) codes.wipe(row);
      else codes.encode(row, this.vector(row), scale);
      if (row % 8 === 0) yield;
    }
    this.#codes = codes;
    this.#coming = undefined;
  }

  append(face: FaceId, vector: Float32Array, scale: Scale | undefined): void {
    const row = this.#take(face);
    if (scale !== undefined) this.#codes?.encode(row, vector, scale);
    if (this.#exact !== undefined) this.#exact.set(vector, row * this.#shape.stride);
  }

  /** Takes a row over whose codes are known and, where it is here, its exact vector. */
  adopt(face: FaceId, coded: CodedRow | undefined, vector: Float32Array | undefined): void {
    const row = this.#take(face);
    if (coded !== undefined) this.#codes!.write(row, coded);
    if (this.#exact === undefined) return;
    if (vector === undefined) this.#markAbsent(row);
    else this.#exact.set(vector, row * this.#shape.stride);
  }

  /** Takes over as many coded rows as fit, by rising ids above all that are here; the exact vectors stay on disk. */
  adoptRun(columns: CodedRows, from: number, to: number): number {
    const count = Math.min(to - from, this.capacity - this.rows);
    const first = this.rows;
    this.#codes!.writeRun(first, columns, from, count);
    for (let i = 0; i < count; i++) {
      this.#take(trusted.face(columns.faces[from + i]!));
      if (this.#exact !== undefined) this.#markAbsent(first + i);
    }
    return count;
  }

  /** Brings an exact vector from disk to its row. */
  hydrate(row: number, vector: Float32Array): void {
    if (this.#exact === undefined || this.hasVector(row) || this.#faces.at(row) === undefined) return;
    this.#exact.set(vector, row * this.#shape.stride);
    this.#absent![row >> 3]! &= ~(1 << (row & 7));
  }

  /** The row of a live face, or -1. */
  find(face: FaceId): number {
    return this.#faces.find(face);
  }

  face(row: number): FaceId | undefined {
    return this.#faces.at(row);
  }

  /** The current or former face of a row. */
  faceEver(row: number): FaceId {
    return this.#faces.everAt(row);
  }

  /** Adds live faces of a range; of those by rising ids the first `most` are among them. */
  facesIn({ after, upTo }: FaceRange, most: number, found: FaceId[]): void {
    this.#faces.collect(after, upTo, most, found);
  }

  /** Whether the faces rise from row to row, so that {@link rowsBelow} holds no others. */
  get rises(): boolean {
    return this.#faces.rises;
  }

  /** Rows from the first on that hold all faces below this one; others may be among them. */
  rowsBelow(face: FaceId): number {
    return this.#faces.rowsBelow(face);
  }

  /** The rows of live faces, by rising ids. */
  liveRows(): number[] {
    return this.#faces.liveRows();
  }

  /** The exact vector of a row; only where `hasVector`. */
  vector(row: number): Float32Array {
    const start = row * this.#shape.stride;
    return this.#exact!.subarray(start, start + this.#shape.dimensions);
  }

  /** The slab of the exact vectors that are here. */
  get exactSlab(): number {
    return this.#exactArea!.slab.index;
  }

  /** Where the exact vector of a row begins in that slab; undefined where it is on disk. */
  exactAddress(row: number): number | undefined {
    return this.hasVector(row) ? this.#exactArea!.address + row * this.#shape.stride * 4 : undefined;
  }

  hasVector(row: number): boolean {
    return this.#exact !== undefined && ((this.#absent?.[row >> 3] ?? 0) & (1 << (row & 7))) === 0;
  }

  coding(row: number): CodedRow | undefined {
    return this.#codes?.read(row);
  }

  /** From now on a free row; `wipe` follows when no scan can be reading it. */
  forget(row: number): void {
    this.#faces.forget(row);
    this.live--;
    this.unwiped++;
  }

  /** Leaves nothing of the row in memory; not-a-number keeps it out of every scan. */
  wipe(row: number): void {
    this.#codes?.wipe(row);
    this.#coming?.wipe(row);
    const { stride } = this.#shape;
    this.#exact?.fill(NaN, row * stride, (row + 1) * stride);
    this.unwiped--;
  }

  /** The memory areas that a kernel scans. @param admitted a bit per row; absent: all. */
  toScan(admitted: Uint8Array | undefined): SegmentScan {
    const area = this.#codes?.area ?? this.#exactArea!;
    return {
      slab: area.slab.index,
      kind: this.#codes === undefined ? 'exact' : 'codes',
      address: area.address,
      capacity: this.capacity,
      rows: this.rows,
      admitted,
    };
  }

  #markAbsent(row: number): void {
    this.#absent ??= new Uint8Array(this.capacity / 8);
    this.#absent[row >> 3]! |= 1 << (row & 7);
  }

  #take(face: FaceId): number {
    const row = this.rows++;
    this.live++;
    this.#faces.append(face);
    return row;
  }

  #newCodes(): CodeColumns {
    const { bytes } = codeLayout(this.#shape, this.capacity);
    return new CodeColumns(this.#shape, this.capacity, this.#slabs.allocate(bytes));
  }
}
