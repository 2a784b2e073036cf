/** Screening the selfies of a verification: against exactly the chosen watchlists, once. */
import {
  BLACKLIST_STATUS,
  TRUST_VALIDATION_STATUS,
  type TrustValidationStatus,
} from '../../contracts/codes.ts';
import { blacklistThreshold, type FlowSettings, type HitAction } from '../../contracts/flows.ts';
import { trusted, type CompanyId, type FaceId } from '../../contracts/ids.ts';
import type { ScreeningFacts } from '../../contracts/validations.ts';
import type { GalleryEntry, PersonCandidate, Watchlist } from '../ports/gallery.ts';
import { withPersons } from '../search/coverage.ts';
import { PERSON_REACH } from '../scores/personDistance.ts';
import type { RecognitionPort } from '../ports/recognition.ts';
import type { Template } from '../../contracts/faces.ts';
import { photosOf, wideningOf, type Probe } from './probes.ts';
import {
  matchBandOf,
  SAME_PICTURE,
  distanceAtFmr,
  similarityScore,
  thresholdForSearch,
  type Calibration,
  distanceOf,
} from '../scores/scores.ts';
import type { FlowVersion, MatchRecord } from '../ports/screening.ts';
import type { Blacklist, Blacklists } from '../../storage/screening/blacklists.ts';
import type { Company } from '../ports/auditContext.ts';
import type { Parts } from '../serviceParts.ts';

/** How many persons of one watchlist are kept: the best. */
const KEPT_PER_BLACKLIST = 10;
const KEPT_DUPLICATES = 20;
/** Of each the nearest photo, and further ones that are near enough by themselves, up to so many. */
const KEPT_PHOTOS = 10;

export interface ScreenPorts extends Pick<Parts, 'blacklists' | 'gallery' | 'faces' | 'persons' | 'clock'> {
  vision: Pick<RecognitionPort, 'of'>;
}

/**
 * @param probes of every accepted selfie of the verification
 * @returns matches of each watchlist nearest first, each person once with the probe that is nearest to it, and what was compared
 */
export async function screen(
  ports: ScreenPorts,
  company: Company,
  probes: readonly Probe[],
  version: FlowVersion,
): Promise<{ matches: MatchRecord[]; facts: ScreeningFacts }> {
  const { settings } = version;
  // Before the comparisons: a face whose time ends during them did match at this time or does not appear.
  const screenedAt = ports.clock.now().toISOString();
  const { chosen, notScreened } = await chooseBlacklists(ports.blacklists, company, version);
  const { pipelineId, calibration } = ports.vision.of(company.id);
  const watchlists: (Blacklist | null)[] = settings.duplicateDetection.enabled ? [null, ...chosen] : chosen;
  const matches: MatchRecord[] = [];
  const perSearch: PerSearch[] = [];
  for (const blacklist of watchlists) {
    const threshold = await thresholdOf(ports, company.id, settings, blacklist);
    if ('persons' in threshold) perSearch.push(threshold);
    const found: MatchRecord[] = [];
    for (const probe of probes)
      found.push(...(await look(ports, company, probe, blacklist, threshold.maxDistance)));
    matches.push(...nearestOfEach(found));
  }
  const fixed = (targetFmr: number) => ({ targetFmr, maxDistance: distanceAtFmr(calibration, targetFmr) });
  const [enrolled] = perSearch.filter(({ blacklistId }) => blacklistId === null);
  const [widest] = perSearch
    .filter(({ blacklistId }) => blacklistId !== null)
    .toSorted((a, b) => b.targetFmr - a.targetFmr);
  const ofEnrolled = enrolled ?? fixed(settings.targetFmr);
  // Lists without an entry in `perSearch` are read by these facts.
  const hasFixed = chosen.some(({ id }) => blacklistThreshold(settings, id).targetFpir === null);
  const ofBlacklists =
    widest === undefined || hasFixed ? fixed(blacklistThreshold(settings).targetFmr) : widest;
  const facts: ScreeningFacts = {
    screenedAt,
    duplicateDetection: settings.duplicateDetection.enabled,
    blacklists: chosen.map(({ id, name }) => ({ blacklistId: id, blacklistName: name })),
    notScreened,
    targetFmr: ofEnrolled.targetFmr,
    maxDistance: ofEnrolled.maxDistance,
    blacklistTargetFmr: ofBlacklists.targetFmr,
    blacklistMaxDistance: ofBlacklists.maxDistance,
    pipelineId,
    selfies: probes.reduce((sum, probe) => sum + photosOf(probe), 0),
    ...(perSearch.length > 0 && { perSearch }),
  };
  return { matches, facts };
}

