/** The view of a search result, which page and report share. */
import { test } from 'node:test';
import assert from 'node:assert/strict';
import {
  agreeingPhotos,
  bestMatch,
  countMatches,
  DEFAULT_VIEW,
  firstOfEach,
  mostImportantFace,
  photoOf,
  scoreAtRate,
  shownCandidates,
  thresholdOf,
} from '../../contracts/dashboard/searchView.ts';
import {
  distanceAtFmr,
  fmrAtDistance,
  scoreScale,
  searchedRate,
  similarityScore,
  thresholdForSearch,
  type Calibration,
} from '../scores/scores.ts';

/** Measured by a company: none of its points but the last is a corner of the score. */
const CALIBRATION: Calibration = {
  points: [
    { fmr: 0.3, distance: 0.81 },
    { fmr: 0.02, distance: 0.7 },
    { fmr: 3e-4, distance: 0.6 },
    { fmr: 1e-6, distance: 0.5 },
  ],
};
const scale = scoreScale(CALIBRATION);

let lastFace = 0;
const candidate = (distance: number, blacklistId: number | null) => {
  const possible = distanceAtFmr(CALIBRATION, 1e-4);
  const band =
    distance <= 0.5 ? ('strong' as const) : distance <= possible ? ('possible' as const) : ('none' as const);
  return {
    faceId: ++lastFace,
    personId: null as number | null,
    photoRate: fmrAtDistance(CALIBRATION, distance),
    furtherRates: [] as number[],
    watchlist: blacklistId === null ? ('duplicate' as const) : ('blacklist' as const),
    blacklistId,
    falseMatchRate: searchedRate(CALIBRATION, distance),
    reading: {
      score: similarityScore(CALIBRATION, distance),
      band,
      possibleFrom: 70,
      strongFrom: 85,
      oneIn: null,
      beyondMeasured: false,
      gallerySize: 1,
    },
  };
};
const STRONG = 0.45;
const POSSIBLE = 0.55;
const BELOW = 0.65;
const face = (side: number, ...candidates: ReturnType<typeof candidate>[]) => ({
  box: { width: side, height: side },
  candidates,
});
const answerOf = (...faces: ReturnType<typeof face>[]) => ({
  faces,
  scale,
  watchlists: [
    { id: null, persons: 9_000 },
    { id: 7, persons: 600 },
    { id: 8, persons: 400 },
  ],
});

test('the score of a threshold is that of the distance of its rate', () => {
  for (const oneIn of [10, 137, 1_000, 2_500, 10_000, 77_000, 1_000_000]) {
    const expected = similarityScore(CALIBRATION, distanceAtFmr(CALIBRATION, 1 / oneIn));
    assert.ok(Math.abs(scoreAtRate(scale, 1 / oneIn) - expected) <= 0.011, `1 in ${oneIn}`);
  }
});

test('a face is marked by its blacklist match, and the most important face comes first', () => {
  const hidden = face(50, candidate(STRONG, null), candidate(POSSIBLE, 7));
  const answer = answerOf(
    ...[face(900), face(90, candidate(POSSIBLE, 7)), face(100, candidate(STRONG, null)), hidden],
    ...[face(10, candidate(STRONG, 8)), face(20, candidate(STRONG, 8))],
  );
  assert.equal(bestMatch(answer, hidden, DEFAULT_VIEW)?.candidate.blacklistId, 7);
  assert.deepEqual(countMatches(answer, DEFAULT_VIEW), { faces: 6, blacklist: 4, watchlist: 1, none: 1 });
  const opened: number[] = [];
  for (let left = [...answer.faces]; left.length > 0;) {
    const next = left[mostImportantFace({ ...answer, faces: left }, DEFAULT_VIEW)];
    assert.ok(next !== undefined);
    opened.push(next.box.width);
    left = left.filter((each) => each !== next);
  }
  assert.deepEqual(opened, [20, 10, 90, 50, 100, 900]);
  assert.equal(mostImportantFace(answerOf(), DEFAULT_VIEW), -1);
});

test('threshold and lists choose the candidates, and those below are asked for', () => {
  const of = face(
    1,
    candidate(STRONG, null),
    candidate(POSSIBLE, 7),
    candidate(BELOW, 8),
    candidate(BELOW, null),
  );
  const shown = (view: object, most = 50) => {
    const { matches, below, belowCount, mayBeMore } = shownCandidates(
      answerOf(of),
      of,
      { ...DEFAULT_VIEW, ...view },
      most,
    );
    return [matches.map(({ reading }) => reading.band), below.length, belowCount, mayBeMore];
  };
  assert.deepEqual(shown({}), [['possible', 'strong'], 0, 2, false]);
  assert.deepEqual(shown({ below: true }), [['possible', 'strong'], 2, 2, false]);
  assert.deepEqual(shown({ oneIn: 1_000_000 }), [['strong'], 0, 3, false]);
  assert.deepEqual(shown({ oneIn: 100 }), [['possible', 'possible', 'strong', 'possible'], 0, 0, false]);
  assert.deepEqual(shown({ oneIn: 100, list: 8 }), [['possible'], 0, 0, false]);
  assert.deepEqual(shown({ list: 'watchlist', below: true }), [['strong'], 1, 1, false]);
  assert.deepEqual(shown({ list: 'blacklists' }), [['possible'], 0, 1, false]);
  // Two of each group are listed at most, and all of them match: the service may have left some out.
  assert.deepEqual(shown({ oneIn: 100 }, 2).at(-1), true);
  assert.deepEqual(shown({}, 2).at(-1), false);
});

