import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { fuse, FUSED_LENGTH, length, scaled, unit, type DescriptorParts } from './fusion.ts';
import fusion from './fusion.json' with { type: 'json' };
import { CALIBRATIONS } from './calibration.ts';
import { FACERES_LENGTH, RECOGNITION_LENGTH } from './nets/descriptors.ts';

const numbers = (count: number, max: number) =>
  fc.array(fc.float({ min: 0, max, noNaN: true }), { minLength: count, maxLength: count });

const parts = (): fc.Arbitrary<DescriptorParts> =>
  fc.tuple(numbers(RECOGNITION_LENGTH, 1), numbers(FACERES_LENGTH, 6)).map(([recognition, faceres]) => {
    const raw = Float32Array.of(0.5, ...recognition.slice(1));
    return { recognition: scaled(raw, 1 / length(raw)), faceres: Float32Array.from(faceres) };
  });

function dot(a: Float32Array, b: Float32Array): number {
  return a.reduce((sum, value, i) => sum + value * b[i]!, 0);
}

/** The first descriptor as it is compared: nearer to the mean of all, at unit length. */
function shifted({ recognition }: DescriptorParts): Float32Array {
  return unit(recognition.map((value, i) => value + (fusion.recognitionShift[i] ?? 0)));
}

test('a fused template has unit length, the first descriptor in front with its share', () => {
  fc.assert(
    fc.property(parts(), (face) => {
      const fused = fuse(face, fusion);
      assert.equal(fused.length, FUSED_LENGTH);
      assert.ok(Math.abs(length(fused) - 1) < 1e-5);
      const share = length(fused.subarray(0, RECOGNITION_LENGTH)) ** 2;
      assert.ok(Math.abs(share - fusion.recognitionShare) < 1e-5);
    }),
    { numRuns: 20 },
  );
});

test('one dot product of two templates is the weighted sum of both similarities', () => {
  fc.assert(
    fc.property(parts(), parts(), (a, b) => {
      const { recognitionShare } = fusion;
      const only = { ...fusion, recognitionShare: 0 };
      const second = dot(fuse(a, only), fuse(b, only));
      const expected = recognitionShare * dot(shifted(a), shifted(b)) + (1 - recognitionShare) * second;
      assert.ok(Math.abs(dot(fuse(a, fusion), fuse(b, fusion)) - expected) < 1e-5);
    }),
    { numRuns: 20 },
  );
});

test('what a face has along an axis that is taken out changes nothing', () => {
  const { direction: axis, kept } = fusion.axes[0]!;
  assert.equal(kept, 0);
  const recognition = Float32Array.from({ length: RECOGNITION_LENGTH }, (_, i) => (i === 0 ? 1 : 0));
  const rooted = fusion.mean.map((mean, i) => mean + 0.2 + 0.1 * Math.sin(i));
  const faceres = Float32Array.from(rooted, (root) => root ** 2);
  const moved = Float32Array.from(rooted, (root, i) => (root + 0.5 * (axis[i] ?? 0)) ** 2);
  assert.ok(length(faceres.map((value, i) => value - moved[i]!)) > 0.1);
  const before = fuse({ recognition, faceres }, fusion);
  const after = fuse({ recognition, faceres: moved }, fusion);
  assert.ok(dot(before, after) > 1 - 1e-4);
});

test('the strict table of every pipeline asks for smaller distances at every rate, falling with it', () => {
  for (const { points, strict } of Object.values(CALIBRATIONS)) {
    assert.deepEqual(
      points.map(({ fmr }) => fmr),
      strict.points.map(({ fmr }) => fmr),
    );
    for (const [i, { distance }] of strict.points.entries()) {
      assert.ok(distance < points[i]!.distance);
      assert.ok(i === 0 || distance < strict.points[i - 1]!.distance);
    }
  }
});
