/**
 * Error rates of 1:N identification at this site (ISO/IEC 19795-1, as NIST FRTE reports them): enrolled photos search the gallery
 * that they are in. Without the photo's own person, each answer is a false positive; of a person with several photos, the
 * photo must find the others.
 */
import type { SiteRates } from '../../contracts/calibration.ts';
import type { CompanyId, FaceId } from '../../contracts/ids.ts';
import type { Faces } from '../../storage/faces/faces.ts';
import type { Storage } from '../../storage/index.ts';
import { barsOf } from './component.ts';
import { randomFaces } from './rate.ts';
import type { GalleryPort, PersonCandidate } from '../ports/gallery.ts';
import { UnavailableError, type Platform } from '../ports/machine.ts';
import type { PipelineRegistry } from '../recognition/pipelineRegistry.ts';
import { averageDistance, personDistance } from '../scores/personDistance.ts';
import { DEFAULT_FMR, distanceAtFmr } from '../scores/scores.ts';
import { shareOf } from '../values/share.ts';

/** Searches at most, each of another person; and how many pass through the gallery together. */
const [MAX_SEARCHES, TOGETHER] = [1_000, 50];
/** The thresholds that rates are stated at: false match rates of one comparison. */
const SITE_FMRS = [1e-3, 1e-4, 1e-5, 1e-6] as const;
/** Numbers of enrolled photos that FNIR is stated for; the last stands for more, too. */
const PHOTO_NUMBERS = [1, 2, 3] as const;
/** Decisions that put photos together because they look alike. A name at enrolment does so whatever they look like. */
const BY_LIKENESS: ReadonlySet<string> = new Set(['same', 'choose', 'merge', 'move']);

interface SiteRatePorts extends Pick<Storage, 'duplicateRuns' | 'persons'>, Pick<Platform, 'timer'> {
  faces: Pick<Faces, 'vectors'>;
  recognition: Pick<PipelineRegistry, 'pipelineOf' | 'calibrationOf'>;
  gallery: Pick<GalleryPort, 'searchPersons' | 'size'>;
}

/** One search. Distances on the scale of one photo's; Infinity: further than every threshold that is stated. */
interface Search {
  face: FaceId;
  stranger: PersonCandidate | undefined;
  /** Of the searched person, without the photo that searches; undefined: it has no other photo here. */
  own: { distance: number; photos: number } | undefined;
}

/**
 * @returns counts and shares at each threshold, with 95 % intervals (Wilson): no person is searched for twice, so the searches
 *   count as independent @throws {UnavailableError} the pipeline is not installed
 */
export async function siteRates(ports: SiteRatePorts, company: CompanyId): Promise<SiteRates> {
  const { gallery, persons, recognition } = ports;
  const pipeline = recognition.pipelineOf(company);
  const calibration = recognition.calibrationOf(company, pipeline);
  if (calibration === undefined)
    throw new UnavailableError(`The pipeline ${pipeline} of this company is not installed.`);
  const enrolled = await gallery.size(company, { kind: 'duplicate' });
  const scope = { pipeline, blacklists: [] };
  const sample = await randomFaces(ports, company, scope, enrolled);
  const known = await persons.withAllFaces(company, sample);
  // A random photo of each person.
  const probes = new Map(sample.map((face) => [known.get(face)?.person ?? `face ${face}`, face]));
  const faces = [...probes.values()].slice(0, MAX_SEARCHES);
  const searches: Search[] = [];
  for (let start = 0; start < faces.length; start += TOGETHER) {
    const page = faces.slice(start, start + TOGETHER);
    searches.push(
      ...(await searchPage(ports, {
        company,
        pipeline,
        page,
        reach: distanceAtFmr(calibration, SITE_FMRS[0]),
      })),
    );
    await ports.timer.yield();
  }
  const mated = searches.filter(({ own }) => own !== undefined);
  const standing = await persons.standing(
    company,
    searches.flatMap(({ face, own, stranger }) => ((own ?? stranger) === undefined ? [] : [face])),
  );
  const bars = barsOf(standing, new Map());
  const alike = new Set(
    standing.flatMap(({ kind, faces: named }) =>
      BY_LIKENESS.has(kind) ? named.map(({ face }) => face) : [],
    ),
  );
  const rows = SITE_FMRS.map((fmr) => {
    const threshold = distanceAtFmr(calibration, fmr);
    const alarms = searches.filter(
      ({ stranger }) => stranger !== undefined && stranger.distance <= threshold,
    );
    const missed = (some: readonly Search[]) =>
      shareOf(some.filter(({ own }) => own!.distance > threshold).length, some.length);
    const confirmed = alarms.filter(({ face, stranger }) =>
      stranger!.photos.some((photo) => bars.between(face, photo.faceId) !== undefined),
    );
    return {
      fmr,
      fpir: shareOf(alarms.length, searches.length),
      decidedDifferent: confirmed.length,
      fnir: missed(mated),
      fnirByPhotos: PHOTO_NUMBERS.map((photos) =>
        missed(mated.filter(({ own }) => Math.min(own!.photos, PHOTO_NUMBERS.length) === photos)),
      ),
    };
  });
  const byLikeness = mated.filter(({ face }) => alike.has(face)).length;
  return {
    pipeline,
    enrolled,
    searches: searches.length,
    mated: mated.length,
    byLikeness,
    defaultFmr: DEFAULT_FMR,
    rows,
  };
}

async function searchPage(
  { faces, gallery }: SiteRatePorts,
  {
    company,
    pipeline,
    page,
    reach,
  }: { company: CompanyId; pipeline: SiteRates['pipeline']; page: FaceId[]; reach: number },
): Promise<Search[]> {
  const vectors = await faces.vectors(company, pipeline, page);
  const probes = page.flatMap((face) => {
    const vector = vectors.get(face);
    return vector === undefined ? [] : [{ face, vector }];
  });
  // The searched person is the nearest, at distance 0; the second is the nearest of all others.
  const found = await gallery.searchPersons(
    company,
    probes.map(({ vector }) => ({ pipelineId: pipeline, vector })),
    { watchlists: [{ kind: 'duplicate' }], limit: 2, maxDistance: reach },
  );
  const ownPhotos = found.map((candidates, i) => {
    const isProbe = (photo: { faceId: FaceId }) => photo.faceId === probes[i]!.face;
    const own = candidates.find(({ photos }) => photos.some(isProbe));
    return { own, others: own?.photos.filter((photo) => !isProbe(photo)) ?? [] };
  });
  const needed = ownPhotos.flatMap(({ others }) => others.map(({ faceId }) => faceId));
  const templates = needed.length === 0 ? vectors : await faces.vectors(company, pipeline, needed);
  return probes.map(({ face, vector }, i) => {
    const { own, others } = ownPhotos[i]!;
    const stranger = found[i]!.find((candidate) => candidate !== own);
    if (others.length === 0) return { face, stranger, own: undefined };
    const average = averageDistance(
      vector,
      others.flatMap(({ faceId }) => templates.get(faceId) ?? []),
    );
    const distance = personDistance(others[0]!.distance, average, others.length);
    return { face, stranger, own: { distance, photos: others.length } };
  });
}
