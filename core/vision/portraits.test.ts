import { test } from 'node:test';
import assert from 'node:assert/strict';
import { ImageView } from './imageView.ts';
import { headsOn, otherPictures } from './portraits.ts';
import { createRaster } from './raster.ts';

const SIDE = 200;

/** A square picture at half the size of the upright image. @param toneAt of each pixel */
function viewOf(toneAt: (x: number, y: number) => number): ImageView {
  const raster = createRaster(SIDE, SIDE);
  for (let y = 0; y < SIDE; y += 1)
    for (let x = 0; x < SIDE; x += 1)
      raster.data.fill(toneAt(x, y), 3 * (y * SIDE + x), 3 * (y * SIDE + x) + 3);
  return new ImageView(raster, undefined, 0.5);
}

test('a head on a page has print, and the paper beside a portrait is none', () => {
  const isPicture = (x: number, y: number) => x < 60 && y < 80;
  const isText = (x: number, y: number) => y > 120 && y % 12 < 3 && x % 5 < 3;
  for (const [paper, ink] of [
    [250, 60],
    [22, 190],
  ] as const) {
    const isHead = headsOn(viewOf((x, y) => (isPicture(x, y) || isText(x, y) ? ink : paper)));
    assert.equal(isHead({ x: 10, y: 10, width: 100, height: 130 }), true, 'in the picture');
    assert.equal(isHead({ x: 80, y: 80, width: 120, height: 150 }), false, 'mostly beside the picture');
    assert.equal(isHead({ x: 200, y: 10, width: 150, height: 180 }), false, 'on the paper');
    assert.equal(isHead({ x: 20, y: 250, width: 150, height: 150 }), false, 'on text');
  }
});

test('a photo has no paper, so every head in it counts', () => {
  const isHead = headsOn(viewOf((x, y) => (x + y) / 2));
  assert.equal(isHead({ x: 100, y: 100, width: 60, height: 60 }), true);
});

test('the shadow along an edge of a page is no picture, and one beside it is', () => {
  const shadow = (depth: number) => Math.min(250, 40 + depth * 7);
  const grain = (x: number, y: number) => ((x * 7 + y * 13) % 5) - 2;
  const isPicture = (x: number, y: number) => x >= 80 && x < 110 && y >= 60 && y < 98;
  const edges: Record<string, (x: number, y: number) => number> = {
    left: (x) => shadow(x),
    // The page lies askew, so that a wedge of the lid is beside it.
    right: (x, y) => (SIDE - 1 - x < y / 20 ? 255 : shadow(SIDE - 1 - x - y / 20)),
    top: (_x, y) => shadow(y),
    below: (_x, y) => shadow(SIDE - 1 - y),
  };
  for (const [edge, toneAt] of Object.entries(edges)) {
    const page = viewOf((x, y) => Math.min(255, toneAt(x, y) + grain(x, y)));
    assert.deepEqual(otherPictures(page, [], 40), [], edge);
    const portrait = viewOf((x, y) => (isPicture(x, y) ? 40 + 4 * (y - 60) + grain(x, y) : toneAt(x, y)));
    assert.equal(otherPictures(portrait, [], 40).length, 1, `a picture and the shadow ${edge}`);
  }
});