test('expected false matches follow from the threshold and the persons of the lists', () => {
  const expected = (view: object) => thresholdOf(answerOf(), { ...DEFAULT_VIEW, ...view }).alarms;
  assert.equal(expected({}), 1);
  assert.equal(expected({ list: 'watchlist' }), 0.9);
  assert.equal(expected({ list: 'blacklists', oneIn: 100 }), 10);
  assert.equal(expected({ list: 8, oneIn: 100 }), 4);
});

test('a rate per search follows the persons, down to where the law ends', () => {
  const of = (view: object) => thresholdOf(answerOf(), { ...DEFAULT_VIEW, per: 'search', ...view });
  // 1 − (1 − rate)^persons is the share of searches with an alarm.
  for (const [list, persons] of [
    ['all', 10_000],
    ['watchlist', 9_000],
    [8, 400],
  ] as const) {
    const { rate, ...found } = of({ oneIn: 100, list });
    assert.deepEqual([found.persons, found.isOutOfReach], [persons, false]);
    assert.ok(Math.abs((1 - (1 - rate) ** persons) / 0.01 - 1) < 1e-6, `${list}`);
  }
  const { rate, alarms, isOutOfReach } = of({ oneIn: 100_000 });
  assert.ok(Math.abs(rate / 1e-8 - 1) < 1e-9 && Math.abs(alarms / 1e-4 - 1) < 1e-9);
  assert.equal(isOutOfReach, true);
  // Beyond the table the scale states the score of the threshold that a screening uses.
  for (const oneIn of [100, 1_000, 2_000, 7_000]) {
    const { maxDistance } = thresholdForSearch(CALIBRATION, 1 / oneIn, 10_000);
    const [nearer, farther] = [maxDistance - 1e-6, maxDistance + 1e-6].map((at) => candidate(at, null));
    const searched = face(1, nearer!, farther!);
    const shown = shownCandidates(
      answerOf(searched),
      searched,
      { ...DEFAULT_VIEW, per: 'search', oneIn },
      50,
    );
    assert.deepEqual(
      shown.matches.map((match) => match.candidate),
      [nearer],
      `1 in ${oneIn}`,
    );
    const difference = scoreAtRate(scale, of({ oneIn }).rate) - similarityScore(CALIBRATION, maxDistance);
    assert.ok(Math.abs(difference) <= 0.011, `1 in ${oneIn}: ${difference}`);
  }
});

test('a person is listed once per list, with the number of photos that agree', () => {
  const photo = (alone: number, blacklistId: number | null) => ({
    ...candidate(STRONG, blacklistId),
    personId: 4,
    photoRate: fmrAtDistance(CALIBRATION, alone),
    furtherRates: [],
  });
  const [nearest, agrees, apart] = [photo(STRONG, 7), photo(POSSIBLE, 7), photo(BELOW, 7)];
  const others = [photo(STRONG, null), candidate(STRONG, 7), candidate(BELOW, 7)];
  const searched = face(1, nearest, agrees, apart, ...others);
  assert.deepEqual(firstOfEach(searched.candidates, photoOf), [nearest, ...others]);
  assert.deepEqual(firstOfEach(searched.candidates, photoOf, apart), [apart, ...others]);
  assert.equal(agreeingPhotos(answerOf(searched), searched, DEFAULT_VIEW, nearest), 2);
  assert.equal(
    agreeingPhotos(answerOf(searched), searched, { ...DEFAULT_VIEW, oneIn: 1_000_000 }, nearest),
    1,
  );
  const further = [STRONG, POSSIBLE, BELOW].map((distance) => fmrAtDistance(CALIBRATION, distance));
  const cut = face(1, { ...nearest, furtherRates: further }, agrees, apart);
  assert.equal(
    agreeingPhotos(answerOf(cut), cut, DEFAULT_VIEW, cut.candidates[0]!),
    4,
    'with those not listed',
  );
  const { matches, belowCount } = shownCandidates(answerOf(searched), searched, DEFAULT_VIEW, 50);
  assert.deepEqual([matches.length, belowCount], [5, 1], 'photos of a matching person are matches');
});
