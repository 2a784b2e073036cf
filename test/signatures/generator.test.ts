import { test } from 'node:test';
import assert from 'node:assert/strict';
import { fitLogistic } from '../../bench/signatures/logistic.ts';
import { movePen } from '../../bench/signatures/pen.ts';
import { Chance } from '../../bench/signatures/random.ts';
import { errorRates, shareFrom } from '../../bench/signatures/rates.ts';
import { signings } from './specimens.ts';

test('the same seed invents the same signature, another seed another', () => {
  assert.deepEqual(signings(4, 2), signings(4, 2));
  assert.notDeepEqual(signings(4, 1), signings(5, 1));
});

test('the pen ends on its last target, whatever the arcs on the way', () => {
  const targets = [
    { x: 0, y: 0, arc: 0 },
    { x: 1, y: 1, arc: 1.2 },
    { x: 2, y: 0, arc: -2 },
  ];
  const path = movePen(targets, [{ overlap: 0.7, sigma: 0.3 }]);
  assert.ok(Math.abs(path.at(-2)! - 2) < 0.02 && Math.abs(path.at(-1)!) < 0.02);
});

test('error rates: apart is 0 and 1, mixed without order is a half, ties count half', () => {
  assert.deepEqual(errorRates([3, 4], [1, 2]), { eer: 0, auc: 1 });
  assert.deepEqual(errorRates([1, 1], [1, 1]), { eer: 0.5, auc: 0.5 });
  assert.equal(shareFrom([10, 40, 70], 40), 2 / 3);
});

test('logistic regression finds the separating direction and its log-odds', () => {
  const chance = new Chance(2);
  const rows = Array.from({ length: 4000 }, () => [chance.normal(1), chance.normal(1)]);
  const labels = rows.map(([x = 0]) => (chance.happens(1 / (1 + Math.exp(-(2 * x + 0.5)))) ? 1 : 0));
  const [first = 0, second = 0, intercept = 0] = fitLogistic(
    rows,
    labels,
    rows.map(() => 1),
    0.1,
  );
  assert.ok(Math.abs(first - 2) < 0.25 && Math.abs(second) < 0.15 && Math.abs(intercept - 0.5) < 0.15);
});
