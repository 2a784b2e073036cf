import type { Template } from '../contracts/faces.ts';
import { trusted, type CompanyId, type FaceId, type PipelineId } from '../contracts/ids.ts';
import { messageOf } from '../contracts/errors/problem.ts';
import type { GallerySwitch } from '../domain/ports/pipelines.ts';
import type {
  Candidate,
  FacePairs,
  FacePairSource,
  FaceRange,
  GalleryChanges,
  GalleryEntry,
  GalleryMoment,
  GalleryPort,
  GalleryQuery,
  GalleryRestrictions,
  PairQuery,
  PersonCandidate,
  Watchlist,
} from '../domain/ports/gallery.ts';
import { PipelineChanged, UnavailableError, type Logger } from '../domain/ports/machine.ts';
import { Follower } from './follower.ts';
import { MemoryGallery, type GalleryOptions } from './gallery.ts';
import { fillCompany } from './start.ts';
import { Maintenance, type InstallationStore } from './upkeep.ts';
import { nextTurn } from './portions.ts';
import type { Faces } from '../storage/faces/faces.ts';

/** Faces that are read, coded and appended in one turn. */
const BATCH_SIZE = 32;
const FIRST = trusted.face(0);
const LAST = trusted.face(Number.MAX_SAFE_INTEGER);

/**
 * Makes the faces of a company agree with the store: those that are missing or in another watchlist are read, those that the
 * store does not have are removed. Changes that are committed during it are followed by the caller.
 */
async function settleCompany(
  gallery: MemoryGallery,
  { faces }: { faces: Pick<Faces, 'matchable' | 'these'> },
  company: CompanyId,
  pipeline: PipelineId,
): Promise<void> {
  let after = FIRST;
  for await (const stored of faces.matchable(company, pipeline)) {
    const upTo = stored.at(-1)!.faceId;
    const gone = new Set(gallery.facesIn(company, { after, upTo }));
    const missing = stored
      .filter(({ faceId, watchlist }) => !gone.delete(faceId) || !gallery.isIn(company, faceId, watchlist))
      .map(({ faceId }) => faceId);
    gallery.remove(company, [...gone, ...missing]);
    for (let from = 0; from < missing.length; from += BATCH_SIZE) {
      // Read and appended in one turn: a face that was erased in between would come back.
      for await (const page of faces.these(company, pipeline, missing.slice(from, from + BATCH_SIZE)))
        gallery.append(company, page);
      await nextTurn();
    }
    after = upTo;
    await nextTurn();
  }
  gallery.remove(company, gallery.facesIn(company, { after, upTo: LAST }));
}

interface GalleryManagerOptions extends Omit<
  GalleryOptions,
  'vectors' | 'persons' | 'pipelineId' | 'dimensions' | 'onLeftOut'
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
  /** The faces in memory, of all companies, by the pipeline of their templates. */
  totals(): ReadonlyMap<PipelineId, number>;
  /** Ends its threads and what continues in the background. */
  close(): Promise<void>;
}

/** Milliseconds until the templates of another pipeline are read once more after a fault. */
const RELOAD_DELAY = 5_000;

const ALL_FACES: FaceRange = { after: trusted.face(0), upTo: trusted.face(Number.MAX_SAFE_INTEGER) };

/**
 * Fills a gallery with every matchable face of the store, each company by the pipeline that serves it. Then, in the
 * background: brings exact vectors into memory, and keeps snapshots now and every few minutes, so that the next start
 * is quick.
 */
export async function openGallery(
  options: GalleryManagerOptions,
  store: InstallationStore,
  log: Pick<Logger, 'error'>,
): Promise<Gallery> {
  const gallery = new InstallationGallery(options, store, log);
  await gallery.fill();
  return gallery;
}

