import assert from 'node:assert/strict';
import { test } from 'node:test';
import { labelPlaces, overlapOf } from './labelPlaces.ts';

test('labels of dots that lie close together cover neither each other nor a dot', () => {
  const dots = Array.from({ length: 9 }, (_, i) => ({
    x: 100 + 6 * (i % 3),
    y: 100 + 6 * Math.floor(i / 3),
    width: 4,
    height: 4,
  }));
  const places = labelPlaces(
    dots,
    dots.map(() => ({ width: 8, height: 10 })),
  );
  for (const [index, place] of places.entries())
    for (const other of [...dots, ...places.slice(0, index)]) assert.equal(overlapOf(place, other), 0);
});
