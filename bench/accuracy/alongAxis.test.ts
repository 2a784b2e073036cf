import assert from 'node:assert/strict';
import { test } from 'node:test';
import { alongGroupAxis, ratesAlongAxis } from './alongAxis.ts';
import { compareAll } from './comparisons.ts';

test('rates are those of the people of a group among themselves', () => {
  // Twenty people of two photos each; the first two lie at one end and have one face.
  const photos = Array.from({ length: 40 }, (_, i) => ({ path: '', name: `${i}`, identity: `p${i >> 1}` }));
  const faces = photos.map(({ identity }) => {
    const person = Number(identity.slice(1));
    return Float32Array.from({ length: 20 }, (_, k) => (k === (person < 2 ? 0 : person) ? 1 : 0));
  });
  const text = ratesAlongAxis(
    photos.map(({ identity }) => ({ identity, along: Number(identity.slice(1)) })),
    [
      {
        name: 'made up',
        comparisons: compareAll(photos, faces),
        calibration: {
          points: [
            { fmr: 0.5, distance: 1 },
            { fmr: 1e-6, distance: 0.1 },
          ],
        },
      },
    ],
  );
  const rows = text.split('\n').slice(2);
  assert.match(rows[0]!, /lowest tenth: 2 \| 1\.0e\+0 \(4 of 4; 0\.0e\+0 to 1\.0e\+0\), 100\.0 of 2 /);
  assert.match(rows[1]!, /to the middle: 8 \| 0\.0e\+0 \(0 of 112; 0\.0e\+0 to 0\.0e\+0\), 100\.0 of 8 /);
  assert.match(rows[3]!, /highest tenth: 2 \| 0\.0e\+0 \(0 of 4; 0\.0e\+0 to 0\.0e\+0\), 100\.0 of 2 /);
});

test('the place along an axis is that of the centred square roots', () => {
  const constants = { mean: [1, 1], axes: [{ kept: 0, direction: [0.6, 0.8] }] };
  assert.ok(Math.abs(alongGroupAxis(Float32Array.of(9, 0), constants) - (0.6 * 2 - 0.8)) < 1e-6);
});
