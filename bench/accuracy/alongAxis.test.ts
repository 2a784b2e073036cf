import assert from 'node:assert/strict';
import { test } from 'node:test';
import { alongAxes, falseMatchRateWithin, ratesAlongAxis, tenths } from './alongAxis.ts';
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

test('the low end of an axis is the one whose people are more alike', () => {
  // Along the first number of MobileFaceNet two crowds lie apart; the 128-D net separates the people of one of them.
  const faces = Array.from({ length: 40 }, (_, i) => {
    const isAlike = i < 20;
    const recognition = Float32Array.from({ length: 40 }, (__, k) => (k === (isAlike ? 0 : i) ? 1 : 0));
    const mobile = Float32Array.of(isAlike ? 1 : -1, i / 1000);
    const photo = { path: '', name: `${i}`, identity: `p${i}` };
    return { photo, parts: { recognition, mobile, faceres: Float32Array.of(i, i % 7, i % 3) } };
  });
  for (const order of [faces, faces.toReversed()])
    for (const [i, { mobile }] of alongAxes(order).entries())
      assert.equal(mobile < 0, Number(order[i]!.photo.name) < 20);
});

test('the tenths are those at both ends, and their rate is that of the pairs within', () => {
  const photos = Array.from({ length: 20 }, (_, i) => ({ path: '', name: `${i}`, identity: `p${i}` }));
  const { lowest, highest } = tenths(photos.map(({ identity }, i) => ({ identity, along: i })));
  assert.deepEqual(
    [[...lowest], [...highest]],
    [
      ['p0', 'p1'],
      ['p18', 'p19'],
    ],
  );
  const comparisons = compareAll(
    photos,
    photos.map((_, i) => Float32Array.of(i < 2 ? 0 : i)),
  );
  assert.equal(falseMatchRateWithin(comparisons, lowest, 0.5), 1);
  assert.equal(falseMatchRateWithin(comparisons, highest, 0.5), 0);
});
