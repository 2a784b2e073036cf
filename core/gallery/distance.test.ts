import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { FaceId } from '../contracts/ids.ts';
import { squaredDistance } from './distance.ts';
import { shapeOf } from './quantiser.ts';
import { Scanner, scratchBytes } from './scan.ts';
import { Segment } from './segment.ts';
import { Slabs } from './slab.ts';

/** Components that are no multiple of the four that a row is padded to, and numbers of rows beside the eight of a step. */
const DIMENSIONS = [3, 31, 64, 128];
const COUNTS = [1, 7, 8, 13];

test('the distances of the kernel are those of the plain loop, to the last bit', () => {
  for (const dimensions of DIMENSIONS) {
    const shape = shapeOf(dimensions);
    const slabs = new Slabs(scratchBytes(shape, 1), () => undefined);
    const segment = new Segment(shape, 64, slabs);
    segment.keepExact();
    const vectors = Array.from({ length: 14 }, (_, row) =>
      Float32Array.from({ length: dimensions }, (__, i) => Math.sin(12.9898 * (row * dimensions + i))),
    );
    for (const [i, vector] of vectors.entries()) segment.append((i + 1) as FaceId, vector, undefined);
    const probe = vectors[13]!;
    for (const variant of ['adding', 'relaxed', 'plain'] as const) {
      const scanner = new Scanner(slabs.all[0]!.memory, variant, shape, 0);
      for (const count of COUNTS) {
        for (let i = 0; i < count; i++) scanner.measured[i] = segment.exactAddress(12 - i)!;
        assert.deepEqual(
          [...scanner.measure(probe, count).subarray(0, count)],
          Array.from({ length: count }, (_, i) => squaredDistance(probe, vectors[12 - i]!)),
        );
      }
    }
  }
});
