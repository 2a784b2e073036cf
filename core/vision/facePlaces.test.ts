import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readingOrder } from '../contracts/facePlaces.ts';

test('faces of a sheet are read by rows from the top, each row from the left', () => {
  const at = (x: number, y: number, side = 60) => ({ x, y, width: side, height: side });
  // The rows of a scan are never quite level, and the faces differ in size.
  const sheet = [at(10, 22), at(200, 8, 80), at(400, 0), at(12, 200), at(210, 190), at(390, 215)];
  for (const order of [
    [5, 0, 3, 1, 4, 2],
    [2, 4, 1, 3, 0, 5],
  ])
    assert.deepEqual(readingOrder(order.flatMap((place) => sheet[place] ?? [])), sheet);
});

test('a large and a small face that begin at one height are in one row', () => {
  const at = (x: number, y: number, side: number) => ({ x, y, width: side, height: side });
  const sheet = [at(10, 10, 90), at(200, 5, 40), at(400, 12, 85), at(20, 160, 40), at(200, 150, 95)];
  assert.deepEqual(readingOrder(sheet.toReversed()), sheet);
});

test('rows of small faces are read alike on a page that lay askew by 3°', () => {
  const side = 60;
  for (const degrees of [-3, 0, 3]) {
    const slope = Math.tan((degrees * Math.PI) / 180);
    const sheet = [0, 1, 2].flatMap((row) =>
      [0, 1, 2, 3, 4, 5].map((column) => {
        const x = 50 + 190 * column;
        return { x: x - slope * row * 150, y: 120 + row * 150 + slope * x, width: side, height: side };
      }),
    );
    const order = readingOrder(sheet.toSorted((one, two) => two.x - one.x));
    assert.deepEqual(order, sheet, `${degrees}°`);
  }
});
