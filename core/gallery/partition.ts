import type { FaceId } from '../contracts/ids.ts';
import type { GalleryEntry, GalleryRestrictions, Watchlist } from '../domain/ports/gallery.ts';
import type { CodedRows } from './codeColumns.ts';
import type { Scale, Shape } from './quantiser.ts';
import { inPortions } from './portions.ts';
import type { Readers } from './readers.ts';
import { Segment } from './segment.ts';
import type { Area, Slabs } from './slab.ts';

const SMALLEST_SEGMENT = 64;
/** What one call of the kernel should have before it, and what one bitmap covers. */
const LARGEST_SEGMENT = 65_536;

/**
 * A partition that is full gets so many times its rows: each segment costs every search some microseconds, and rows that were
 * never written take no memory.
 */
const GROWTH = 4;
/** A segment that is begun without codes keeps its exact vectors for good, whatever the budget: it stays small. */
const LARGEST_UNCODED = 2_048;

/** What all partitions of a gallery share. */
export interface Store {
  shape: Shape;
  slabs: Slabs;
  readers: Readers;
  /** Bytes of exact vectors in memory, and how many there may be before they stay on disk. */
  exact: { used: number; budget: number };
}

/** The rows of one watchlist of one company, in segments. */
export class Partition {
  readonly watchlist: Watchlist;
  segments: Segment[] = [];
  readonly #store: Store;
  /** Removed rows that a running search may still read: they are in the segments, but in no answer. */
  #unwiped = 0;

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

  remove(face: FaceId): boolean {
    for (const segment of this.segments) {
      const row = segment.find(face);
      if (row < 0) continue;
      segment.forget(row);
      this.#unwiped++;
      this.#store.readers.afterAll(() => {
        segment.wipe(row);
        this.#unwiped--;
      });
      if (segment.live < segment.rows - SMALLEST_SEGMENT && segment.live < 0.75 * segment.rows)
        this.#compact(segment);
      return true;
    }
    return false;
  }

  /** Codes a segment that has no codes yet. @returns undefined where there is none. */
  encodeNext(scale: Scale): Promise<unknown> | undefined {
    const segment = this.segments.find(({ coded }) => !coded);
    if (segment === undefined) return undefined;
    return inPortions(segment.encodeAll(scale), () => this.segments.includes(segment));
  }

  /** The rows of a segment that a query may see, a bit each; absent: all of them. */
  admitted(segment: Segment, { except, before }: GalleryRestrictions): Uint8Array | undefined {
    if (this.#unwiped === 0 && before === undefined && !this.#touches(segment, except)) return undefined;
    const bits = new Uint8Array(Math.ceil(segment.rows / 8));
    for (let row = 0; row < segment.rows; row++) {
      const face = segment.face(row);
      if (face === undefined || (before !== undefined && face >= before)) continue;
      if (except?.has(face) === true) continue;
      bits[row >> 3]! |= 1 << (row & 7);
    }
    return bits;
  }

  /** Wipes everything when no search reads it any more. */
  clear(): void {
    for (const segment of this.segments) this.#discard(segment);
    this.segments = [];
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
    if (last !== undefined && !last.full && !(mustCode && !last.coded)) return last;
    const rows = GROWTH * this.size;
    const segment = this.#create(coded ? rows : Math.min(rows, LARGEST_UNCODED), coded);
    this.segments.push(segment);
    return segment;
  }

  /** @param rows how many it should hold at least, within the limits of a segment. */
  #create(rows: number, coded: boolean): Segment {
    const { shape, slabs, exact } = this.#store;
    const wanted = 2 ** Math.ceil(Math.log2(Math.max(1, rows)));
    const segment = new Segment(shape, Math.min(LARGEST_SEGMENT, Math.max(SMALLEST_SEGMENT, wanted)), slabs);
    if (coded) segment.keepCodes();
    const bytes = segment.capacity * shape.stride * 4;
    // Without codes the exact vectors are all there is to scan.
    if (!coded || exact.used + bytes <= exact.budget) segment.keepExact();
    exact.used += segment.exactBytes;
    return segment;
  }

  /** Copies what lives into a segment of its size, in the order of the ids. */
  #compact(old: Segment): void {
    const live: { face: FaceId; row: number }[] = [];
    for (let row = 0; row < old.rows; row++) {
      const face = old.face(row);
      if (face !== undefined) live.push({ face, row });
    }
    live.sort((a, b) => a.face - b.face);
    const fresh = live.length === 0 ? [] : [this.#create(live.length, old.coded)];
    for (const { face, row } of live) {
      const vector = old.hasVector(row) ? old.vector(row) : undefined;
      fresh[0]!.adopt(face, old.coding(row), vector);
    }
    this.segments = this.segments.flatMap((segment) => (segment === old ? fresh : [segment]));
    this.#discard(old);
  }

  #discard(segment: Segment): void {
    this.#store.exact.used -= segment.exactBytes;
    const areas: Area[] = segment.areas;
    this.#store.readers.afterAll(() => {
      for (const area of areas) area.slab.release(area);
    });
  }
}
