import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { CALIBRATIONS } from './calibration.ts';
import {
  fuse,
  FULL_LENGTH,
  length,
  LIGHT_LENGTH,
  lightTemplate,
  unit,
  type DescriptorParts,
} from './fusion.ts';
import fusion from './fusion.json' with { type: 'json' };
import { MOBILE_LENGTH, RECOGNITION_LENGTH } from './nets/descriptors.ts';

const descriptor = (count: number): fc.Arbitrary<Float32Array> =>
  fc
    .array(fc.float({ min: -1, max: 1, noNaN: true }), { minLength: count, maxLength: count })
    .map((numbers) => unit(Float32Array.of(0.5, ...numbers.slice(1))));

const parts = (): fc.Arbitrary<DescriptorParts> =>
  fc
    .tuple(descriptor(RECOGNITION_LENGTH), descriptor(MOBILE_LENGTH))
    .map(([recognition, mobile]) => ({ recognition, mobile }));

function dot(a: Float32Array, b: Float32Array): number {
  return a.reduce((sum, value, i) => sum + value * b[i]!, 0);
}

test('a full template has unit length, with both parts in their shares', () => {
  fc.assert(
    fc.property(parts(), (face) => {
      const fused = fuse(face, fusion);
      assert.equal(fused.length, FULL_LENGTH);
      assert.ok(Math.abs(length(fused) - 1) < 1e-5);
      const behind = fused.subarray(FULL_LENGTH - LIGHT_LENGTH);
      assert.ok(Math.abs(length(behind) ** 2 - (1 - fusion.recognitionShare)) < 1e-5);
      const light = lightTemplate(face.mobile, fusion);
      assert.equal(light.length, LIGHT_LENGTH);
      assert.ok(dot(unit(behind), light) > 1 - 1e-5);
    }),
    { numRuns: 20 },
  );
});

test('one dot product of two templates is the weighted sum of both similarities', () => {
  fc.assert(
    fc.property(parts(), parts(), (a, b) => {
      const { recognitionShare: share } = fusion;
      const first = dot(
        fuse(a, { ...fusion, recognitionShare: 1 }),
        fuse(b, { ...fusion, recognitionShare: 1 }),
      );
      const second = dot(lightTemplate(a.mobile, fusion), lightTemplate(b.mobile, fusion));
      const expected = share * first + (1 - share) * second;
      assert.ok(Math.abs(dot(fuse(a, fusion), fuse(b, fusion)) - expected) < 1e-5);
    }),
    { numRuns: 20 },
  );
});

test('the constants have a row of the right length for every number of a template', () => {
  for (const [rows, size] of [
    [fusion.recognition, RECOGNITION_LENGTH],
    [fusion.mobile, MOBILE_LENGTH],
  ] as const) {
    assert.equal(rows.length, LIGHT_LENGTH);
    for (const row of rows) assert.equal(row.length, size);
  }
});

test('every strict profile asks for smaller distances at every rate', () => {
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
