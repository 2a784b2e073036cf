import type { CompanyId, FaceId, PipelineId } from '../contracts/ids.ts';
import type { Template } from '../contracts/faces.ts';
import type { Candidate, GalleryEntry, GalleryPort, GalleryQuery, Watchlist } from '../domain/ports.ts';
import { Partition } from './partition.ts';
import { rank, type Ranked } from './ranking.ts';

export interface GalleryOptions {
  /** The pipeline whose templates this gallery compares; all others are refused. */
  pipelineId: PipelineId;
  /** Length of its vectors; absent: as the first template shows. */
  dimensions?: number;
}

/** The gallery with the resources that it holds. */
export interface Gallery extends GalleryPort {
  close(): Promise<void>;
}

/** How far a template's length may be from one: float32 rounding stays a thousand times below. */
const UNIT_TOLERANCE = 1e-3;

/** Every watchlist of every company as a partition of its own: no search can touch another company's rows. */
export class MemoryGallery implements Gallery {
  readonly #pipelineId: PipelineId;
  #dimensions: number | undefined;
  readonly #companies = new Map<CompanyId, Map<string, Partition>>();

  constructor(options: GalleryOptions) {
    this.#pipelineId = options.pipelineId;
    this.#dimensions = options.dimensions;
  }

  append(company: CompanyId, entries: readonly GalleryEntry[]): void {
    for (const entry of entries) this.#check(entry.template);
    const partitions = this.#partitionsOf(company);
    for (const entry of entries) {
      const key = keyOf(entry.watchlist);
      let partition = partitions.get(key);
      if (partition === undefined) {
        partition = new Partition(entry.watchlist, entry.template.vector.length);
        partitions.set(key, partition);
      }
      partition.append(entry);
    }
  }

  remove(company: CompanyId, faces: readonly FaceId[]): void {
    for (const partition of this.#companies.get(company)?.values() ?? [])
      for (const face of faces) partition.remove(face);
  }

  search(company: CompanyId, query: GalleryQuery): Promise<Candidate[]> {
    this.#check(query.probe);
    const keys = new Set(query.watchlists.map(keyOf));
    const found: Ranked[] = [];
    for (const key of keys) this.#companies.get(company)?.get(key)?.collect(query, found);
    return Promise.resolve(rank(found, query));
  }

  size(company: CompanyId, watchlist: Watchlist): number {
    return this.#companies.get(company)?.get(keyOf(watchlist))?.size ?? 0;
  }

  close(): Promise<void> {
    this.#companies.clear();
    return Promise.resolve();
  }

  #partitionsOf(company: CompanyId): Map<string, Partition> {
    let partitions = this.#companies.get(company);
    if (partitions === undefined) {
      partitions = new Map<string, Partition>();
      this.#companies.set(company, partitions);
    }
    return partitions;
  }

  /** @throws {Error} a template of another pipeline, of another length, or not of unit length. */
  #check({ pipelineId, vector }: Template): void {
    if (pipelineId !== this.#pipelineId)
      throw new Error(`This gallery holds templates of ${this.#pipelineId}, not of ${pipelineId}.`);
    this.#dimensions ??= vector.length;
    if (vector.length !== this.#dimensions)
      throw new Error(`A template has ${vector.length} components, not ${this.#dimensions}.`);
    let squares = 0;
    for (const component of vector) squares += component * component;
    // Written so that NaN fails too.
    if (!(Math.abs(Math.sqrt(squares) - 1) <= UNIT_TOLERANCE))
      throw new Error(`A template must have unit length; this one has ${Math.sqrt(squares)}.`);
  }
}

function keyOf(watchlist: Watchlist): string {
  return watchlist.kind === 'duplicate' ? 'duplicate' : `blacklist:${watchlist.blacklistId}`;
}