/** The galleries of one pipeline each. A company is searched in exactly one of them, whatever is prepared beside it. */
class InstallationGallery implements Gallery {
  readonly #options: GalleryManagerOptions;
  readonly #store: InstallationStore;
  readonly #log: Pick<Logger, 'error'>;
  readonly #serving: Map<CompanyId, PipelineId>;
  readonly #galleries = new Map<PipelineId, { gallery: MemoryGallery; upkeep: Maintenance }>();
  /** Where other services write to the store too. */
  readonly #follower: Follower | undefined;
  /** Pipelines that were made to agree with the store, and serve soon. */
  readonly #settled = new Map<CompanyId, PipelineId>();
  /** Companies whose templates are still being read: another service changed their pipeline, or their keys were away. */
  readonly #loading = new Map<CompanyId, { pipeline: PipelineId; timer?: NodeJS.Timeout }>();
  #dimensions: ReadonlyMap<PipelineId, number> = new Map();
  #started = false;
  faces = 0;
  restored = 0;

  constructor(options: GalleryManagerOptions, store: InstallationStore, log: Pick<Logger, 'error'>) {
    this.#options = options;
    this.#store = store;
    this.#log = log;
    this.#serving = new Map(options.serving);
    if (store.galleryFeed !== undefined)
      this.#follower = new Follower(
        store.galleryFeed,
        {
          changePipelines: (pipelines) => this.#changePipelines(pipelines),
          apply: (faces) => {
            this.#apply(faces);
          },
          reset: (pipelines) => this.#reset(pipelines),
        },
        log,
      );
  }

  async fill(): Promise<void> {
    for (const [company, pipeline] of (await this.#follower?.begin()) ?? [])
      this.#serving.set(company, pipeline);
    this.#dimensions = await this.#store.faces.dimensions();
    for (const { id } of await this.#store.companies.list()) {
      const pipeline = this.#pipelineOf(id);
      const filled = await this.#fill(id, pipeline).catch((cause: unknown) => {
        // The keys of the templates are away with the photos: searches fail until they are back, and all else works.
        if (this.#follower === undefined || !(cause instanceof UnavailableError)) throw cause;
        this.#load(id, pipeline);
        return { faces: 0, restored: 0 };
      });
      this.faces += filled.faces;
      this.restored += filled.restored;
    }
    this.#started = true;
    this.#follower?.start();
    for (const { upkeep } of this.#galleries.values()) {
      if (this.restored > 0) upkeep.loadVectors();
      upkeep.start();
    }
  }

  /**
   * Where other services write too, a commit of theirs may be newer than this one: then only the store says what matches.
   * @throws {Error} an entry of a pipeline that does not serve the company
   */
  append(company: CompanyId, entries: readonly GalleryEntry[]): void {
    if (this.#follower !== undefined) this.#follower.hint();
    else this.#of(this.#pipelineOf(company)).gallery.append(company, entries);
  }

  remove(company: CompanyId, faces: readonly FaceId[]): void {
    if (this.#follower !== undefined) this.#follower.hint();
    else this.#remove(company, faces);
  }

  /** @throws {PipelineChanged} the company is served by another pipeline than the probe's */
  async search(company: CompanyId, { probe, ...restrictions }: GalleryQuery): Promise<Candidate[]> {
    const [candidates] = await this.searchEach(company, [probe], restrictions);
    return candidates!;
  }

  /** @throws {PipelineChanged} the company is served by another pipeline than the probes' */
  searchEach(
    company: CompanyId,
    probes: readonly Template[],
    restrictions: GalleryRestrictions,
  ): Promise<Candidate[][]> {
    return this.#searched(company, probes, (gallery) => gallery.searchEach(company, probes, restrictions));
  }

  /** @throws {PipelineChanged} the company is served by another pipeline than the probes' */
  searchPersons(
    company: CompanyId,
    probes: readonly Template[],
    restrictions: GalleryRestrictions,
  ): Promise<PersonCandidate[][]> {
    return this.#searched(company, probes, (gallery) => gallery.searchPersons(company, probes, restrictions));
  }

  pairs(company: CompanyId, faces: readonly FaceId[], query: PairQuery): Promise<FacePairs> {
    return this.#current(company, (pipeline) => {
      if (query.pipeline !== pipeline) throw new PipelineChanged();
      return this.#of(pipeline).gallery.pairs(company, faces, query);
    });
  }

  async moment(): Promise<GalleryMoment | undefined> {
    return this.#follower?.moment();
  }

  async changedSince(
    company: CompanyId,
    moment: GalleryMoment,
  ): Promise<ReadonlyMap<FaceId, GalleryEntry | undefined> | undefined> {
    const changed = await this.#follower?.changedSince(company, moment);
    this.#requireLoaded(company);
    const pipeline = this.#pipelineOf(company);
    return changed && new Map([...changed].map(([face, entries]) => [face, entryOf(entries, pipeline)]));
  }

  async ready(): Promise<void> {
    await this.#follower?.caughtUp();
  }

  async size(company: CompanyId, watchlist: Watchlist): Promise<number> {
    await this.#follower?.caughtUp();
    this.#requireLoaded(company);
    return this.#galleries.get(this.#pipelineOf(company))?.gallery.size(company, watchlist) ?? 0;
  }

  totals(): ReadonlyMap<PipelineId, number> {
    return new Map([...this.#galleries].map(([pipeline, { gallery }]) => [pipeline, gallery.total]));
  }

  async prepare(company: CompanyId, pipeline: PipelineId): Promise<void> {
    if (pipeline === this.#pipelineOf(company)) return;
    this.#dimensions = await this.#store.faces.dimensions();
    const { gallery } = this.#of(pipeline);
    gallery.forget(company);
    await fillCompany(gallery, this.#store, company, pipeline);
  }

  async settle(company: CompanyId, pipeline: PipelineId): Promise<void> {
    if (this.#follower === undefined) await this.#settle(company, pipeline);
    else
      await this.#follower.exclusively(async () => {
        await this.#settle(company, pipeline);
        this.#settled.set(company, pipeline);
      });
  }

  serve(company: CompanyId, pipeline: PipelineId): void {
    const before = this.#pipelineOf(company);
    this.#serving.set(company, pipeline);
    this.#settled.delete(company);
    const { gallery, upkeep } = this.#of(pipeline);
    if (gallery.facesIn(company, ALL_FACES, 1).length > 0) upkeep.loadVectors();
    if (before !== pipeline) this.#drop(company, before);
  }

  abandon(company: CompanyId, pipeline: PipelineId): void {
    if (pipeline === this.#pipelineOf(company)) return;
    this.#settled.delete(company);
    this.#drop(company, pipeline);
  }

  async close(): Promise<void> {
    for (const { timer } of this.#loading.values()) clearTimeout(timer);
    this.#loading.clear();
    await this.#follower?.stop();
    for (const { gallery, upkeep } of this.#galleries.values()) {
      await upkeep.stop();
      await gallery.close();
    }
  }

  /**
   * Answers with every change that was committed before the call.
   * @throws {UnavailableError} the committed changes cannot be read, or the faces of the company are not in memory yet
   */
  async #current<T>(company: CompanyId, answer: (pipeline: PipelineId) => Promise<T>): Promise<T> {
    if (this.#follower === undefined) return answer(this.#pipelineOf(company));
    for (;;) {
      await this.#follower.caughtUp();
      this.#requireLoaded(company);
      const { resets } = this.#follower;
      const answered = await answer(this.#pipelineOf(company));
      if (this.#follower.resets === resets) return answered;
    }
  }

  #searched<T>(
    company: CompanyId,
    probes: readonly Template[],
    search: (gallery: MemoryGallery) => Promise<T>,
  ): Promise<T> {
    return this.#current(company, (pipeline) => {
      if (probes.some(({ pipelineId }) => pipelineId !== pipeline)) throw new PipelineChanged();
      return search(this.#of(pipeline).gallery);
    });
  }

  #requireLoaded(company: CompanyId): void {
    if (this.#loading.has(company))
      throw new UnavailableError(
        `This service is still reading the templates of the pipeline ${this.#pipelineOf(company)}. Try again in a minute.`,
      );
  }

  #apply(faces: GalleryChanges['faces']): void {
    for (const [company, changed] of Map.groupBy(faces, (face) => face.company)) {
      const held = new Set([this.#pipelineOf(company), this.#settled.get(company)]);
      for (const pipeline of held) {
        if (pipeline === undefined || this.#loading.get(company)?.pipeline === pipeline) continue;
        const { gallery } = this.#of(pipeline);
        gallery.set(
          company,
          new Map(changed.map(({ faceId, entries }) => [faceId, entryOf(entries, pipeline)])),
        );
      }
    }
  }

  async #reset(pipelines: ReadonlyMap<CompanyId, PipelineId>): Promise<void> {
    await this.#changePipelines(pipelines);
    for (const { id } of await this.#store.companies.list())
      for (const pipeline of new Set([this.#pipelineOf(id), this.#settled.get(id)]))
        if (pipeline !== undefined && this.#loading.get(id)?.pipeline !== pipeline)
          await this.#settle(id, pipeline);
  }

  /** While the follower applies no change. */
  async #changePipelines(pipelines: GalleryChanges['pipelines']): Promise<void> {
    for (const [company, pipeline] of pipelines) {
      const before = this.#pipelineOf(company);
      if (before === pipeline) continue;
      const { gallery } = this.#of(before);
      // Templates of the pipeline before are no longer read.
      const wasLoading = this.#loading.delete(company);
      const isEmpty = !wasLoading && gallery.facesIn(company, ALL_FACES, 1).length === 0;
      // The first face of a company decides its pipeline: then there is next to nothing to read.
      if (isEmpty) await this.#settle(company, pipeline);
      const isReady = isEmpty || this.#settled.get(company) === pipeline;
      this.serve(company, pipeline);
      if (!isReady) this.#load(company, pipeline);
    }
  }

  async #fill(company: CompanyId, pipeline: PipelineId): ReturnType<typeof fillCompany> {
    const filled = await fillCompany(this.#of(pipeline).gallery, this.#store, company, pipeline);
    // A snapshot is as old as the last time that this service worked, and another one may have changed its faces since.
    if (this.#follower !== undefined && filled.restored > 0) await this.#settle(company, pipeline);
    return filled;
  }

  /** Reads the templates of the pipeline that serves a company. Until then its searches fail. */
  #load(company: CompanyId, pipeline: PipelineId): void {
    const loading: { pipeline: PipelineId; timer?: NodeJS.Timeout } = { pipeline };
    const isCurrent = () => this.#loading.get(company) === loading;
    this.#loading.set(company, loading);
    const load = async () => {
      this.#dimensions = await this.#store.faces.dimensions();
      const { gallery } = this.#of(pipeline);
      gallery.forget(company);
      await fillCompany(gallery, this.#store, company, pipeline);
      await this.#follower?.exclusively(async () => {
        if (isCurrent()) {
          await this.#settle(company, pipeline);
          this.#loading.delete(company);
        } else if (this.#pipelineOf(company) !== pipeline) this.#drop(company, pipeline);
      });
    };
    let logged: string | undefined;
    const attempt = () => {
      if (!isCurrent()) return;
      load().catch((error: unknown) => {
        if (!isCurrent()) return;
        // An absence of hours has the same cause every few seconds.
        if (messageOf(error) !== logged)
          this.#log.error({ err: error, company, pipeline }, 'the faces of a company could not be read');
        logged = messageOf(error);
        loading.timer = setTimeout(attempt, RELOAD_DELAY).unref();
      });
    };
    attempt();
  }

  #settle(company: CompanyId, pipeline: PipelineId): Promise<void> {
    return settleCompany(this.#of(pipeline).gallery, this.#store, company, pipeline);
  }

  #remove(company: CompanyId, faces: readonly FaceId[]): void {
    for (const { gallery } of this.#galleries.values()) gallery.remove(company, faces);
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
        persons: (company, ids) => this.#store.persons.withAllFaces(company, ids),
        ...(this.#follower !== undefined && { follow: () => this.#follower!.caughtUp() }),
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

/** The entry of a pipeline, if there is one. */
function entryOf(entries: readonly GalleryEntry[], pipeline: PipelineId): GalleryEntry | undefined {
  return entries.find(({ template }) => template.pipelineId === pipeline);
}

/** Where the store knows how long the templates of a pipeline are. */
function dimensionsOf(known: ReadonlyMap<PipelineId, number>, pipeline: PipelineId): { dimensions?: number } {
  const dimensions = known.get(pipeline);
  return dimensions === undefined ? {} : { dimensions };
}
