/** Searches of the made-up site: one face, several, none, or a photo that is refused. */
import {
  searchAnswer,
  searchHistory,
  searchReportRequest,
  type SearchCandidate,
  type SearchedFace,
} from '../../core/contracts/dashboard/search.ts';
import { expectation, type Expectation } from '../../core/contracts/expectation.ts';
import { searchView } from '../../core/contracts/dashboard/searchView.ts';
import { drawPhoto } from './drawnFaces.ts';
import { at, BLACKLISTS, GALLERY_SIZE, personName, faceImageOf, readingOf } from './fixtures.ts';
import { newListing } from '../../core/contracts/faceListing.ts';

/** A drawn photo, pixels. */
const PHOTO = { width: 600, height: 760 };
/** The people of the group photo: each stands beside the one before. */
const GROUP = [
  [33, 1],
  [45, 1],
  [21, 2],
] as const;
const SEARCH = '5b1f3c52-0a35-4bb2-9d5c-6f1f5c2a7e01';

/** A photo of three people, as SVG. */
export function drawnGroup(): string {
  const people = GROUP.map(([person, photo], index) =>
    drawPhoto(person, photo).svg.replace('<svg', `<svg x="${index * PHOTO.width}"`),
  );
  const width = GROUP.length * PHOTO.width;
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${PHOTO.height}">${people.join('')}</svg>`;
}

/** Where a photo of one person has its face. */
const HERE = { x: 0, y: 0 };

/** As the scale of the fixture has it. */
function rateOf(score: number): number {
  return Math.max(1e-6, 10 ** (score >= 70 ? -4 - (score - 70) / 7.5 : -2 - (score - 50) / 10));
}

function candidateOf(score: number, n: number, isListed: boolean): SearchCandidate {
  const person = n === 0 ? 21 : 21 + n * 6;
  const list = BLACKLISTS.find(({ name }) => name === 'Document fraud');
  return {
    faceId: 800 + n,
    personId: n === 0 ? 21 : null,
    photos: 1,
    photoRate: rateOf(score),
    furtherRates: [],
    photoScore: score,
    samePicture: false,
    name: personName(person),
    watchlist: isListed ? 'blacklist' : 'duplicate',
    blacklistId: isListed ? (list?.id ?? null) : null,
    blacklistName: isListed ? (list?.name ?? null) : null,
    trustValidationId: isListed ? null : 239_979 - n,
    listing: isListed ? newListing({ severity: 'stop', reason: 'Refused entry after a forged visa' }) : null,
    falseMatchRate: rateOf(score),
    reading: readingOf(score),
    faceImage: { ...faceImageOf(person, n), person: n === 0 ? { id: 21, name: personName(21) } : null },
  };
}

function faceOf(
  [person, photo]: readonly [number, number],
  { x: dx, y: dy }: { x: number; y: number },
  candidates: SearchCandidate[],
): SearchedFace {
  const drawn = drawPhoto(person, photo);
  const moved = ({ x, y }: { x: number; y: number }) => ({ x: x + dx, y: y + dy });
  return {
    box: { ...drawn.box, ...moved(drawn.box) },
    eyes: [moved(drawn.eyes[0]), moved(drawn.eyes[1])],
    quality: 81,
    thumbnail: `data:image/svg+xml;base64,${Buffer.from(drawn.thumbnail).toString('base64')}`,
    candidates,
  };
}

const BELOW = [64.4, 61.2, 58.9, 52.3];
const below = (first: number) => BELOW.map((score, n) => candidateOf(score, first + n, n === 1));

function facesOf(kind: 'some' | 'none' | 'group'): SearchedFace[] {
  const [, , main] = GROUP;
  const matches = [92.3, 81.2, 73.8, 71.1].map((score, n) => candidateOf(score, n, n % 2 === 1));
  if (kind === 'some') return [faceOf(main, HERE, [...matches, ...below(4)])];
  // One face of two, so that the answer for one is not that for the photo.
  if (kind === 'none') return [faceOf(main, HERE, below(4)), faceOf(main, { x: -180, y: 120 }, [])];
  const beside = (index: number, candidates: SearchedFace['candidates']) => {
    const [person, photo] = GROUP[index] ?? main;
    return faceOf([person, photo], { x: index * PHOTO.width, y: 0 }, candidates);
  };
  const barred = candidateOf(92.3, 0, true);
  return [
    beside(0, below(4)),
    beside(1, [candidateOf(77.5, 2, false), ...below(8)]),
    beside(2, [barred, ...below(12)]),
  ];
}

