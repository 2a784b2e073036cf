import type { Box, ExtractedFace, ImageFacts } from '../../contracts/faces.ts';
import type { CompanyId, PersonId } from '../../contracts/ids.ts';
import type { PersonCandidate, Watchlist } from '../ports/gallery.ts';
import type { Faces } from '../../storage/faces/faces.ts';
import { PipelineChanged } from '../ports/machine.ts';
import type { Recogniser, SearchAnalysis } from '../ports/recognition.ts';
import { distanceAtFmr } from '../scores/scores.ts';
import type { SearchAnswer } from '../../contracts/dashboard/search.ts';
import type { SignedIn } from '../identity/signInService.ts';
import { hexOf } from '../values/bytes.ts';
import { hasPassed } from '../values/time.ts';
import { makeRoom } from '../work/keptRuns.ts';
import type { Parts } from '../serviceParts.ts';

// The results of searches for as long as an operator may still report on them. They are in memory only, so that the
// service can vouch for the content of a report without storing a searched photo.

/** How long a result can be reported on, milliseconds. */
export const KEPT_FOR = 30 * 60_000;
/** Results that a session can have; its oldest one makes room for another. */
const OF_SESSION = 4;
/** Results of all sessions; the oldest one of the company with most of them makes room. One has about 100 KB and 50 KB more for each face. */
const IN_ALL = 32;

export interface KeptSearch {
  /** The answer that the page received, unchanged. */
  answer: SearchAnswer;
  /** A small JPEG of the searched photo. */
  picture: Uint8Array;
}

interface Entry extends KeptSearch {
  company: CompanyId;
  /** Lowercase hex. */
  session: string;
}

export class KeptSearches {
  /** In the order in which they were kept. */
  readonly #entries = new Map<string, Entry>();

  /** Keeps a result for the session of the operator. */
  keep(operator: SignedIn, kept: KeptSearch): void {
    const session = hexOf(operator.session);
    const own = [...this.#entries].filter(([, entry]) => entry.session === session).map(([id]) => id);
    for (const id of own.slice(0, Math.max(0, own.length + 1 - OF_SESSION))) this.#entries.delete(id);
    this.#entries.set(kept.answer.id, { ...kept, company: operator.companyId, session });
    makeRoom(this.#entries, IN_ALL, (entry) => entry.company);
  }

  /** @returns undefined: there is none of this id for this session, or it has expired */
  find(operator: SignedIn, id: string, now: Date): KeptSearch | undefined {
    this.forgetExpired(now);
    const entry = this.#entries.get(id);
    return entry?.company === operator.companyId && entry.session === hexOf(operator.session)
      ? entry
      : undefined;
  }

  forgetExpired(now: Date): void {
    for (const [id, { answer }] of this.#entries)
      if (hasPassed(Date.parse(answer.expiresAt) - KEPT_FOR, KEPT_FOR, now)) this.#entries.delete(id);
  }
}

/** An enrolled photo of a person who was found. */
type FaceSummary = Awaited<ReturnType<Faces['summaries']>>[number];

export interface FoundPhoto extends FaceSummary {
  /** Null: the face belongs to no person. */
  person: PersonId | null;
  /** Of all photos of the person in the list, nearest first. */
  photoDistances: readonly number[];
  /** Of this photo among them, from 0. */
  place: number;
  /** Of the person, on the scale of a single photo; and of this photo alone. */
  distance: number;
  photoDistance: number;
}

/** A face of the probe image with the photos of the persons nearest to it: by persons and by photos nearest first. */
export interface SearchedFace {
  face: ExtractedFace;
  candidates: FoundPhoto[];
}

export type SearchResult =
  | {
      kind: 'searched';
      image: ImageFacts;
      /** A small JPEG of the upright photo, for people to look at. */
      picture: Uint8Array;
      faces: SearchedFace[];
      /** Heads that are covered or unclear. */
      unclear: readonly Box[];
      /** By which the distances are read. */
      recogniser: Pick<Recogniser, 'pipelineId' | 'calibration'>;
    }
  | Extract<SearchAnalysis, { kind: 'refused' }>;

type SearchPorts = Pick<Parts, 'vision' | 'gallery' | 'faces'>;

interface ImageQuery {
  /** Watchlists that are searched together. The persons of one group never displace those of another. */
  groups: readonly (readonly Watchlist[])[];
  /** Persons per face and group. */
  limit: number;
  /** Persons further away than the distance of this false-match rate are left out; absent: none are. */
  fmr?: number;
}

/** Looks every face of an image up in watchlists of a company. Enrols nothing. */
export async function searchImage(
  ports: SearchPorts,
  company: CompanyId,
  image: Uint8Array,
  query: ImageQuery,
): Promise<SearchResult> {
  try {
    return await searchOnce(ports, company, image, query);
  } catch (error) {
    // The company changed to another pipeline while the image was looked at: it is described by that one.
    if (error instanceof PipelineChanged) return searchOnce(ports, company, image, query);
    throw error;
  }
}

/** Euclidean distance between opposite unit vectors. */
const MAX_DISTANCE = 2;

async function searchOnce(
  ports: SearchPorts,
  company: CompanyId,
  image: Uint8Array,
  { groups, limit, fmr }: ImageQuery,
): Promise<SearchResult> {
  const recogniser = ports.vision.of(company);
  const analysis = await recogniser.search(image, { priority: 'interactive' });
  if (analysis.kind === 'refused') return analysis;
  const maxDistance = fmr === undefined ? MAX_DISTANCE : distanceAtFmr(recogniser.calibration, fmr);
  const probes = analysis.faces.map(({ template }) => template);
  const found = await Promise.all(
    groups.map((watchlists) =>
      ports.gallery.searchPersons(company, probes, { watchlists, limit, maxDistance }),
    ),
  );
  const faces = await Promise.all(
    analysis.faces.map(async (face, i) => ({
      face,
      candidates: await summarise(ports, company, found.flatMap((group) => group[i]!).toSorted(nearestFirst)),
    })),
  );
  const { image: facts, picture, unclear } = analysis;
  return { kind: 'searched', image: facts, picture, faces, unclear, recogniser };
}

/** As the gallery orders them. */
const nearestFirst = (one: PersonCandidate, other: PersonCandidate) =>
  one.distance - other.distance || one.photos[0]!.faceId - other.photos[0]!.faceId;

async function summarise(
  { faces }: SearchPorts,
  company: CompanyId,
  found: readonly PersonCandidate[],
): Promise<FoundPhoto[]> {
  const summaries = await faces.summaries(
    company,
    found.flatMap(({ photos }) => photos.map(({ faceId }) => faceId)),
  );
  const byId = new Map(summaries.map((summary) => [summary.faceId, summary]));
  // A face erased between the two look-ups is no longer a candidate.
  return found.flatMap(({ person, distance, photos }) => {
    const photoDistances = photos.map((photo) => photo.distance);
    return photos.flatMap(({ faceId, distance: photoDistance }, place) => {
      const summary = byId.get(faceId);
      return summary === undefined
        ? []
        : [{ ...summary, person, photoDistances, place, distance, photoDistance }];
    });
  });
}
