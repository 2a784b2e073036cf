import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import {
  BAND_OF_VERDICT,
  CERTAINTY,
  pairSentences,
  scoreMeaning,
  strengthOf,
} from '../../contracts/certainty.ts';
import { CALIBRATIONS } from '../../vision/calibration.ts';
import { certaintyOf } from '../search/faceComparison.ts';
import { faceLikelihood, bandOf, distanceAtFmr, similarityScore } from './scores.ts';

const PIPELINES = Object.values(CALIBRATIONS).flatMap(({ strict, ...shipped }) => [shipped, strict]);
const pipeline = () => fc.constantFrom(...PIPELINES);
const rate = () => fc.double({ min: -6, max: -0.31, noNaN: true }).map((exponent) => 10 ** exponent);
const count = (value: number) => value.toLocaleString('en');

test('a rarer similarity never supports one person less; ratios keep their bounds', () => {
  fc.assert(
    fc.property(pipeline(), rate(), rate(), ({ likelihood }, one, other) => {
      const [rare, common] = [Math.min(one, other), Math.max(one, other)].map((fmr) =>
        faceLikelihood(likelihood!, fmr),
      ) as [ReturnType<typeof faceLikelihood>, ReturnType<typeof faceLikelihood>];
      assert.ok(rare.log10 >= common.log10);
      for (const { log10, from, to, lowest, highest, favours, strength } of [rare, common]) {
        assert.ok(lowest <= from && from <= log10 && log10 <= to && to <= highest);
        assert.ok(from < to || log10 === lowest || log10 === highest);
        assert.equal(strength, strengthOf(log10));
        assert.equal(favours, strength === 'NONE' ? 'neither' : log10 > 0 ? 'one_person' : 'two_people');
      }
    }),
  );
});

test('the bounds are those that 30 of the measured people and pairs of people support', () => {
  for (const { likelihood } of PIPELINES) {
    const { people, lowest, highest } = likelihood!;
    assert.ok(10 ** -lowest <= people / 30);
    assert.ok(10 ** highest <= (1_241 * 1_240) / 2 / 30);
    assert.deepEqual(
      [faceLikelihood(likelihood!, 1e-12).log10, faceLikelihood(likelihood!, 0.5).log10],
      [highest, lowest],
    );
  }
});

test('1 in 2,700 pairs of strangers is support for one person, below the threshold', () => {
  for (const calibration of [CALIBRATIONS.full, CALIBRATIONS.light]) {
    const distance = distanceAtFmr(calibration, 1 / 2_700);
    assert.equal(bandOf(calibration, distance), 'none');
    const certainty = certaintyOf(calibration, similarityScore(calibration, distance));
    assert.equal(certainty?.likelihood?.favours, 'one_person');
  }
});

test('the record says what the comparison said, whatever the distance', () => {
  fc.assert(
    fc.property(pipeline(), fc.double({ min: 0, max: 2, noNaN: true }), (calibration, distance) => {
      const score = similarityScore(calibration, distance);
      const certainty = certaintyOf(calibration, score)!;
      for (const words of Object.values(CERTAINTY)) {
        const { support, sentences } = pairSentences(words, certainty, count);
        const { favours, strength, log10, lowest, highest } = certainty.likelihood!;
        assert.equal(support, words.favours[favours](words.strengths[strength]));
        const bound = log10 === lowest || log10 === highest;
        const [means] = sentences;
        assert.equal(
          means!.includes('at least') || means!.includes('لا يقل عن'),
          bound && favours !== 'neither',
        );
        assert.equal(/\d \(\d.*–\d.*\)/.test(means!), !bound && favours !== 'neither');
        assert.doesNotMatch([support, ...sentences].join(' '), /no match|not similar|لا تطابق|لا تشابه/i);
      }
    }),
  );
});

test('a score that few people reach is stated in whole people', () => {
  const meaning = scoreMeaning(
    CERTAINTY.en,
    { oneIn: 3.6, beyondMeasured: false, gallerySize: 10 },
    (value) => String(value),
  );
  assert.match(meaning, /^About 1 in 4 other people/);
});

test('no band is called "no match": it is about the threshold', () => {
  for (const { bands } of Object.values(CERTAINTY))
    for (const band of Object.values(BAND_OF_VERDICT)) assert.doesNotMatch(bands[band], /match|تطابق/i);
});

test('without measured pairs of one person the sentences say so and state the rate', () => {
  const said = pairSentences(CERTAINTY.en, { falseMatchRate: 1 / 2_700, likelihood: null }, count);
  assert.equal(said.support, null);
  assert.deepEqual(said.sentences.slice(0, 2), [CERTAINTY.en.rate('2,700'), CERTAINTY.en.noRatio]);
});

test('a company whose people are alike gets a lower ratio for the same photos', () => {
  for (const { strict, ...shipped } of Object.values(CALIBRATIONS)) {
    const distance = distanceAtFmr(shipped, 1e-4);
    const ratio = (calibration: typeof shipped) =>
      certaintyOf(calibration, similarityScore(calibration, distance))!.likelihood!.log10;
    assert.ok(ratio(strict) < ratio(shipped));
  }
});
