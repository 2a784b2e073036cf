import type { FaceId } from '../contracts/ids.ts';
import type { GalleryEntry, GalleryRestrictions, Watchlist } from '../domain/ports/gallery.ts';
import type { CodedRows } from './codeColumns.ts';
import type { Scale, Shape } from './quantiser.ts';
import { asLongAs, atOnce, type Background } from './portions.ts';
import type { Readers } from './readers.ts';
import { Segment } from './segment.ts';
import type { Slabs } from './slab.ts';

/** Rows that are copied or wiped between two pauses. */
const PAUSE = 8;

const SMALLEST_SEGMENT = 64;
/** The rows that one call of the kernel scans, and that one bitmap covers. */
const LARGEST_SEGMENT = 65_536;

/**
 * A partition that is full gets so many times its rows: each segment costs every search some microseconds, and rows that were
 * never written take no memory.
 */
const GROWTH = 4;
/** A segment that is begun without codes keeps its exact vectors for good, whatever the budget: it stays small. */
const LARGEST_UNCODED = 2_048;

/** State that all partitions of a gallery share. */
export interface Store {
  shape: Shape;
  slabs: Slabs;
  readers: Readers;
  background: Background;
  /** Bytes of exact vectors in memory, and how many there may be before they stay on disk. */
  exact: { used: number; budget: number };
}

/** The rows of one watchlist of one company, in segments. */
export class Partition {
  readonly watchlist: Watchlist;
  segments: Segment[] = [];
  readonly #store: Store;
  /** Segments that wait for being copied into smaller ones, or are: they take no rows any more. */
  readonly #sparse = new Set<Segment>();
  /** The one that is being copied. */
  #copying: { from: Segment; to: Segment } | undefined;

  constructor(watchlist: Watchlist, store: Store) {
    this.watchlist = watchlist;
    this.#store = store;
  }

  get size(): number {
    return this.segments.reduce((sum, segment) => sum + segment.live, 0);
  }

  has(face: FaceId): boolean {
    return this.segments.some((segment) => segment.find(face) >= 0);
  }

  append({ faceId, template }: GalleryEntry, scale: Scale | undefined): void {
    if (this.has(faceId)) return;
    this.#open(scale !== undefined).append(faceId, template.vector, scale);
  }

  /** Takes over rows of a snapshot, by rising ids; their exact vectors stay on disk for now. */
  adoptRun(rows: CodedRows, from: number, to: number): void {
    for (let next = from; next < to;) next += this.#open(true, true).adoptRun(rows, next, to);
  }

  /** The segment and row of a live face. */
  locate(face: FaceId): { segment: Segment; row: number } | undefined {
    for (const segment of this.segments) {
      const row = segment.find(face);
      if (row >= 0) return { segment, row };
    }
    return undefined;
  }

