import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CERTAINTY } from '../../contracts/certainty.ts';
import { expectationSentences } from '../../contracts/expectation.ts';
import { CALIBRATIONS } from '../../vision/calibration.ts';
import { thresholdForSearch } from '../scores/scores.ts';

const share = (photos: number, at: number) => ({ photos, share: at, low: at - 0.01, high: at + 0.005 });
const FOUND = {
  people: 300,
  rows: [
    { falseMatchRate: 1e-4, found: [share(1, 0.98), share(2, 0.985), share(3, 0.99)] },
    { falseMatchRate: 1e-6, found: [share(1, 0.9), share(2, 0.95), share(3, 0.97)] },
  ],
};
const sentences = (use: object, chosen: object, found: typeof FOUND | null = FOUND) =>
  expectationSentences(
    CERTAINTY.en.expected,
    { weeks: 4, found, ...use },
    { uses: 400, kind: 'searches', alarms: 0.02, rate: 1e-5, ...chosen },
    String,
  );
const plain = (texts: readonly string[]) => texts.map((text) => text.replace(/[\u2066\u2069]/gu, ''));

test('a threshold says its false alarms a week and the people it finds', () => {
  assert.deepEqual(plain(sentences({}, {})), [
    'About 2 false alarms a week if all searches are for unknown people (searches in the last 4 weeks: 400).',
    'Of 100 enrolled people it finds 94 (93–94.5) with one photo, 98 (97–98.5) with 3 photos.',
    'Measured on public photos of 300 people, with 95% confidence intervals; not on your photos and not with your cameras.',
  ]);
  const [rare = ''] = sentences({}, { alarms: 0.002, kind: 'verifications' });
  assert.match(rare, /^About 1 false alarm in 5 weeks if all verifications/);
});

test('too little use and what was not measured are said', () => {
  const tooFew = 'Too few searches or too few days to state false alarms a week (counted: 29).';
  assert.equal(sentences({}, { uses: 29 })[0], tooFew);
  assert.match(sentences({ weeks: 0.5 }, {})[0]!, /^Too few searches .*counted: 400/);
  const notMeasured = 'The share of enrolled people that is found was not measured at this threshold.';
  assert.equal(sentences({}, { rate: 1e-7 })[1], notMeasured);
  assert.equal(sentences({}, {}, null)[1], notMeasured);
  assert.match(sentences({}, { rate: 1e-2 })[1]!, /it finds 98 /, 'at least as many as at the widest row');
});

test('the shipped shares fall with the threshold and rise with the photos', () => {
  for (const calibration of Object.values(CALIBRATIONS))
    for (const table of [calibration, calibration.strict]) {
      const { rows } = table.found!;
      assert.ok(rows.every(({ distance }, i) => i === 0 || distance < rows[i - 1]!.distance));
      for (const [i, { found }] of rows.entries()) {
        assert.deepEqual(
          found.map(({ photos }) => photos),
          [1, 2, 3],
        );
        for (const [k, { share: at, low, high }] of found.entries()) {
          assert.ok(low <= at && at <= high && low > 0.5 && high <= 1);
          if (k > 0) assert.ok(at >= found[k - 1]!.share);
          if (i > 0) assert.ok(at <= rows[i - 1]!.found[k]!.share);
        }
      }
      assert.equal(rows.at(-1)!.distance, thresholdForSearch(calibration, 1e-8, 1).maxDistance);
    }
});
