import type { CompanyId, PipelineId } from '../contracts/ids.ts';
import type { Logger } from '../domain/ports/machine.ts';
import type { GalleryFeed } from '../domain/ports/gallery.ts';
import type { MemoryGallery } from './gallery.ts';
import type { Persons } from '../storage/persons/persons.ts';
import { keepSnapshots, loadVectors, type GalleryStore } from './start.ts';

/** The store of all companies. */
export interface InstallationStore extends GalleryStore {
  companies: { list(): Promise<readonly { id: CompanyId }[]> };
  persons: Pick<Persons, 'withAllFaces'>;
  /** Where other processes write to the store too. */
  galleryFeed?: GalleryFeed | undefined;
}

/** New faces of this long are read row by row at the next start; each pass costs the faces that came since the last. */
const SNAPSHOT_INTERVAL_MS = 5 * 60_000;

/** Background work of the gallery, one job after the other. */
export class Maintenance {
  readonly #gallery: MemoryGallery;
  readonly #store: InstallationStore;
  readonly #pipeline: PipelineId;
  readonly #log: Pick<Logger, 'error'>;
  #timer: NodeJS.Timeout | undefined;
  #work: Promise<unknown> = Promise.resolve();
  #stopped = false;

  constructor(
    gallery: MemoryGallery,
    store: InstallationStore,
    pipeline: PipelineId,
    log: Pick<Logger, 'error'>,
  ) {
    this.#gallery = gallery;
    this.#store = store;
    this.#pipeline = pipeline;
    this.#log = log;
  }

  start(): void {
    const pass = () => {
      this.keepSnapshots().catch((error: unknown) => {
        this.#log.error({ err: error }, 'the gallery could not keep its snapshots; the next start is slower');
      });
    };
    this.#timer = setInterval(pass, SNAPSHOT_INTERVAL_MS).unref();
    pass();
  }

  loadVectors(): void {
    this.#forEachCompany((company) => loadVectors(this.#gallery, this.#store, company, this.#pipeline)).catch(
      (error: unknown) => {
        this.#log.error({ err: error }, 'exact vectors stay on disk: searches read them row by row');
      },
    );
  }

  keepSnapshots(): Promise<void> {
    return this.#forEachCompany(async (company) => {
      await keepSnapshots(this.#gallery, this.#store, company, this.#pipeline);
    });
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    clearInterval(this.#timer);
    await this.#work;
  }

  #forEachCompany(work: (company: CompanyId) => Promise<void>): Promise<void> {
    const run = this.#work.then(async () => {
      for (const { id } of await this.#store.companies.list()) {
        if (this.#stopped) return;
        await work(id);
      }
    });
    this.#work = run.catch(() => undefined);
    return run;
  }
}