type PerSearch = NonNullable<ScreeningFacts['perSearch']>[number];

/**
 * The threshold of a watchlist as it is now: fixed, or for its persons by the rate of false alarms that the flow has for a search.
 * @param blacklist null: the duplicate-detection watchlist
 */
async function thresholdOf(
  ports: ScreenPorts,
  company: CompanyId,
  settings: FlowSettings,
  blacklist: Blacklist | null,
): Promise<PerSearch | { maxDistance: number }> {
  const { calibration, pipelineId } = ports.vision.of(company);
  const { targetFmr, targetFpir } =
    blacklist === null ? settings : blacklistThreshold(settings, blacklist.id);
  if (targetFpir === null) return { maxDistance: distanceAtFmr(calibration, targetFmr) };
  const faces = await ports.gallery.size(company, watchlistOf(blacklist));
  const list = { id: blacklist?.id ?? null, faces };
  const [{ persons } = { persons: faces }] = await withPersons(ports.persons, company, pipelineId, [list]);
  const { fmr, maxDistance, keptRate } = thresholdForSearch(calibration, targetFpir, persons);
  const blacklistId = blacklist?.id ?? null;
  return { blacklistId, persons, targetFpir, keptFpir: keptRate, targetFmr: fmr, maxDistance };
}

/** @param blacklist null: the duplicate-detection watchlist */
function watchlistOf(blacklist: Blacklist | null): Watchlist {
  return blacklist === null ? { kind: 'duplicate' } : { kind: 'blacklist', blacklistId: blacklist.id };
}

const listOf = (watchlist: Watchlist) => (watchlist.kind === 'blacklist' ? watchlist.blacklistId : null);

/** Matches of one watchlist, nearest first, each person once. */
function nearestOfEach(matches: readonly MatchRecord[]): MatchRecord[] {
  const probes = new Map<string, FaceId>();
  return matches
    .toSorted((a, b) => a.distance - b.distance)
    .filter(({ person, faceId, probeFaceId }) => {
      const key = person.id === null ? `face ${faceId}` : `person ${person.id}`;
      if (!probes.has(key)) probes.set(key, probeFaceId);
      return probes.get(key) === probeFaceId;
    });
}

/** Searches the probe among the faces that the company enrolled before. */
export async function screenDuplicates(
  ports: ScreenPorts,
  company: Company,
  probe: Probe,
  settings: FlowSettings,
): Promise<MatchRecord[]> {
  const { maxDistance } = await thresholdOf(ports, company.id, settings, null);
  return look(ports, company, probe, null, maxDistance);
}

