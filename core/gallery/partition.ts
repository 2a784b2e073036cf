import type { FaceId } from '../contracts/ids.ts';
import type { GalleryEntry, GalleryQuery, SubjectKey, Watchlist } from '../domain/ports.ts';
import { squaredDistance } from './distance.ts';
import type { Ranked } from './ranking.ts';

const FIRST_CAPACITY = 64;

/** The rows of one watchlist of one company, in one block of memory; a removed row is wiped and its place used again. */
export class Partition {
  readonly watchlist: Watchlist;
  readonly #dimensions: number;
  #vectors: Float32Array;
  /** Per row; undefined where a row was removed. */
  readonly #faces: (FaceId | undefined)[] = [];
  readonly #subjects: (SubjectKey | undefined)[] = [];
  readonly #rowOf = new Map<FaceId, number>();
  readonly #free: number[] = [];

  constructor(watchlist: Watchlist, dimensions: number) {
    this.watchlist = watchlist;
    this.#dimensions = dimensions;
    this.#vectors = new Float32Array(FIRST_CAPACITY * dimensions);
  }

  get size(): number {
    return this.#rowOf.size;
  }

  append({ faceId, template, subject }: GalleryEntry): void {
    const row = this.#rowOf.get(faceId) ?? this.#free.pop() ?? this.#faces.length;
    this.#reserve(row + 1);
    this.#vectors.set(template.vector, row * this.#dimensions);
    this.#faces[row] = faceId;
    this.#subjects[row] = subject;
    this.#rowOf.set(faceId, row);
  }

  remove(faceId: FaceId): void {
    const row = this.#rowOf.get(faceId);
    if (row === undefined) return;
    this.#rowOf.delete(faceId);
    this.#faces[row] = undefined;
    this.#vectors.fill(0, row * this.#dimensions, (row + 1) * this.#dimensions);
    this.#free.push(row);
  }

  /** Adds every row that the query admits, with its exact distance. */
  collect(query: GalleryQuery, found: Ranked[]): void {
    for (const [row, faceId] of this.#faces.entries()) {
      if (faceId === undefined || query.except?.has(faceId) === true) continue;
      if (query.before !== undefined && faceId >= query.before) continue;
      const squared = squaredDistance(query.probe.vector, this.#vectors, row);
      if (Math.sqrt(squared) <= query.maxDistance)
        found.push({ faceId, watchlist: this.watchlist, subject: this.#subjects[row], squared });
    }
  }

  #reserve(rows: number): void {
    if (rows * this.#dimensions <= this.#vectors.length) return;
    const grown = new Float32Array(this.#vectors.length * 2);
    grown.set(this.#vectors);
    this.#vectors.fill(0);
    this.#vectors = grown;
  }
}
