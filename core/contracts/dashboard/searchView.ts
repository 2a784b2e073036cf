/**
 * The view of a search result: the threshold, the lists, and whether candidates below the threshold
 * are shown. Plain functions that the page and the report share, so that both show the same candidates.
 */
import { z } from 'zod';
import { comparisonRate } from '../certainty.ts';
import type { SCORE_BANDS } from '../codes.ts';
import type { ScoreInterpretation } from './faceImages.ts';

/** Thresholds that a search offers, as one false match in so many comparisons of different people, or searches of unknown ones. */
export const THRESHOLD_RANGE = { least: 10, most: 1_000_000 } as const;
export const DEFAULT_THRESHOLD = 10_000;
/** The steps with a name, from many false matches to few. */
export const THRESHOLD_STEPS = {
  sensitive: 1_000,
  standard: DEFAULT_THRESHOLD,
  strict: 100_000,
  strictest: 1_000_000,
} as const;
/** Rates that agree to so many parts are equal: they come from the same distance by two ways. */
const SAME_RATE = 1e-9;

export const searchView = z.object({
  /**
   * What `oneIn` counts: comparisons of different people, or searches of people who are in none of the lists. The threshold of
   * the latter follows the number of persons in the lists of the view.
   */
  per: z.enum(['comparison', 'search']).default('comparison'),
  /** The threshold: one false match in so many comparisons, or one false alarm in so many searches. */
  oneIn: z.coerce
    .number()
    .int()
    .min(THRESHOLD_RANGE.least)
    .max(THRESHOLD_RANGE.most)
    .default(DEFAULT_THRESHOLD),
  /** Candidates of these lists only: of duplicate detection, of all blacklists, or of one. */
  list: z
    .union([z.enum(['all', 'watchlist', 'blacklists']), z.coerce.number().int().positive()])
    .default('all'),
  /** Whether candidates below the threshold are shown, too. */
  below: z
    .union([z.boolean(), z.enum(['true', 'false']).transform((text) => text === 'true')])
    .default(false),
});
export type SearchView = z.infer<typeof searchView>;
export const DEFAULT_VIEW: SearchView = {
  per: 'comparison',
  oneIn: DEFAULT_THRESHOLD,
  list: 'all',
  below: false,
};

type Band = (typeof SCORE_BANDS)[number];

/** The facts of a candidate that a view needs: of a photo of a person. */
interface Viewed {
  faceId: number;
  personId: number | null;
  /** Of the photo alone; `falseMatchRate` and `reading` are of the person. */
  photoRate: number;
  /** With the first photo of the person: the rates of those that are not listed. */
  furtherRates: readonly number[];
  watchlist: 'duplicate' | 'blacklist';
  blacklistId: number | null;
  falseMatchRate: number;
  reading: ScoreInterpretation;
}
interface Searched<C extends Viewed> {
  faces: readonly { candidates: readonly C[]; box: { width: number; height: number } }[];
  watchlists: readonly { id: number | null; persons: number }[];
  scale: readonly { falseMatchRate: number; score: number }[];
}

const isListed = ({ list }: SearchView, watchlist: Viewed['watchlist'], id: number | null) =>
  list === 'all' ||
  (typeof list === 'number' ? id === list : (list === 'watchlist') === (watchlist === 'duplicate'));

/** A threshold, and what it keeps. */
interface ViewThreshold {
  /** False match rate of one comparison. */
  rate: number;
  /** Persons in the lists of the view. */
  persons: number;
  /** False alarms to expect for one searched face of a person who is in none of the lists. */
  alarms: number;
  /** A rate per search that was asked for and cannot be kept among so many persons: the rarest rate is used. */
  isOutOfReach: boolean;
}