/** The use of four weeks, or of a new company that has hardly begun. */
function recentUse(isNew: boolean): Expectation {
  const shares = [0.97, 0.99, 0.995].map((share, i) => ({
    photos: i + 1,
    share,
    low: share - 0.01,
    high: share + 0.004,
  }));
  const rows = [1e-3, 1e-8].map((falseMatchRate) => ({ falseMatchRate, found: shares }));
  return expectation.parse({
    weeks: isNew ? 0.5 : 4,
    searches: isNew ? 2 : 1_240,
    verifications: isNew ? [] : [{ flow: 7, number: 18_400 }],
    found: isNew ? null : { people: 299, rows },
  });
}

/** The part of the mock server that a search reads and writes. */
interface SearchSite {
  behaviour: {
    rows: number;
    candidates: 'some' | 'none' | 'group' | 'refused' | 'other-person';
    searchExpired: boolean;
  };
  searches: unknown[];
}

export function answerSearch(
  { behaviour, searches }: SearchSite,
  route: string,
  body: Buffer,
): [status: number, body: unknown] | undefined {
  if (route === 'GET /search/expectation') return [200, recentUse(behaviour.rows === 0)];
  if (route === 'GET /search/history') return [200, history(behaviour.rows === 0)];
  if (route === `PUT /search/${SEARCH}/view` || route === `POST /search/${SEARCH}/report`) {
    if (behaviour.searchExpired) return [410, { success: false, code: 'SEARCH_EXPIRED', parameters: {} }];
    const isView = route.startsWith('PUT');
    searches.push((isView ? searchView : searchReportRequest).parse(JSON.parse(body.toString())));
    return isView ? [204, null] : [200, {}];
  }
  if (route !== 'POST /search') return undefined;
  const kind = behaviour.candidates === 'other-person' ? 'none' : behaviour.candidates;
  const width = kind === 'group' ? GROUP.length * PHOTO.width : PHOTO.width;
  const frame = {
    id: SEARCH,
    at: at(0),
    expiresAt: at(30),
    sha256: 'a7'.repeat(32),
    searchedFaces: GALLERY_SIZE,
    watchlists: [
      { id: null, name: null, faces: 60_000, persons: 58_900 },
      ...BLACKLISTS.slice(0, 3).map(({ id, name }, n) => ({
        ...{ id, name },
        ...(n === 0 ? { faces: 38_000, persons: 37_500 } : { faces: 1_000, persons: 1_000 }),
      })),
    ],
    pipelineId: 'vouch-face-1',
    scale: [
      { falseMatchRate: 0.5, score: 20 },
      { falseMatchRate: 1e-2, score: 50 },
      { falseMatchRate: 1e-4, score: 70 },
      { falseMatchRate: 1e-6, score: 85 },
    ],
  };
  const answer =
    kind === 'refused'
      ? { ...frame, refused: 'NO_FACE', width: null, height: null, faces: [], unclear: [] }
      : { ...frame, refused: null, width, height: PHOTO.height, faces: facesOf(kind), unclear: [] };
  return [200, searchAnswer.parse(answer)];
}

function history(isEmpty: boolean): unknown {
  const bands = ['strong', 'none', 'possible', null] as const;
  return searchHistory.parse({
    items: isEmpty
      ? []
      : bands.map((band, n) => ({
          sequence: 900 - n,
          at: at(-n * 90),
          operator: n === 3 ? 'local-admin' : 'Maren Holt',
          watchlists: 4,
          compared: GALLERY_SIZE,
          found: band === null ? null : n + 1,
          band,
          oneIn: band === null ? null : 10_000,
        })),
  });
}
