import { trusted, type FaceId } from '../contracts/ids.ts';
import type { FaceRange, GalleryEntry, Watchlist } from '../domain/ports/gallery.ts';
import type { CodedRows } from './codeColumns.ts';
import type { Segment } from './segment.ts';
import { Partition, type Store } from './partition.ts';
import { asLongAs } from './portions.ts';
import { fitScale, type Scale } from './quantiser.ts';

/** One company's watchlists, each a partition of its own, and the scale in which all of them are coded. */
export class CompanyRows {
  readonly #partitions = new Map<string, Partition>();
  readonly #store: Store;
  readonly #codesFrom: number;
  #rows = 0;
  #removals = 0;
  #scale: Scale | undefined;
  /** While a scale is fitted and the rows until then are coded: searches scan what they find, exact vectors or codes. */
  #coding: Promise<void> | undefined;
  #cleared = false;

  /** @param codesFrom from this many rows on there are enough to fit a scale to; before, exact vectors are scanned. */
  constructor(store: Store, codesFrom: number) {
    this.#store = store;
    this.#codesFrom = codesFrom;
  }

  get scale(): Scale | undefined {
    return this.#scale;
  }

  /** Grows with every removal: a search that sees it unchanged has no removed row in its result. */
  get removals(): number {
    return this.#removals;
  }

  /** Whether there were no rows yet, nor a scale. */
  get empty(): boolean {
    return this.#rows === 0 && this.#scale === undefined;
  }

  /** The scale of a snapshot, for an empty company. */
  useScale(scale: Scale): void {
    this.#scale = scale;
  }

  partition(watchlist: Watchlist): Partition | undefined {
    return this.#partitions.get(keyOf(watchlist));
  }

  /** The number of faces in all watchlists. */
  get size(): number {
    return [...this.#partitions.values()].reduce((sum, { size }) => sum + size, 0);
  }

  has(face: FaceId): boolean {
    return [...this.#partitions.values()].some((partition) => partition.has(face));
  }

  append(entry: GalleryEntry): void {
    this.#partitionFor(entry.watchlist).append(entry, this.#scale);
    this.#rows++;
    if (this.#scale === undefined && this.#rows >= this.#codesFrom) this.#coding ??= this.#codeAll();
  }

  /** Rows of a snapshot, coded in the scale in use, by rising ids above all that are here. */
  adopt(rows: CodedRows): void {
    const { watchlists } = rows;
    for (let from = 0, to = 0; from < watchlists.length; from = to) {
      while (to < watchlists.length && watchlists[to] === watchlists[from]) to++;
      this.#partitionFor(watchlistOf(watchlists[from]!)).adoptRun(rows, from, to);
    }
    this.#rows += watchlists.length;
  }

  /** The first `most` live faces of a range, by rising ids. */
  facesIn({ after, upTo }: FaceRange, most: number): FaceId[] {
    const segments = [...this.#partitions.values()].flatMap((partition) => partition.segments);
    let faces: FaceId[] = [];
    // Most segments are of later faces than those before: of these nothing is read once there are enough.
    for (const segment of segments.sort((a, b) => a.firstFace - b.firstFace)) {
      const last = faces.length < most ? upTo : faces.at(-1)!;
      segment.facesIn({ after, upTo: last }, most, faces);
      if (faces.length >= most) faces = sorted(faces).slice(0, most);
    }
    return sorted(faces);
  }

  /** Where a live face is. */
  locate(face: FaceId): { watchlist: Watchlist; segment: Segment; row: number } | undefined {
    for (const partition of this.#partitions.values()) {
      const found = partition.locate(face);
      if (found !== undefined) return { watchlist: partition.watchlist, ...found };
    }
    return undefined;
  }

  remove(faces: readonly FaceId[]): void {
    this.#removals++;
    let rest = faces;
    for (const partition of this.#partitions.values()) rest = partition.remove(rest);
  }

  /** Keeps the exact vector of a face in memory, where there is room for it. */
  hydrate(face: FaceId, vector: Float32Array): void {
    for (const partition of this.#partitions.values()) partition.hydrate(face, vector);
  }

  /** Ends when no rows wait for their codes any more. */
  async coded(): Promise<void> {
    await this.#coding;
  }

  clear(): void {
    this.#cleared = true;
    for (const partition of this.#partitions.values()) partition.clear();
    this.#partitions.clear();
  }

  #partitionFor(watchlist: Watchlist): Partition {
    const key = keyOf(watchlist);
    let partition = this.#partitions.get(key);
    if (partition === undefined) {
      partition = new Partition(watchlist, this.#store);
      this.#partitions.set(key, partition);
    }
    return partition;
  }

  async #codeAll(): Promise<void> {
    await this.#store.background.run(this.#code());
    this.#coding = undefined;
  }

  /** Fits a scale, if there still are enough rows for one, and codes all rows by it. */
  *#code(): Generator<void> {
    const goesOn = () => !this.#cleared;
    const samples = (yield* asLongAs(goesOn, this.#copyVectors())) ?? [];
    if (samples.length >= this.#codesFrom) {
      this.#scale = yield* asLongAs(goesOn, fitScale(samples, this.#store.shape));
      if (this.#scale !== undefined)
        for (const partition of this.#partitions.values()) yield* partition.encodeRest(this.#scale);
    }
  }

  /** The exact vectors of the first faces, but of those that are removed meanwhile: their rows are wiped. */
  *#copyVectors(): Generator<void, Float32Array[]> {
    const { dimensions } = this.#store.shape;
    const faces = this.facesIn(EVERY_FACE, this.#codesFrom);
    // Idempotent appends and removals may have been counted: then there may be nothing to fit to yet.
    this.#rows = faces.length;
    // In one piece: thousands of small ones would leave the process's heap in tatters.
    const all = new Float32Array(faces.length * dimensions);
    const copied: Float32Array[] = [];
    for (const face of faces) {
      const at = this.locate(face);
      if (at === undefined) continue;
      const start = copied.length * dimensions;
      const copy = all.subarray(start, start + dimensions);
      copy.set(at.segment.vector(at.row));
      copied.push(copy);
      if (copied.length % 8 === 0) yield;
    }
    return copied;
  }
}

function sorted(faces: readonly FaceId[]): FaceId[] {
  return Array.from(Float64Array.from(faces).sort(), trusted.face);
}

const EVERY_FACE: FaceRange = { after: trusted.face(0), upTo: trusted.face(Number.MAX_SAFE_INTEGER) };

/** Watchlists as keys of a map, and as numbers in snapshots. */
function keyOf(watchlist: Watchlist): string {
  return String(watchlistNumber(watchlist));
}

const DUPLICATES = -1;

export function watchlistNumber(watchlist: Watchlist): number {
  return watchlist.kind === 'duplicate' ? DUPLICATES : watchlist.blacklistId;
}

export function watchlistOf(number: number): Watchlist {
  return number === DUPLICATES
    ? { kind: 'duplicate' }
    : { kind: 'blacklist', blacklistId: trusted.blacklist(number) };
}
