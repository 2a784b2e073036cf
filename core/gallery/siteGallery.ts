import type { Template } from '../contracts/faces.ts';
import { trusted, type CompanyId, type FaceId, type PipelineId } from '../contracts/ids.ts';
import type { GallerySwitch } from '../domain/ports/pipelines.ts';
import type {
  Candidate,
  FacePairs,
  FacePairSource,
  FaceRange,
  GalleryEntry,
  GalleryPort,
  GalleryQuery,
  GalleryRestrictions,
  PairQuery,
  Watchlist,
} from '../domain/ports/gallery.ts';
import { PipelineChanged, type Logger } from '../domain/ports/machine.ts';
import { MemoryGallery, type GalleryOptions } from './gallery.ts';
import { nextTurn } from './portions.ts';
import { fillCompany } from './start.ts';
import { Maintenance, type SiteStore } from './upkeep.ts';

export interface GalleryManagerOptions extends Omit<
  GalleryOptions,
  'vectors' | 'pipelineId' | 'dimensions' | 'onLeftOut'
> {
  /** The pipeline of companies that `serving` does not name. */
  pipelineId: PipelineId;
  serving?: ReadonlyMap<CompanyId, PipelineId>;
}

/** A gallery that is filled from its store and keeps its snapshots there. */
export interface Gallery extends GalleryPort, GallerySwitch, FacePairSource {
  /** Faces at the start, and how many of them came from snapshots. */
  readonly faces: number;
  readonly restored: number;
  /** Ends its threads and what goes on in the background. */
  close(): Promise<void>;
}

/** Faces that are read, coded and appended in one turn. */
const SETTLED_AT_ONCE = 32;

const ALL_FACES: FaceRange = { after: trusted.face(0), upTo: trusted.face(Number.MAX_SAFE_INTEGER) };

/**
 * Fills a gallery with every matchable face of the store, each company by the pipeline that serves it. Then, in the
 * background: brings exact vectors into memory, and keeps snapshots now and every few minutes, so that the next start
 * is quick.
 */
export async function openGallery(
  options: GalleryManagerOptions,
  store: SiteStore,
  log: Pick<Logger, 'error'>,
): Promise<Gallery> {
  const gallery = new SiteGallery(options, store, log);
  await gallery.fill();
  return gallery;
}

/** The galleries of one pipeline each. A company is searched in exactly one of them, whatever is prepared beside it. */
class SiteGallery implements Gallery {
  readonly #options: GalleryManagerOptions;
  readonly #store: SiteStore;
  readonly #log: Pick<Logger, 'error'>;
  readonly #serving: Map<CompanyId, PipelineId>;
  readonly #galleries = new Map<PipelineId, { gallery: MemoryGallery; upkeep: Maintenance }>();
  #dimensions: ReadonlyMap<PipelineId, number> = new Map();
  #started = false;
  faces = 0;
  restored = 0;

  constructor(options: GalleryManagerOptions, store: SiteStore, log: Pick<Logger, 'error'>) {
    this.#options = options;
    this.#store = store;
    this.#log = log;
    this.#serving = new Map(options.serving);
  }

