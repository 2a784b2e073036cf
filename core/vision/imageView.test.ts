import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ImageView } from './imageView.ts';
import { halve } from './sampling.ts';
import { createRaster, type Raster } from './raster.ts';

function drawn(width: number, height: number, grey: (x: number, y: number) => number): Raster {
  const raster = createRaster(width, height);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++)
      raster.data.fill(grey(x, y), (y * width + x) * 3, (y * width + x) * 3 + 3);
  }
  return raster;
}

const reduce = (scale: number) => ({ a: scale, b: 0, tx: 0, ty: 0 });

test('a sample at full size is the picture itself', () => {
  const raster = drawn(8, 6, (x, y) => x * 20 + y);
  assert.deepEqual(new ImageView(raster).sample(reduce(1), 8, 6), raster);
});

test('a reduced sample is the mean of what each pixel covers, at any factor', () => {
  // One-pixel stripes: every reduction by more than 2 must come out as their mean, none as a stripe.
  const stripes = new ImageView(drawn(240, 240, (x) => (x % 2) * 200));
  for (const factor of [2, 3, 4, 5, 8, 12]) {
    const { data } = stripes.sample(reduce(factor), 240 / factor, 240 / factor);
    const off = Math.max(...data.map((value) => Math.abs(value - 100)));
    assert.ok(off <= 20, `factor ${factor}: off by ${off}`);
  }
});

test('coordinates are those of the original, whatever part and scale the raster has', () => {
  const whole = drawn(64, 64, (x, y) => x + 2 * y);
  const part = new ImageView(
    drawn(16, 16, (x, y) => x + 24 + 2 * (y + 8)),
    { x: 24, y: 8 },
  );
  const half = new ImageView(halve(whole), { x: 0, y: 0 }, 0.5);
  const here = { a: 1, b: 0, tx: 28, ty: 12 };
  const expected = new ImageView(whole).sample(here, 4, 4).data;
  assert.deepEqual(part.sample(here, 4, 4).data, expected);
  for (const [i, value] of half.sample(here, 4, 4).data.entries())
    assert.ok(Math.abs(value - expected[i]!) <= 2, `${value} for ${expected[i]!}`);
});

test('beyond the edge the edge goes on, or all is black', () => {
  const view = new ImageView(drawn(4, 4, () => 90));
  const outside = { a: 1, b: 0, tx: -10, ty: 0 };
  assert.ok(view.sample(outside, 4, 4).data.every((value) => value === 90));
  assert.ok(view.sample(outside, 4, 4, 'black').data.every((value) => value === 0));
});
