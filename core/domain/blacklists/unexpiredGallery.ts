import type { Template } from '../../contracts/faces.ts';
import type { CompanyId, FaceId } from '../../contracts/ids.ts';
import type {
  Candidate,
  GalleryEntry,
  GalleryMoment,
  GalleryPort,
  GalleryQuery,
  GalleryRestrictions,
  PersonCandidate,
  Watchlist,
} from '../ports/gallery.ts';
import type { Metrics } from '../ports/metrics.ts';
import type { FaceListings } from '../../storage/screening/faceListings.ts';
import type { Parts } from '../serviceParts.ts';

interface UnexpiredPorts extends Pick<Parts, 'gallery' | 'clock'> {
  faceListings: Pick<FaceListings, 'ended' | 'expiredOf'>;
  metrics?: Pick<Metrics, 'searched'> | undefined;
}

/**
 * The gallery without the faces whose time in a blacklist is over. The store decides for every candidate at the time of
 * the search, so a face never matches at or after its expiry, however late the gallery in memory follows. An expired face
 * takes no other candidate's place and does not count among the photos of its person: faces that the gallery may still hold are left
 * out from the start, and the search is repeated without those whose time ends meanwhile.
 */
export class UnexpiredGallery implements GalleryPort {
  readonly #ports: UnexpiredPorts;

  constructor(ports: UnexpiredPorts) {
    this.#ports = ports;
  }

  append(company: CompanyId, entries: readonly GalleryEntry[]): void {
    this.#ports.gallery.append(company, entries);
  }

  remove(company: CompanyId, faces: readonly FaceId[]): void {
    this.#ports.gallery.remove(company, faces);
  }

  ready(): Promise<void> {
    return this.#ports.gallery.ready();
  }

  size(company: CompanyId, watchlist: Watchlist): Promise<number> {
    return this.#ports.gallery.size(company, watchlist);
  }

  moment(): Promise<GalleryMoment | undefined> {
    return this.#ports.gallery.moment();
  }

  changedSince(company: CompanyId, moment: GalleryMoment): ReturnType<GalleryPort['changedSince']> {
    return this.#ports.gallery.changedSince(company, moment);
  }

  async search(company: CompanyId, query: GalleryQuery): Promise<Candidate[]> {
    this.#ports.metrics?.searched(1);
    const [found] = await this.#untilUnexpired(company, query, facesOf, async (restrictions) => [
      await this.#ports.gallery.search(company, { ...restrictions, probe: query.probe }),
    ]);
    return found ?? [];
  }

  searchEach(
    company: CompanyId,
    probes: readonly Template[],
    restrictions: GalleryRestrictions,
  ): Promise<Candidate[][]> {
    this.#ports.metrics?.searched(probes.length);
    return this.#untilUnexpired(company, restrictions, facesOf, (narrowed) =>
      this.#ports.gallery.searchEach(company, probes, narrowed),
    );
  }

  searchPersons(
    company: CompanyId,
    probes: readonly Template[],
    restrictions: GalleryRestrictions,
  ): Promise<PersonCandidate[][]> {
    this.#ports.metrics?.searched(probes.length);
    const photosOf = ({ photos }: PersonCandidate) => photos.map(({ faceId }) => faceId);
    return this.#untilUnexpired(company, restrictions, photosOf, (narrowed) =>
      this.#ports.gallery.searchPersons(company, probes, narrowed),
    );
  }

  async #untilUnexpired<C extends { watchlist: Watchlist }>(
    company: CompanyId,
    restrictions: GalleryRestrictions,
    faceIdsOf: (candidate: C) => readonly FaceId[],
    search: (restrictions: GalleryRestrictions) => Promise<C[][]>,
  ): Promise<C[][]> {
    const { faceListings, clock } = this.#ports;
    const except = new Set(restrictions.except);
    if (restrictions.watchlists.some(({ kind }) => kind === 'blacklist'))
      for (const face of await faceListings.ended(company, clock.now())) except.add(face);
    for (;;) {
      const found = await search({ ...restrictions, except });
      const listed = found.flat().filter(({ watchlist }) => watchlist.kind === 'blacklist');
      if (listed.length === 0) return found;
      const faces = [...new Set(listed.flatMap(faceIdsOf))];
      const expired = await faceListings.expiredOf(company, faces, clock.now());
      if (expired.length === 0) return found;
      for (const face of expired) except.add(face);
    }
  }
}

const facesOf = ({ faceId }: Candidate) => [faceId];
