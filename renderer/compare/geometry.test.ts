import assert from 'node:assert/strict';
import { test } from 'node:test';
import { placeLabels } from './geometry.ts';

const PANE = { width: 700, height: 500 };

test('no label of a crowd covers another one or leaves the photo', () => {
  // A fixed sequence, so that a failure can be repeated.
  let state = 7;
  const random = () => (state = (state * 48_271) % 2_147_483_647) / 2_147_483_647;
  let shortened = 0;
  for (let round = 0; round < 200; round += 1) {
    const boxes = Array.from({ length: 1 + Math.floor(random() * 24) }, (_, index) => {
      const width = 20 + random() * 120;
      const place = { x: random() * 650, y: random() * 450, width, height: width };
      return { place, words: `${index + 1} Blacklist (strong)` };
    });
    const labels = placeLabels(boxes, PANE).map((label, index) =>
      label === null
        ? null
        : { ...label, width: 26 + 7.5 * (label.isLong ? (boxes[index]?.words.length ?? 0) : 2) },
    );
    for (const [index, one] of labels.entries()) {
      if (one === null) continue;
      if (!one.isLong) shortened += 1;
      assert.ok(one.x >= 0 && one.y >= 0 && one.x + one.width <= 700 && one.y + 20 <= 500);
      for (const other of labels.slice(index + 1))
        if (other !== null)
          assert.ok(
            one.x + one.width <= other.x || other.x + other.width <= one.x || Math.abs(one.y - other.y) >= 20,
            `round ${round}: label ${index} is covered`,
          );
    }
  }
  assert.ok(shortened > 100, 'labels without room for words keep their number');
});

test('the first box has its words above it', () => {
  const place = { x: 100, y: 100, width: 80, height: 80 };
  const [first, second] = placeLabels(
    [
      { place, words: '1 Blacklist (strong)' },
      { place: { ...place, x: 140 }, words: '2 No match' },
    ],
    PANE,
  );
  assert.deepEqual(first, { x: 100, y: 76, isLong: true });
  assert.notEqual(second?.y ?? 76, 76);
});
