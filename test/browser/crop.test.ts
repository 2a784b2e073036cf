import { test } from 'node:test';
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { cropAround } from '../../core/contracts/facePlaces.ts';
import type { Box } from '../../core/contracts/faces.ts';

const IMAGE = { width: 1000, height: 800 };
const box = fc
  .tuple(
    fc.integer({ min: 0, max: 900 }),
    fc.integer({ min: 0, max: 700 }),
    fc.integer({ min: 20, max: 100 }),
    fc.integer({ min: 20, max: 100 }),
  )
  .map(([x, y, width, height]): Box => ({ x, y, width, height }));
const touch = (one: Box, two: Box) =>
  one.x < two.x + two.width &&
  two.x < one.x + one.width &&
  one.y < two.y + two.height &&
  two.y < one.y + one.height;

test('a face alone is cut with most of a box around it, and never beyond the photo', () => {
  const face = { x: 400, y: 300, width: 100, height: 100 };
  assert.deepEqual(cropAround(face, [], IMAGE), { x: 320, y: 220, width: 260, height: 260 });
  assert.deepEqual(cropAround({ ...face, x: 0, y: 700 }, [], IMAGE), {
    x: 0,
    y: 620,
    width: 180,
    height: 180,
  });
});

test('a crop cuts neighbours away, and nothing of the face itself', () => {
  fc.assert(
    fc.property(box, fc.array(box, { maxLength: 6 }), (face, others) => {
      fc.pre(others.every((other) => !touch(face, other)));
      const part = cropAround(face, others, IMAGE);
      assert.ok(part.x >= 0 && part.y >= 0);
      assert.ok(part.x + part.width <= IMAGE.width && part.y + part.height <= IMAGE.height);
      assert.ok(part.x <= face.x && part.x + part.width >= face.x + face.width);
      assert.ok(part.y <= face.y && part.y + part.height >= face.y + face.height);
      for (const other of others) assert.ok(!touch(part, other));
    }),
  );
});

test('of the crops that cut a neighbour out, the one with most around the face', () => {
  const face = { x: 400, y: 300, width: 100, height: 100 };
  const below = { x: 490, y: 450, width: 100, height: 100 };
  assert.deepEqual(cropAround(face, [below], IMAGE), { x: 320, y: 220, width: 260, height: 230 });
});
