import { test } from 'node:test';
import assert from 'node:assert/strict';
import { CALIBRATION } from './calibration.ts';
import { EXPECTATIONS, FEATURES, type FeatureName } from './features.ts';
import { scoreOf, similarityOf } from './fusion.ts';

const even = () => Object.fromEntries(FEATURES.map((name) => [name, 0.2])) as Record<FeatureName, number>;
const similarity = (values: Record<FeatureName, number>) =>
  similarityOf(scoreOf(values, CALIBRATION), CALIBRATION);

test('the two fixed points of the scale are where the calibration puts them', () => {
  assert.equal(similarityOf(CALIBRATION.scoreAt40, CALIBRATION), 40);
  assert.equal(similarityOf(CALIBRATION.scoreAt70, CALIBRATION), 70);
});

for (const name of FEATURES.filter((one) => !EXPECTATIONS.has(one)))
  test(`more of ${name} never makes two signatures more alike`, () => {
    let before = Infinity;
    for (const value of [0, 0.05, 0.2, 0.8, 3]) {
      const now = similarity({ ...even(), [name]: value });
      assert.ok(now <= before, `${now} at ${value}`);
      before = now;
    }
  });

test('every feature that is measured counts', () => {
  for (const name of FEATURES) {
    const near = similarity({ ...even(), [name]: 0.05 });
    assert.notEqual(near, similarity({ ...even(), [name]: 0.8 }), name);
  }
});

test('likeness of two tangles means less than the same likeness of two clear lines', () => {
  const crowded = (value: number) => similarity({ ...even(), 'expected.crowded': value });
  assert.ok(crowded(3) > crowded(9));
});
