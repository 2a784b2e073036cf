import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { Similarity } from '../geometry.ts';
import { createRaster, type Raster } from '../raster.ts';
import { halve, resample } from '../sampling.ts';

/** The definition: the mean over the taps of a pixel, each blended from the four pixels around it. */
function meanOfTaps(
  source: Raster,
  { a, b, tx, ty }: Similarity,
  at: { x: number; y: number },
  black: boolean,
) {
  const taps = Math.max(1, Math.ceil(Math.hypot(a, b) - 0.01));
  const mean = [0, 0, 0];
  for (let tap = 0; tap < taps * taps; tap++) {
    const u = at.x + ((tap % taps) + 0.5) / taps;
    const v = at.y + (Math.floor(tap / taps) + 0.5) / taps;
    const px = a * u - b * v + tx - 0.5;
    const py = b * u + a * v + ty - 0.5;
    const [maxX, maxY] = [source.width - 1, source.height - 1];
    if (black && (px < -0.5 || py < -0.5 || px > maxX + 0.5 || py > maxY + 0.5)) continue;
    const [x, y] = [Math.min(Math.max(px, 0), maxX), Math.min(Math.max(py, 0), maxY)];
    const [column, row] = [Math.floor(x), Math.floor(y)];
    for (const [right, down] of [
      [0, 0],
      [1, 0],
      [0, 1],
      [1, 1],
    ] as const) {
      const weight = Math.abs(1 - right - (x - column)) * Math.abs(1 - down - (y - row));
      const from = Math.min(row + down, maxY) * source.width + Math.min(column + right, maxX);
      for (let channel = 0; channel < 3; channel++)
        mean[channel]! += (weight / taps ** 2) * source.data[from * 3 + channel]!;
    }
  }
  return mean;
}

/** Waves, so that a place that is off by a hundredth of a pixel is off by less than a level. */
function waves(width: number, height: number): Raster {
  const raster = createRaster(width, height);
  for (let i = 0; i < raster.data.length; i++) {
    const [x, y] = [Math.floor(i / 3) % width, Math.floor(i / 3 / width)];
    raster.data[i] = 127 + 120 * Math.sin(x / 3 + i) * Math.cos(y / 4);
  }
  return raster;
}

const side = fc.integer({ min: 1, max: 60 });
const number = (most: number) => fc.double({ min: -most, max: most, noNaN: true });

test('a sampled picture is the mean of its taps, at any place and rotation', () => {
  const job = fc.record({
    source: fc.tuple(side, side),
    size: fc.tuple(fc.integer({ min: 1, max: 40 }), fc.integer({ min: 1, max: 40 })),
    toSource: fc.record({ a: number(3), b: number(3), tx: number(80), ty: number(80) }),
    black: fc.boolean(),
  });
  fc.assert(
    fc.property(job, ({ source: [width, height], size, toSource, black }) => {
      const source = waves(width, height);
      const picture = createRaster(...size);
      resample(source, toSource, picture, black);
      for (let i = 0; i < picture.data.length; i += 3) {
        const at = { x: (i / 3) % size[0], y: Math.floor(i / 3 / size[0]) };
        const expected = meanOfTaps(source, toSource, at, black);
        // A tap that lies on the border between raster and black may be counted on either side.
        const taps = Math.max(1, Math.ceil(Math.hypot(toSource.a, toSource.b) - 0.01));
        const tolerance = black && nearBorder(source, toSource, at) ? 250 / taps : 1.5;
        for (let channel = 0; channel < 3; channel++)
          assert.ok(Math.abs(picture.data[i + channel]! - expected[channel]!) <= tolerance);
      }
    }),
    { numRuns: 300 },
  );
});

/** Whether one of the taps of a pixel lies within a hundredth of half a pixel outside the raster. */
function nearBorder(source: Raster, { a, b, tx, ty }: Similarity, at: { x: number; y: number }): boolean {
  const taps = Math.max(1, Math.ceil(Math.hypot(a, b) - 0.01));
  return Array.from({ length: taps * taps }, (_, tap) => {
    const u = at.x + ((tap % taps) + 0.5) / taps;
    const v = at.y + (Math.floor(tap / taps) + 0.5) / taps;
    const px = a * u - b * v + tx;
    const py = b * u + a * v + ty;
    return [px, px - source.width, py, py - source.height].some((off) => Math.abs(off) < 0.01);
  }).includes(true);
}

test('a half raster is the mean of four pixels; an odd row or column is dropped', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 90 }), fc.integer({ min: 1, max: 90 }), (width, height) => {
      const raster = waves(width, height);
      const half = halve(raster);
      assert.deepEqual([half.width, half.height], [width >> 1, height >> 1]);
      const at = (x: number, y: number, channel: number) => raster.data[(y * width + x) * 3 + channel]!;
      for (let i = 0; i < half.data.length; i++) {
        const [x, y, c] = [2 * (Math.floor(i / 3) % half.width), 2 * Math.floor(i / 3 / half.width), i % 3];
        const sum = at(x, y, c) + at(x + 1, y, c) + at(x, y + 1, c) + at(x + 1, y + 1, c);
        assert.equal(half.data[i], (sum + 2) >> 2);
      }
    }),
  );
});

test('a photo of many rows is halved as one of few', () => {
  const raster = waves(3000, 301);
  const last = raster.data.slice(298 * 9000, 300 * 9000);
  assert.deepEqual(halve(raster).data.slice(-4500), halve({ width: 3000, height: 2, data: last }).data);
});