  /** Takes faces out of all answers from here on. @returns those that are not here. */
  remove(faces: readonly FaceId[]): FaceId[] {
    const missing: FaceId[] = [];
    const forgotten = new Map<Segment, number[]>();
    const forget = (segment: Segment, row: number) => {
      segment.forget(row);
      const rows = forgotten.get(segment);
      if (rows === undefined) forgotten.set(segment, [row]);
      else rows.push(row);
    };
    for (const face of faces) {
      const at = this.locate(face);
      if (at === undefined) missing.push(face);
      else for (const { segment, row } of this.#copiesOf(face, at)) forget(segment, row);
    }
    const { readers, background } = this.#store;
    for (const [segment, rows] of forgotten) {
      readers.afterAll(() => void background.run(wiping(segment, rows)));
      this.#shrink(segment);
    }
    return missing;
  }

  /** Keeps the exact vector of a face in memory, where there is room for it. */
  hydrate(face: FaceId, vector: Float32Array): void {
    const at = this.locate(face);
    if (at === undefined) return;
    for (const { segment, row } of this.#copiesOf(face, at)) segment.hydrate(row, vector);
  }

  /** Codes all segments that have no codes yet, in portions. */
  *encodeRest(scale: Scale): Generator<void> {
    const uncoded = () => this.segments.find(({ coded }) => !coded);
    for (let segment = uncoded(); segment !== undefined; segment = uncoded()) {
      const coding = segment;
      yield* asLongAs(() => this.segments.includes(coding), coding.encodeAll(scale));
    }
  }

  /**
   * The rows of a segment that a query may see, a bit each; absent: all of them.
   * @param upTo the last face that it may see
   */
  admitted(segment: Segment, { except }: GalleryRestrictions, upTo?: FaceId): Uint8Array | undefined {
    const bounded = upTo !== undefined && !segment.rises;
    if (segment.unwiped === 0 && !bounded && !this.#touches(segment, except)) return undefined;
    const bits = new Uint8Array(Math.ceil(segment.rows / 8));
    for (let row = 0; row < segment.rows; row++) {
      const face = segment.face(row);
      if (face === undefined || except?.has(face) === true || (bounded && face > upTo)) continue;
      bits[row >> 3]! |= 1 << (row & 7);
    }
    return bits;
  }

  /** Wipes everything when no search reads it any more. */
  clear(): void {
    for (const segment of this.segments) this.#discard(segment);
    if (this.#copying !== undefined) this.#discard(this.#copying.to);
    this.segments = [];
    this.#copying = undefined;
  }

  #touches(segment: Segment, except: ReadonlySet<FaceId> | undefined): boolean {
    if (except === undefined) return false;
    if (except.size > 64) return true;
    for (const face of except) if (segment.find(face) >= 0) return true;
    return false;
  }

  /** The segment that takes the next row. @param mustCode not one whose codes are still to come. */
  #open(coded: boolean, mustCode = false): Segment {
    const last = this.segments.at(-1);
    const takes = last !== undefined && !last.full && !this.#sparse.has(last);
    if (takes && (last.coded || !mustCode)) return last;
    const rows = GROWTH * this.size;
    const segment = this.#create(coded ? rows : Math.min(rows, LARGEST_UNCODED), coded);
    this.segments.push(segment);
    return segment;
  }

  /**
   * @param rows how many it should hold at least, within the limits of a segment.
   * @param instead a segment that it takes the place of, with the room of its exact vectors.
   */
  #create(rows: number, coded: boolean, instead?: Segment): Segment {
    const { shape, slabs, exact } = this.#store;
    const wanted = 2 ** Math.ceil(Math.log2(Math.max(1, rows)));
    const segment = new Segment(shape, Math.min(LARGEST_SEGMENT, Math.max(SMALLEST_SEGMENT, wanted)), slabs);
    if (coded) segment.keepCodes();
    const used = exact.used - (instead?.exactBytes ?? 0) + segment.capacity * shape.stride * 4;
    // Without codes the exact vectors are all there is to scan.
    if (!coded || used <= exact.budget) segment.keepExact();
    exact.used += segment.exactBytes;
    return segment;
  }

  /** Where a face is: its row, and its row in the copy that is being made of that segment, if it is there already. */
  #copiesOf(
    face: FaceId,
    at: { segment: Segment; row: number },
  ): readonly { segment: Segment; row: number }[] {
    if (this.#copying?.from !== at.segment) return [at];
    const segment = this.#copying.to;
    const row = segment.find(face);
    return row < 0 ? [at] : [at, { segment, row }];
  }

  /** Has a segment copied that has lost a quarter of its rows. */
  #shrink(segment: Segment): void {
    if (!this.segments.includes(segment) || this.#sparse.has(segment)) return;
    if (segment.live >= segment.rows - SMALLEST_SEGMENT || segment.live >= 0.75 * segment.rows) return;
    this.#sparse.add(segment);
    // One without codes is small, and may be about to get some: it is copied at once.
    if (segment.coded) void this.#store.background.run(this.#copySmaller(segment));
    else atOnce(this.#copySmaller(segment));
  }

  /**
   * Copies what lives into a segment of its size, in the order of the ids. Searches read the old one until all of it is copied;
   * a face that is removed meanwhile leaves both.
   */
  *#copySmaller(from: Segment): Generator<void> {
    const goesOn = () => this.segments.includes(from);
    if (!goesOn()) return;
    const to = this.#create(from.live, from.coded, from);
    this.#copying = { from, to };
    for (const row of from.liveRows()) {
      const face = from.face(row);
      if (face === undefined) continue;
      to.adopt(face, from.coding(row), from.hasVector(row) ? from.vector(row) : undefined);
      if (to.rows % PAUSE === 0) {
        yield;
        if (!goesOn()) return;
      }
    }
    const replaced = to.live === 0 ? [] : [to];
    this.segments = this.segments.flatMap((segment) => (segment === from ? replaced : [segment]));
    this.#copying = undefined;
    this.#sparse.delete(from);
    this.#discard(from);
    if (to.live === 0) this.#discard(to);
    else this.#shrink(to);
  }

  #discard(segment: Segment): void {
    const { exact, readers, background } = this.#store;
    exact.used -= segment.exactBytes;
    readers.afterAll(() => void background.run(segment.release()));
  }
}

/** Leaves nothing of removed rows in memory. */
function* wiping(segment: Segment, rows: readonly number[]): Generator<void> {
  for (const [i, row] of rows.entries()) {
    segment.wipe(row);
    if (i % PAUSE === 0) yield;
  }
}