/** @param blacklist null: the duplicate-detection watchlist */
async function look(
  ports: ScreenPorts,
  company: Company,
  probe: Probe,
  blacklist: Blacklist | null,
  maxDistance: number,
): Promise<MatchRecord[]> {
  const { calibration } = ports.vision.of(company.id);
  const search = {
    watchlists: [watchlistOf(blacklist)],
    limit: blacklist === null ? KEPT_DUPLICATES : KEPT_PER_BLACKLIST,
    except: new Set([probe.faceId]),
  };
  const widened = wideningOf(probe);
  const within = { ...search, maxDistance: maxDistance / widened };
  const [found = []] = await ports.gallery.searchPersons(company.id, [probe.template], within);
  const copies = await copiesOf(ports, company.id, probe.photos ?? [], search);
  const known = new Set(found.map(keyOf));
  const persons = found.map((person) => ({
    ...person,
    // A copy of one photo of the probe stays a copy, however far its other photos take the average away.
    distance: Math.min(widened * person.distance, copies.persons.get(keyOf(person))?.distance ?? Infinity),
    photos: person.photos
      .map(({ faceId, distance }) => ({ faceId, distance: copies.faces.get(faceId) ?? widened * distance }))
      .toSorted((a, b) => a.distance - b.distance),
  }));
  const copied = [...copies.persons.values()].filter((person) => !known.has(keyOf(person)));
  const kept = [...persons, ...copied].toSorted((a, b) => a.distance - b.distance).slice(0, search.limit);
  return describe(ports, company.id, kept, { blacklist, calibration, probe, maxDistance });
}

/** A face that belongs to no person is one. */
const keyOf = ({ person, photos }: PersonCandidate) => person ?? `face ${photos[0]?.faceId}`;

/** The enrolled faces of which a photo of the probe is probably a copy, with the distance to it, and the persons who have them. */
async function copiesOf(
  { gallery }: Pick<ScreenPorts, 'gallery'>,
  company: CompanyId,
  photos: readonly Template[],
  search: Omit<Parameters<ScreenPorts['gallery']['searchPersons']>[2], 'maxDistance'>,
): Promise<{ faces: Map<FaceId, number>; persons: Map<ReturnType<typeof keyOf>, PersonCandidate> }> {
  const faces = new Map<FaceId, number>();
  const persons = new Map<ReturnType<typeof keyOf>, PersonCandidate>();
  if (photos.length === 0) return { faces, persons };
  // A person with several photos is a little further away than its nearest one.
  const within = { ...search, maxDistance: 2 * SAME_PICTURE };
  for (const found of await gallery.searchPersons(company, photos, within))
    for (const person of found) {
      const copies = person.photos.filter(({ distance }) => distance <= SAME_PICTURE);
      for (const { faceId, distance } of copies)
        faces.set(faceId, Math.min(distance, faces.get(faceId) ?? Infinity));
      const isNearer = person.distance < (persons.get(keyOf(person))?.distance ?? Infinity);
      if (copies.length > 0 && isNearer) persons.set(keyOf(person), person);
    }
  return { faces, persons };
}

/** Rejected outranks Review Needed, which outranks Verified. */
export function statusAfter(settings: FlowSettings, matches: readonly MatchRecord[]): TrustValidationStatus {
  const actions = new Set<HitAction>();
  if (matches.some(({ kind }) => kind === 'duplicate')) actions.add(settings.duplicateDetection.action);
  if (matches.some(({ kind }) => kind === 'blacklist')) actions.add(settings.blacklistDetection.action);
  if (actions.has('reject')) return TRUST_VALIDATION_STATUS.Rejected;
  if (actions.has('review')) return TRUST_VALIDATION_STATUS.ReviewNeeded;
  return TRUST_VALIDATION_STATUS.Verified;
}

/**
 * A blacklist that the flow chose may be deleted or inactive by now. Then it is not screened, and the result states it.
 */
async function chooseBlacklists(
  blacklists: Blacklists,
  company: Company,
  { settings, blacklistNames }: FlowVersion,
): Promise<{ chosen: Blacklist[]; notScreened: ScreeningFacts['notScreened'] }> {
  const chosen: Blacklist[] = [];
  const notScreened: ScreeningFacts['notScreened'] = [];
  if (!settings.blacklistDetection.enabled) return { chosen, notScreened };
  for (const id of settings.blacklistDetection.blacklistIds) {
    const blacklist = await blacklists.find(company.id, trusted.blacklist(id));
    const reason = reasonNotToScreen(company, blacklist);
    if (blacklist !== undefined && reason === undefined) chosen.push(blacklist);
    else
      notScreened.push({
        blacklistId: id,
        blacklistName: blacklist?.name ?? blacklistNames[String(id)] ?? null,
        reason: reason ?? 'deleted',
      });
  }
  return { chosen, notScreened };
}

