import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  compose,
  fitSimilarity,
  intersectionOverSmaller,
  intersectionOverUnion,
  scaleOf,
  squareOnto,
  transform,
} from './geometry.ts';

const near = (actual: number, expected: number) =>
  assert.ok(Math.abs(actual - expected) < 1e-9, `${actual} is not ${expected}`);

test('the fitted similarity is the one that moved the points', () => {
  const moved = { a: 1.2, b: -0.7, tx: 30, ty: -4 };
  const points = [
    { x: 1, y: 2 },
    { x: 40, y: 7 },
    { x: 13, y: 55 },
  ];
  const fitted = fitSimilarity(
    points,
    points.map((point) => transform(moved, point)),
  );
  for (const key of ['a', 'b', 'tx', 'ty'] as const) near(fitted[key], moved[key]);
});

test('a composed transform is one after the other', () => {
  const first = { a: 0.3, b: 0.8, tx: 5, ty: 6 };
  const second = { a: -1, b: 0.5, tx: -7, ty: 2 };
  const point = { x: 11, y: -3 };
  const both = transform(compose(second, first), point);
  const stepwise = transform(second, transform(first, point));
  near(both.x, stepwise.x);
  near(both.y, stepwise.y);
});

test('a square picture is placed by its middle, side and angle', () => {
  const onto = squareOnto(100, { x: 300, y: 200 }, 50, Math.PI / 2);
  const middle = transform(onto, { x: 50, y: 50 });
  near(middle.x, 300);
  near(middle.y, 200);
  near(scaleOf(onto), 0.5);
  const rightEdge = transform(onto, { x: 100, y: 50 });
  near(rightEdge.x, 300);
  near(rightEdge.y, 225);
});

test('overlap is 0 apart, 1 for equal boxes, relative to the smaller one inside', () => {
  const box = { x: 0, y: 0, width: 10, height: 10 };
  const inside = { x: 2, y: 2, width: 5, height: 4 };
  const apart = { x: 10, y: 0, width: 3, height: 3 };
  near(intersectionOverUnion(box, box), 1);
  near(intersectionOverUnion(box, apart), 0);
  near(intersectionOverUnion(box, inside), 0.2);
  near(intersectionOverSmaller(box, inside), 1);
});
