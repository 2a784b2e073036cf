/** Duplicate searches of random galleries, of few people and of many, with one photo each and with many. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { trusted, type FaceId } from '../../core/contracts/ids.ts';
import { capOf, strongJoints } from '../../core/domain/duplicates/component.ts';
import { distanceOf, groupFaces } from '../../core/domain/duplicates/grouping.ts';
import { distanceFor, WIDEST_RATE } from '../../core/domain/duplicates/rate.ts';
import { expectedWithin, measureTail } from '../../core/domain/duplicates/tail.ts';
import { distanceAtFmr, STRONG_FMR, type Calibration } from '../../core/domain/scores/scores.ts';
import { seededRandom } from '../support/seed.ts';

/** `VOUCH_RUNS=300` for the long run. */
const RUNS = Number(process.env.VOUCH_RUNS ?? 24);
const [DIMENSIONS, ONE_IN] = [24, 100];
const [MIN_FACES, MAX_FACES, MAX_PHOTOS] = [10, 2_000, 12];
/** How far a photo is from the mean of its person, per axis; an altered copy is this far from its photo. */
const [SPREAD, COPY] = [0.085, 0.01];
const timer = { yield: () => Promise.resolve() };

type Random = () => number;

function normal(random: Random): number {
  return Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
}

function unit(components: Float64Array): Float32Array {
  const length = Math.hypot(...components);
  return Float32Array.from(components, (component) => component / length);
}

/** The mean of a person: spread less and less along the axes, as templates are. */
function person(random: Random): Float32Array {
  return unit(Float64Array.from({ length: DIMENSIONS }, (_, axis) => normal(random) * 0.97 ** axis));
}

function moved(vector: Float32Array, random: Random, by: number): Float32Array {
  return unit(Float64Array.from(vector, (component) => component + by * normal(random)));
}

/** The rates of these invented templates, as a pipeline's table has them: its rarest rates follow from the law of the others. */
function calibrationOf(random: Random): Calibration {
  const photos = Array.from({ length: 2_500 }, () => moved(person(random), random, SPREAD));
  const distances = new Float64Array((photos.length * (photos.length - 1)) / 2);
  let next = 0;
  for (const [at, one] of photos.entries())
    for (let other = 0; other < at; other++) distances[next++] = distanceOf(one, photos[other]!);
  distances.sort();
  const at = (fmr: number) => ({ fmr, distance: distances[Math.floor(fmr * distances.length)]! });
  const [wide, narrow] = [at(1e-3), at(3e-5)];
  const steps = (fmr: number) => Math.sqrt(-Math.log(fmr));
  const perStep = (wide.distance - narrow.distance) / (steps(narrow.fmr) - steps(wide.fmr));
  const beyond = (fmr: number) => ({
    fmr,
    distance: narrow.distance - perStep * (steps(fmr) - steps(narrow.fmr)),
  });
  return { points: [at(0.5), at(1e-2), wide, at(1e-4), beyond(1e-5), beyond(1e-6)] };
}

/** Photos of a gallery with the number of their person, in random order. */
function galleryOf(random: Random): { person: number; vector: Float32Array }[] {
  const faces = Math.round(MIN_FACES * (MAX_FACES / MIN_FACES) ** random());
  const most = 1 + Math.floor(random() * MAX_PHOTOS);
  const gallery: { person: number; vector: Float32Array; place: number }[] = [];
  for (let number = 0; gallery.length < faces; number++) {
    const mean = person(random);
    const photos = random() < 0.5 ? 1 : 1 + Math.floor(random() * most);
    for (let photo = 0; photo < photos; photo++) {
      const last = gallery.at(-1);
      const isCopy = photo > 0 && last !== undefined && random() < 0.2;
      const vector = isCopy ? moved(last.vector, random, COPY) : moved(mean, random, SPREAD);
      gallery.push({ person: number, vector, place: random() });
    }
  }
  return gallery.sort((a, b) => a.place - b.place);
}

test('a duplicate search keeps its promises in galleries of every size and shape', async (t) => {
  const random = seededRandom(t);
  const calibration = calibrationOf(random);
  const strong = distanceAtFmr(calibration, STRONG_FMR);
  const sums = { promised: 0, found: 0, people: 0, mistaken: 0 };
  for (let run = 0; run < RUNS; run++) {
    const gallery = galleryOf(random);
    const vectors = new Map<FaceId, Float32Array>(
      gallery.map(({ vector }, at) => [trusted.face(at + 1), vector]),
    );
    const tail = await measureTail(timer, [...vectors.values()], calibration);
    const link = distanceFor(tail, ONE_IN, gallery.length);
    const asked = distanceAtFmr(
      calibration,
      Math.min(WIDEST_RATE, 1 / (ONE_IN * Math.max(1, gallery.length - 1))),
    );
    const pairs: { first: FaceId; second: FaceId; distance: number }[] = [];
    const promised = new Set<number>();
    for (const [at, { person: number, vector }] of gallery.entries())
      for (let earlier = 0; earlier < at; earlier++) {
        const distance = distanceOf(vector, gallery[earlier]!.vector);
        if (distance <= asked && gallery[earlier]!.person === number) promised.add(number);
        if (distance > link) continue;
        pairs.push({ first: trusted.face(earlier + 1), second: trusted.face(at + 1), distance });
      }
    const groups = groupFaces({
      vectors,
      pairs,
      link,
      cap: capOf({ tail, maxDistance: link }),
      ...strongJoints({ tail }),
      persons: [],
      barred: () => false,
    });
    const comparisons = (gallery.length * (gallery.length - 1)) / 2;
    const chance = expectedWithin(tail, comparisons, link);
    assert.ok(0 <= chance.low && chance.low <= chance.value && chance.value <= chance.high);
    assert.ok(chance.high <= comparisons, `${chance.high} of ${comparisons} pairs`);
    const groupOf = new Map(groups.flatMap(({ faces }, id) => faces.map((face) => [face, id] as const)));
    for (const { first, second, distance } of pairs)
      if (distance <= strong)
        assert.equal(groupOf.get(first), groupOf.get(second), 'a strong pair is parted');
    const found = new Set<number>();
    for (const { faces } of groups) {
      const people = faces.map((face) => gallery[face - 1]!.person);
      const counts = Map.groupBy(people, (number) => number);
      for (const [number, { length }] of counts) if (length > 1) found.add(number);
      if (counts.size > 1) sums.mistaken += counts.size;
    }
    sums.people += new Set(gallery.map(({ person: number }) => number)).size;
    sums.promised += promised.size;
    sums.found += [...promised].filter((number) => found.has(number)).length;
  }
  t.diagnostic(JSON.stringify(sums));
  assert.ok(sums.found >= 0.95 * sums.promised, `${sums.found} of ${sums.promised} people enrolled twice`);
  const most = (2 * sums.people) / ONE_IN;
  assert.ok(sums.mistaken <= most, `${sums.mistaken} of ${sums.people} people are grouped by mistake`);
});