function reasonNotToScreen(
  company: Company,
  blacklist: Blacklist | undefined,
): 'disabled' | 'deleted' | 'inactive' | undefined {
  if (!company.settings.blacklistsEnabled) return 'disabled';
  if (blacklist === undefined) return 'deleted';
  return blacklist.status === BLACKLIST_STATUS.Active ? undefined : 'inactive';
}

async function describe(
  ports: ScreenPorts,
  company: CompanyId,
  persons: readonly PersonCandidate[],
  {
    blacklist,
    calibration,
    probe,
    maxDistance,
  }: { blacklist: Blacklist | null; calibration: Calibration; probe: Probe; maxDistance: number },
): Promise<MatchRecord[]> {
  const found = persons.flatMap(({ photos, ...person }) => {
    const agreeing = photos.filter(({ distance }) => distance <= maxDistance).length;
    const kept = photos.slice(0, Math.min(KEPT_PHOTOS, Math.max(1, agreeing)));
    return kept.map((photo) => ({ ...photo, ...person, photo, photos: photos.length, agreeing }));
  });
  const summaries = await ports.faces.summaries(
    company,
    found.map(({ faceId }) => faceId),
  );
  const byId = new Map(summaries.map((summary) => [summary.faceId, summary]));
  return found.flatMap(({ faceId, distance, person, photo, photos, agreeing }) => {
    const summary = byId.get(faceId);
    if (summary === undefined) return [];
    return {
      person: {
        id: person,
        photos,
        agreeing,
        photoSimilarityScore: similarityScore(calibration, photo.distance),
        samePicture: photo.distance <= SAME_PICTURE,
      },
      photoDistance: photo.distance,
      kind: blacklist === null ? 'duplicate' : 'blacklist',
      blacklist: blacklist && { id: blacklist.id, name: blacklist.name },
      faceId,
      probeFaceId: probe.faceId,
      matchedValidationId: summary.trustValidationId,
      fullName: summary.name,
      distance,
      score: similarityScore(calibration, distance),
      band: matchBandOf(calibration, distance),
      enrolledAt: summary.enrolledAt,
      listing: summary.listing,
    } satisfies MatchRecord;
  });
}

/** More than the roundings of two ways to sum a distance can differ by: a face this near is screened once more. */
const SLACK = 1e-9;

interface Screened {
  probes: readonly Probe[];
  facts: ScreeningFacts;
  matches: readonly MatchRecord[];
}

/**
 * Whether a screening would have the same matches now.
 * @param changed the faces that were changed since the screening began, as they match now; undefined: that is not known
 */
export function isUnchanged(
  { probes, facts, matches }: Screened,
  changed: ReadonlyMap<FaceId, GalleryEntry | undefined> | undefined,
): boolean {
  if (changed === undefined) return false;
  const own = new Set(probes.map(({ faceId }) => faceId));
  const matched = new Set(matches.map(({ faceId }) => faceId));
  const lists = new Set(facts.blacklists.map(({ blacklistId }) => blacklistId));
  const farthest = (watchlist: Watchlist) =>
    facts.perSearch?.find(({ blacklistId }) => blacklistId === listOf(watchlist))?.maxDistance ??
    (watchlist.kind === 'duplicate' ? facts.maxDistance : facts.blacklistMaxDistance);
  const isNear = ({ watchlist, template }: GalleryEntry) =>
    (watchlist.kind === 'duplicate' ? facts.duplicateDetection : lists.has(watchlist.blacklistId)) &&
    probes.some(
      (probe) =>
        distanceOf(probe.template.vector, template.vector) <= PERSON_REACH * farthest(watchlist) + SLACK ||
        probe.photos?.some(({ vector }) => distanceOf(vector, template.vector) <= SAME_PICTURE + SLACK),
    );
  return [...changed].every(
    ([face, entry]) => own.has(face) || !(matched.has(face) || (entry !== undefined && isNear(entry))),
  );
}
