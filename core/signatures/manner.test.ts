import { test } from 'node:test';
import assert from 'node:assert/strict';
import { apart, bendShares, directionShares, mannersApart } from './manner.ts';
import { rotation, shapeOf, transformed, type Shape } from './points.ts';
import type { Stroke } from './strokes.ts';

const line = (place: (t: number) => [number, number]): Stroke =>
  Float64Array.from({ length: 400 }, (_, i) => place(Math.floor(i / 2) / 200)[i % 2]!);
/** Waves whose crests are round or pointed. */
const waves = (sharpness: number): Stroke =>
  line((t) => [600 * t, 60 * Math.sign(Math.sin(25 * t)) * Math.abs(Math.sin(25 * t)) ** sharpness]);

function shape(...strokes: Stroke[]): Shape {
  const made = shapeOf(strokes);
  assert.ok(made);
  return made;
}

const difference = (first: Shape, second: Shape, turn = 0) =>
  mannersApart(first, { turned: transformed(second.points, rotation(turn)), bends: second.bends }, turn);

test('shares of directions and bends add up to one', () => {
  const { points, bends } = shape(waves(1));
  const total = (shares: Float64Array) => shares.reduce((sum, share) => sum + share, 0);
  assert.ok(Math.abs(total(directionShares(points)) - 1) < 1e-9);
  assert.ok(Math.abs(total(bendShares(bends, 0)) - 1) < 1e-9);
});

test('a manner is the same whichever way the line is followed', () => {
  const stroke = waves(1);
  const backwards = stroke.map((_, i) => stroke[stroke.length - 2 - i + 2 * (i % 2)]!);
  const { directions, bends } = difference(shape(stroke), shape(backwards));
  for (const value of [directions, bends]) assert.ok(value < 0.02, `${value}`);
});

test('a manner turned back is the same manner; left as it lies it is another', () => {
  const [cos, sin] = [Math.cos(0.3), Math.sin(0.3)];
  const upright = waves(1);
  const askew = upright.map((_, i) => {
    const [x, y] = [upright[i - (i % 2)]!, upright[i - (i % 2) + 1]!];
    return i % 2 === 0 ? cos * x - sin * y : sin * x + cos * y;
  });
  const back = difference(shape(upright), shape(askew), -0.3);
  const left = difference(shape(upright), shape(askew));
  assert.ok(back.bends < 0.02 && back.directions < 0.02);
  assert.ok(left.bends > 5 * back.bends && left.directions > 5 * back.directions);
});

test('pointed crests differ from round ones in their bends', () => {
  const same = difference(shape(waves(1)), shape(waves(1)));
  const other = difference(shape(waves(1)), shape(waves(0.3)));
  assert.equal(same.bends, 0);
  assert.ok(other.bends > 0.1);
});

test('half the city-block distance is 0 for equal shares and 1 for disjoint ones', () => {
  assert.equal(apart(Float64Array.of(0.5, 0.5, 0), Float64Array.of(0.5, 0.5, 0)), 0);
  assert.equal(apart(Float64Array.of(1, 0, 0), Float64Array.of(0, 0.4, 0.6)), 1);
});

test('a line too short for two legs has no bends, and that is no difference', () => {
  const dots = shape(...[0, 1, 2, 3].map((k) => line((t) => [200 * k + t, 100 * (k % 2) + t])));
  assert.equal(dots.bends.turn.length, 0);
  assert.equal(difference(dots, dots).bends, 0);
});