/** The threshold of a view. Comparisons are taken as independent: 1 − (1 − rate)^persons is the share of searches with an alarm. */
export function thresholdOf(
  { watchlists, scale }: Pick<Searched<Viewed>, 'watchlists' | 'scale'>,
  view: SearchView,
): ViewThreshold {
  const persons = watchlists
    .filter(({ id }) => isListed(view, id === null ? 'duplicate' : 'blacklist', id))
    .reduce((sum, list) => sum + list.persons, 0);
  const rarest = scale.at(-1)?.falseMatchRate ?? 0;
  const wanted = view.per === 'comparison' ? 1 / view.oneIn : comparisonRate(1 / view.oneIn, persons);
  const rate = view.per === 'comparison' ? wanted : Math.max(wanted, rarest);
  return { rate, persons, alarms: persons * rate, isOutOfReach: rate !== wanted };
}

/** The score of a comparison with this false match rate. */
export function scoreAtRate(scale: Searched<Viewed>['scale'], rate: number): number {
  const next = scale.findIndex(({ falseMatchRate }) => falseMatchRate <= rate * (1 + SAME_RATE));
  const [before, after] = [scale[next - 1], scale[next]];
  if (after === undefined) return scale.at(-1)?.score ?? 0;
  if (before === undefined) return after.score;
  const share =
    Math.log(rate / before.falseMatchRate) / Math.log(after.falseMatchRate / before.falseMatchRate);
  return Math.round((before.score + share * (after.score - before.score)) * 100) / 100;
}

/** Reads the scores of candidates, with their bands and their scales, by the threshold of a view. */
export function readerOf<C extends Viewed>(
  answer: Pick<Searched<C>, 'scale' | 'watchlists'>,
  view: SearchView,
): (candidate: C) => ScoreInterpretation {
  const { rate } = thresholdOf(answer, view);
  const possibleFrom = scoreAtRate(answer.scale, rate);
  return ({ falseMatchRate, reading }) => {
    const reaches = falseMatchRate <= rate * (1 + SAME_RATE);
    const band: Band = !reaches ? 'none' : reading.band === 'strong' ? 'strong' : 'possible';
    return { ...reading, band, possibleFrom, strongFrom: Math.max(possibleFrom, reading.strongFrom) };
  };
}

/** A photo of a person in a list. Where it belongs to no person, it is one. */
interface PhotoOf {
  faceId: number;
  personId: number | null;
  /** Of the list; null: the enrolled faces. */
  list: number | string | null;
}
const keyOf = ({ faceId, personId, list }: PhotoOf) =>
  personId === null ? `face ${faceId}` : JSON.stringify([personId, list]);

/** The first photo of each person, but of the person of the chosen photo that one. */
export function firstOfEach<T>(found: readonly T[], of: (one: T) => PhotoOf, chosen?: T): T[] {
  const persons = [...Map.groupBy(found, (one) => keyOf(of(one))).values()];
  return persons.map((photos) => photos.find((photo) => photo === chosen) ?? photos[0]!);
}

export const photoOf = ({
  faceId,
  personId,
  blacklistId,
}: Pick<Viewed, 'faceId' | 'personId' | 'blacklistId'>): PhotoOf => ({ faceId, personId, list: blacklistId });

/** How many photos of the candidate's person reach the threshold by themselves. */
export function agreeingPhotos<C extends Viewed>(
  answer: Pick<Searched<C>, 'scale' | 'watchlists'>,
  { candidates }: { candidates: readonly C[] },
  view: SearchView,
  candidate: C,
): number {
  const key = keyOf(photoOf(candidate));
  const { rate } = thresholdOf(answer, view);
  const rates = candidates
    .filter((each) => keyOf(photoOf(each)) === key)
    .flatMap(({ photoRate, furtherRates }) => [photoRate, ...furtherRates]);
  return rates.filter((each) => each <= (1 + SAME_RATE) * rate).length;
}

/** The candidates of a face that a view shows, most similar first; matches on blacklists before the others. */
export interface ShownCandidates<C> {
  matches: { candidate: C; reading: ScoreInterpretation }[];
  /** Empty unless the view asks for them. */
  below: { candidate: C; reading: ScoreInterpretation }[];
  /** How many persons of the lists are below the threshold, shown or not. */
  belowCount: number;
  /** Every listed candidate reaches the threshold, so that further faces might, too. */
  mayBeMore: boolean;
}