  async fill(): Promise<void> {
    this.#dimensions = await this.#store.faces.dimensions();
    for (const { id } of await this.#store.companies.list()) {
      const pipeline = this.#pipelineOf(id);
      const filled = await fillCompany(this.#of(pipeline).gallery, this.#store, id, pipeline);
      this.faces += filled.faces;
      this.restored += filled.restored;
    }
    this.#started = true;
    for (const { upkeep } of this.#galleries.values()) {
      if (this.restored > 0) upkeep.loadVectors();
      upkeep.start();
    }
  }

  /** @throws {Error} an entry of a pipeline that does not serve the company */
  append(company: CompanyId, entries: readonly GalleryEntry[]): void {
    this.#of(this.#pipelineOf(company)).gallery.append(company, entries);
  }

  remove(company: CompanyId, faces: readonly FaceId[]): void {
    for (const { gallery } of this.#galleries.values()) gallery.remove(company, faces);
  }

  /** @throws {PipelineChanged} the company is served by another pipeline than the probe's */
  async search(company: CompanyId, query: GalleryQuery): Promise<Candidate[]> {
    const pipeline = this.#pipelineOf(company);
    if (query.probe.pipelineId !== pipeline) throw new PipelineChanged();
    return this.#of(pipeline).gallery.search(company, query);
  }

  /** @throws {PipelineChanged} the company is served by another pipeline than the probes' */
  async searchEach(
    company: CompanyId,
    probes: readonly Template[],
    restrictions: GalleryRestrictions,
  ): Promise<Candidate[][]> {
    const pipeline = this.#pipelineOf(company);
    if (probes.some(({ pipelineId }) => pipelineId !== pipeline)) throw new PipelineChanged();
    return this.#of(pipeline).gallery.searchEach(company, probes, restrictions);
  }

  async pairs(company: CompanyId, faces: readonly FaceId[], query: PairQuery): Promise<FacePairs> {
    const pipeline = this.#pipelineOf(company);
    if (query.pipeline !== pipeline) throw new PipelineChanged();
    return this.#of(pipeline).gallery.pairs(company, faces, query);
  }

  ready(): Promise<void> {
    return Promise.resolve();
  }

  size(company: CompanyId, watchlist: Watchlist): number {
    return this.#galleries.get(this.#pipelineOf(company))?.gallery.size(company, watchlist) ?? 0;
  }

  async prepare(company: CompanyId, pipeline: PipelineId): Promise<void> {
    if (pipeline === this.#pipelineOf(company)) return;
    this.#dimensions = await this.#store.faces.dimensions();
    const { gallery } = this.#of(pipeline);
    gallery.forget(company);
    await fillCompany(gallery, this.#store, company, pipeline);
  }

  async settle(company: CompanyId, pipeline: PipelineId): Promise<void> {
    const { gallery } = this.#of(pipeline);
    let { after } = ALL_FACES;
    for await (const stored of this.#store.faces.matchable(company, pipeline)) {
      const upTo = stored.at(-1)!;
      const here = new Set(gallery.facesIn(company, { after, upTo }));
      const missing = stored.filter((face) => !here.delete(face));
      gallery.remove(company, [...here]);
      for (let from = 0; from < missing.length; from += SETTLED_AT_ONCE) {
        // Read and appended in one turn: a face that was erased in between would come back.
        const some = missing.slice(from, from + SETTLED_AT_ONCE);
        for await (const page of this.#store.faces.these(company, pipeline, some))
          gallery.append(company, page);
        await nextTurn();
      }
      after = upTo;
      await nextTurn();
    }
    gallery.remove(company, gallery.facesIn(company, { after, upTo: ALL_FACES.upTo }));
  }

  serve(company: CompanyId, pipeline: PipelineId): void {
    const before = this.#pipelineOf(company);
    this.#serving.set(company, pipeline);
    const { gallery, upkeep } = this.#of(pipeline);
    if (gallery.facesIn(company, ALL_FACES, 1).length > 0) upkeep.loadVectors();
    if (before !== pipeline) this.#drop(company, before);
  }

  abandon(company: CompanyId, pipeline: PipelineId): void {
    if (pipeline !== this.#pipelineOf(company)) this.#drop(company, pipeline);
  }

  async close(): Promise<void> {
    for (const { gallery, upkeep } of this.#galleries.values()) {
      await upkeep.stop();
      await gallery.close();
    }
  }

  #pipelineOf(company: CompanyId): PipelineId {
    return this.#serving.get(company) ?? this.#options.pipelineId;
  }

  #of(pipelineId: PipelineId): { gallery: MemoryGallery; upkeep: Maintenance } {
    let one = this.#galleries.get(pipelineId);
    if (one === undefined) {
      const gallery = new MemoryGallery({
        ...this.#options,
        pipelineId,
        ...dimensionsOf(this.#dimensions, pipelineId),
        onLeftOut: (company, face, fault) => {
          this.#log.error(
            { company, face, pipeline: pipelineId, fault },
            'the template of a face cannot be compared: no search finds this face; vouch doctor says what to do',
          );
        },
        vectors: (company, ids) => this.#store.faces.vectors(company, pipelineId, ids),
      });
      one = { gallery, upkeep: new Maintenance(gallery, this.#store, pipelineId, this.#log) };
      this.#galleries.set(pipelineId, one);
      if (this.#started) one.upkeep.start();
    }
    return one;
  }

  #drop(company: CompanyId, pipeline: PipelineId): void {
    this.#galleries.get(pipeline)?.gallery.forget(company);
  }
}

/** Where the store knows how long the templates of a pipeline are. */
function dimensionsOf(known: ReadonlyMap<PipelineId, number>, pipeline: PipelineId): { dimensions?: number } {
  const dimensions = known.get(pipeline);
  return dimensions === undefined ? {} : { dimensions };
}
