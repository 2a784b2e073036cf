import { test } from 'node:test';
import assert from 'node:assert/strict';
import { expectedOf } from './features.ts';
import { shapeOf, type OrientedPoints } from './points.ts';

function along(place: (t: number) => [number, number]): OrientedPoints {
  const shape = shapeOf([Float64Array.from({ length: 800 }, (_, i) => place((i >> 1) / 400)[i % 2]!)]);
  assert.ok(shape);
  return shape.points;
}
const ring = along((t) => [90 * Math.cos(2 * Math.PI * t), 90 * Math.sin(2 * Math.PI * t)]);
const tadpole = along((t) =>
  t < 0.8 ? [40 * Math.cos(50 * t), 40 * Math.sin(50 * t)] : [40 + 1500 * (t - 0.8), 0],
);
const wave = along((t) => [600 * t, 40 * Math.sin(30 * t)]);

test('a ring sprawls by 1, a knot with a long tail by much more', () => {
  assert.ok(Math.abs(expectedOf(ring, ring).sprawling - 1) < 0.01);
  assert.ok(expectedOf(tadpole, tadpole).sprawling > 2);
});

test('lines through the same places crowd, a single one does not', () => {
  assert.ok(expectedOf(tadpole, tadpole).crowded > 2 * expectedOf(ring, ring).crowded);
});

test('a ring is as tall as wide, a line of writing is not', () => {
  assert.ok(Math.abs(expectedOf(ring, ring).tall - 1) < 0.01);
  assert.ok(expectedOf(wave, wave).tall < 0.3);
});

test('a straight level line is level, an upright one is not, a ring is half so', () => {
  const level = along((t) => [300 * t, 0.01 * t]);
  const upright = along((t) => [0.01 * t, 300 * t]);
  assert.ok(expectedOf(level, level).level > 0.99);
  assert.ok(expectedOf(upright, upright).level < 0.01);
  assert.ok(Math.abs(expectedOf(ring, ring).level - 0.5) < 0.01);
});

test('what is expected of two is the same whichever comes first', () => {
  assert.deepEqual(expectedOf(ring, tadpole), expectedOf(tadpole, ring));
});