/** @param most persons of each group that the service lists, so that a full list is known to be cut off */
export function shownCandidates<C extends Viewed>(
  answer: Searched<C>,
  face: { candidates: readonly C[] },
  view: SearchView,
  most: number,
): ShownCandidates<C> {
  const readingOf = readerOf(answer, view);
  const read = face.candidates.map((candidate) => ({ candidate, reading: readingOf(candidate) }));
  const listed = read.filter(({ candidate }) => isListed(view, candidate.watchlist, candidate.blacklistId));
  const below = listed.filter(({ reading }) => reading.band === 'none');
  const isFull = (watchlist: Viewed['watchlist']) => {
    const group = firstOfEach(
      read.filter(({ candidate }) => candidate.watchlist === watchlist),
      ({ candidate }) => photoOf(candidate),
    );
    return group.length >= most && group.every(({ reading }) => reading.band !== 'none');
  };
  return {
    matches: listed
      .filter(({ reading }) => reading.band !== 'none')
      .sort((one, other) => onBlacklist(other) - onBlacklist(one)),
    below: view.below ? below : [],
    belowCount: firstOfEach(below, ({ candidate }) => photoOf(candidate)).length,
    mayBeMore: (['duplicate', 'blacklist'] as const).some(
      (watchlist) => listed.some(({ candidate }) => candidate.watchlist === watchlist) && isFull(watchlist),
    ),
  };
}

/** The match that marks a face. */
export interface BestMatch<C> {
  candidate: C;
  reading: ScoreInterpretation;
}

/**
 * The match that a face is marked with: the most similar one on a blacklist, else the most similar one. A blacklist is
 * never hidden by a more similar face of the watchlist. @returns null: no match
 */
export function bestMatch<C extends Viewed>(
  answer: Searched<C>,
  face: { candidates: readonly C[] },
  view: SearchView,
): BestMatch<C> | null {
  return shownCandidates(answer, face, view, Infinity).matches[0] ?? null;
}

/** The band of the most similar match of a face. */
export function bestBand<C extends Viewed>(
  answer: Searched<C>,
  face: { candidates: readonly C[] },
  view: SearchView,
): Band {
  const { matches } = shownCandidates(answer, face, view, Infinity);
  return (
    matches.find(({ reading }) => reading.band === 'strong')?.reading.band ??
    matches[0]?.reading.band ??
    'none'
  );
}

const onBlacklist = ({ candidate }: { candidate: Viewed }) => Number(candidate.watchlist === 'blacklist');

/** A blacklist before the watchlist, and of one kind of list strong before possible. */
const weight = ({ candidate, reading }: BestMatch<Viewed>) =>
  2 * onBlacklist({ candidate }) + (reading.band === 'strong' ? 1 : 0);

/** The face to open first: that of the most important match, then the largest. @returns its position; -1: no faces */
export function mostImportantFace<C extends Viewed>(answer: Searched<C>, view: SearchView): number {
  const ranked = answer.faces.map((face, index) => {
    const { matches } = shownCandidates(answer, face, view, Infinity);
    const rank = Math.max(-1, ...matches.map(weight));
    return { index, rank, size: face.box.width * face.box.height };
  });
  ranked.sort((one, other) => other.rank - one.rank || other.size - one.size);
  return ranked[0]?.index ?? -1;
}

/** How many faces of the photo match a blacklist, only the watchlist, or no face. */
export function countMatches<C extends Viewed>(answer: Searched<C>, view: SearchView) {
  const counts = { faces: answer.faces.length, blacklist: 0, watchlist: 0, none: 0 };
  for (const face of answer.faces) {
    const { matches } = shownCandidates(answer, face, view, Infinity);
    if (matches.length === 0) counts.none++;
    else if (matches.some(({ candidate }) => candidate.watchlist === 'blacklist')) counts.blacklist++;
    else counts.watchlist++;
  }
  return counts;
}
