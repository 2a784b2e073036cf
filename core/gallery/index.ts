import type { GalleryPort, Logger } from '../domain/ports.ts';
import { MemoryGallery, type GalleryOptions } from './gallery.ts';
import { fillCompany } from './start.ts';
import { Upkeep, type SiteStore } from './upkeep.ts';

/** A gallery that is filled from its store and keeps its snapshots there. */
export interface Gallery extends GalleryPort {
  /** Faces at the start, and how many of them came from snapshots. */
  readonly faces: number;
  readonly restored: number;
  /** Ends its threads and what goes on in the background. */
  close(): Promise<void>;
}

/**
 * Fills a gallery with every matchable face of the store. Then, in the background: brings exact vectors into memory,
 * and keeps snapshots now and every few minutes, so that the next start is quick.
 */
export async function openGallery(
  options: Omit<GalleryOptions, 'vectors'>,
  store: SiteStore,
  log: Pick<Logger, 'error'>,
): Promise<Gallery> {
  const { pipelineId } = options;
  const gallery = new MemoryGallery({
    ...options,
    vectors: (company, ids) => store.faces.vectors(company, pipelineId, ids),
  });
  let faces = 0;
  let restored = 0;
  for (const { id } of await store.companies.list()) {
    const filled = await fillCompany(gallery, store, id, pipelineId);
    faces += filled.faces;
    restored += filled.restored;
  }
  const upkeep = new Upkeep(gallery, store, pipelineId, log);
  if (restored > 0) upkeep.loadVectors();
  upkeep.start();
  return {
    faces,
    restored,
    append: (company, entries) => gallery.append(company, entries),
    remove: (company, ids) => gallery.remove(company, ids),
    search: (company, query) => gallery.search(company, query),
    size: (company, watchlist) => gallery.size(company, watchlist),
    close: async () => {
      await upkeep.stop();
      await gallery.close();
    },
  };
}
