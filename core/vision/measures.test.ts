import assert from 'node:assert/strict';
import { test } from 'node:test';
import { exposure, FACE_REGION_SIZE, sharpness, type FaceRegion } from './faceRegion.ts';

const SIZE = FACE_REGION_SIZE;

function region(grey: (x: number, y: number) => number): FaceRegion {
  return {
    size: SIZE,
    luma: Float32Array.from({ length: SIZE * SIZE }, (_, i) => grey(i % SIZE, Math.floor(i / SIZE))),
  };
}

/** The mean over (2n+1)² pixels. */
function blurred({ luma }: FaceRegion, n: number): FaceRegion {
  return region((x, y) => {
    let sum = 0;
    for (let dy = -n; dy <= n; dy++) {
      for (let dx = -n; dx <= n; dx++) {
        const column = Math.min(SIZE - 1, Math.max(0, x + dx));
        const row = Math.min(SIZE - 1, Math.max(0, y + dy));
        sum += luma[row * SIZE + column]!;
      }
    }
    return sum / (2 * n + 1) ** 2;
  });
}

/** Blocks of 4 × 4 pixels of all tones in no order; anything regular may look sharp again after a blur. */
const blocks = region((x, y) => 60 + ((((x >> 2) * 73) ^ ((y >> 2) * 151)) % 120));

test('sharpness falls with blur, independent of contrast and brightness', () => {
  const steps = [blocks, blurred(blocks, 1), blurred(blocks, 2), blurred(blocks, 4)].map(sharpness);
  for (let i = 1; i < steps.length; i++) assert.ok(steps[i]! < steps[i - 1]!, steps.join(' '));
  const pale = region((x, y) => 150 + blocks.luma[y * SIZE + x]! / 10);
  assert.ok(Math.abs(sharpness(pale) - steps[0]!) < 1e-4);
});

test('motion blur shows, although one direction stays sharp', () => {
  const stripes = region((x) => (x % 8 < 4 ? 60 : 180));
  assert.ok(sharpness(stripes) < 0.1);
});

test('a face of one tone has no focus to speak of', () => {
  assert.equal(sharpness(region(() => 90)), 0);
});

test("exposure is the face's mean and clipped shares, without the background", () => {
  const grey = exposure(region(() => 51));
  assert.deepEqual([grey.brightness.toFixed(3), grey.underexposed, grey.overexposed], ['0.200', 0, 0]);
  const clipped = exposure(region((_, y) => (y < SIZE / 2 ? 255 : 0)));
  assert.ok(clipped.overexposed > 0.4 && clipped.underexposed > 0.4);
  const behind = exposure(region((x) => (x < 10 || x > SIZE - 10 ? 255 : 128)));
  assert.equal(behind.overexposed, 0);
});
