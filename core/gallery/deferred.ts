import type { Gallery } from './installationGallery.ts';

/**
 * A gallery that is opened by the first search. Until then it holds no face: a change to the store needs no step here, because the
 * opening reads the store.
 * @param open must not be called by others
 */
export function deferredGallery(open: () => Promise<Gallery>): Gallery {
  let opening: Promise<Gallery> | undefined;
  let opened: Gallery | undefined;
  const opens = () => (opening ??= open().then((gallery) => (opened = gallery)));
  /** A change while the store is being read is repeated afterwards; each of them may be repeated. */
  const follow = (change: (gallery: Gallery) => void) => {
    if (opened !== undefined) change(opened);
    else opening = opening?.then((gallery) => (change(gallery), gallery));
  };
  return {
    get faces() {
      return opened?.faces ?? 0;
    },
    get restored() {
      return opened?.restored ?? 0;
    },
    append: (company, entries) => {
      follow((gallery) => {
        gallery.append(company, entries);
      });
    },
    remove: (company, faces) => {
      follow((gallery) => {
        gallery.remove(company, faces);
      });
    },
    search: async (company, query) => (await opens()).search(company, query),
    searchEach: async (company, probes, restrictions) =>
      (await opens()).searchEach(company, probes, restrictions),
    searchPersons: async (company, probes, restrictions) =>
      (await opens()).searchPersons(company, probes, restrictions),
    pairs: async (company, faces, query) => (await opens()).pairs(company, faces, query),
    ready: async () => (await opens()).ready(),
    size: async (company, watchlist) => opened?.size(company, watchlist) ?? 0,
    totals: () => opened?.totals() ?? new Map(),
    moment: async () => (await opens()).moment(),
    changedSince: async (company, moment) => (await opens()).changedSince(company, moment),
    prepare: async (company, pipeline) => (await opens()).prepare(company, pipeline),
    settle: async (company, pipeline) => (await opens()).settle(company, pipeline),
    serve: (company, pipeline) => {
      follow((gallery) => {
        gallery.serve(company, pipeline);
      });
    },
    abandon: (company, pipeline) => {
      follow((gallery) => {
        gallery.abandon(company, pipeline);
      });
    },
    async close() {
      await Promise.allSettled([opening]);
      await opened?.close();
    },
  };
}
