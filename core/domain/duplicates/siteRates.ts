/**
 * Error rates of 1:N identification at this site (ISO/IEC 19795-1, as NIST FRTE reports them): enrolled photos search the gallery
 * that they are in. Without the photo's own person, each answer is a false positive; of a person with several photos, the
 * photo must find the others.
 */
import type { SiteRates } from '../../contracts/calibration.ts';
import type { CompanyId, FaceId, PersonId } from '../../contracts/ids.ts';
import type { Faces } from '../../storage/faces/faces.ts';
import type { Storage } from '../../storage/index.ts';
import { barsOf } from './component.ts';
import { randomFaces } from './rate.ts';
import type { GalleryPort, PersonCandidate } from '../ports/gallery.ts';
import { UnavailableError, type Platform } from '../ports/machine.ts';
import type { PipelineRegistry } from '../recognition/pipelineRegistry.ts';
import { averageDistance, personDistance } from '../scores/personDistance.ts';
import { DEFAULT_FMR, thresholdForSearch, type Calibration } from '../scores/scores.ts';
import { repeatable } from '../calibration/repeatable.ts';
import { withPersons } from '../search/coverage.ts';
import { shareOf } from '../values/share.ts';

/** Searches at most of each kind, each of another person; and how many pass through the gallery together. */
const [MAX_SEARCHES, TOGETHER] = [1_000, 50];
/** Candidates of a search: persons with an identical photo may come before the searched one. */
const CANDIDATES = 20;
/** The thresholds that rates are stated at: false match rates of one comparison. */
const SITE_FMRS = [1e-3, 1e-4, 1e-5, 1e-6] as const;
/** Numbers of enrolled photos that FNIR is stated for; the last stands for more, too. */
const PHOTO_NUMBERS = [1, 2, 3] as const;
/** Decisions that put photos together because they look alike. A name at enrolment does so whatever they look like. */
const BY_LIKENESS: ReadonlySet<string> = new Set(['same', 'choose', 'merge', 'move']);

interface SiteRatePorts
  extends Pick<Storage, 'duplicateRuns' | 'persons' | 'flows'>, Pick<Platform, 'timer'> {
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
  type Key = PersonId | `face ${FaceId}`;
  // A random photo of each person. In a large gallery few of them have others, so some of those who have are searched for, too.
  const anybody = [
    ...new Map(sample.map((face): [Key, FaceId] => [known.get(face)?.person ?? `face ${face}`, face])),
  ].slice(0, MAX_SEARCHES);
  const several = await severalPhotos(persons, company, pipeline);
  const probes = new Map<Key, FaceId>([...several, ...anybody]);
  const faces = [...probes.values()];
  const random = new Set(anybody.map(([, face]) => face));
  const withOthers = new Set([...several.keys()].map((person) => probes.get(person)));
  const chosen = await flowRates({ ...ports, calibration }, company, enrolled);
  const fmrs = [...new Set([...SITE_FMRS, ...chosen.keys()])].sort((one, other) => other - one);
  const distanceAt = (fmr: number) => thresholdForSearch(calibration, fmr, 1).maxDistance;
  const searches: Search[] = [];
  for (let start = 0; start < faces.length; start += TOGETHER) {
    const page = faces.slice(start, start + TOGETHER);
    searches.push(
      ...(await searchPage(ports, {
        company,
        pipeline,
        page,
        reach: distanceAt(fmrs[0]!),
      })),
    );
    await ports.timer.yield();
  }
  const unknown = searches.filter(({ face }) => random.has(face));
  const mated = searches.filter(({ face, own }) => own !== undefined && withOthers.has(face));
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
  const rows = fmrs.map((fmr) => {
    const threshold = distanceAt(fmr);
    const alarms = unknown.filter(({ stranger }) => stranger !== undefined && stranger.distance <= threshold);
    const missed = (some: readonly Search[]) =>
      shareOf(some.filter(({ own }) => own!.distance > threshold).length, some.length);
    const confirmed = alarms.filter(({ face, stranger }) =>
      stranger!.photos.some((photo) => bars.between(face, photo.faceId) !== undefined),
    );
    return {
      fmr,
      flows: chosen.get(fmr) ?? [],
      fpir: shareOf(alarms.length, unknown.length),
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
    searches: unknown.length,
    mated: mated.length,
    byLikeness,
    defaultFmr: DEFAULT_FMR,
    rows,
  };
}

/** The newest photo of random persons with several, at most {@link MAX_SEARCHES}. */
async function severalPhotos(
  persons: SiteRatePorts['persons'],
  company: CompanyId,
  pipeline: SiteRates['pipeline'],
): Promise<Map<PersonId, FaceId>> {
  const all = await persons.newestOfSeveral(company, pipeline);
  const random = repeatable(all.length);
  const drawn = all.map((row) => ({ ...row, at: random() })).sort((one, other) => one.at - other.at);
  return new Map(drawn.slice(0, MAX_SEARCHES).map(({ person, face }) => [person, face]));
}

/** The rates at which published Trust Flows compare enrolled faces, as false match rates of one comparison, with the flows' names. */
async function flowRates(
  {
    flows,
    persons,
    recognition,
    calibration,
  }: Pick<SiteRatePorts, 'flows' | 'persons' | 'recognition'> & { calibration: Calibration },
  company: CompanyId,
  faces: number,
): Promise<Map<number, string[]>> {
  const [enrolled] = await withPersons(persons, company, recognition.pipelineOf(company), [
    { id: null, faces },
  ]);
  const rates = new Map<number, string[]>();
  for (const { name, saved } of await flows.list(company)) {
    if (saved?.duplicateDetection.enabled !== true) continue;
    const { targetFmr, targetFpir } = saved;
    const fmr =
      targetFpir === null
        ? targetFmr
        : thresholdForSearch(calibration, targetFpir, enrolled?.persons ?? faces).fmr;
    rates.set(fmr, [...(rates.get(fmr) ?? []), name]);
  }
  return rates;
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
  // The searched person is at distance 0, beside persons with an identical photo; the first of the others is the nearest.
  const found = await gallery.searchPersons(
    company,
    probes.map(({ vector }) => ({ pipelineId: pipeline, vector })),
    { watchlists: [{ kind: 'duplicate' }], limit: CANDIDATES, maxDistance: reach },
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
