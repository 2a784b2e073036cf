import { test } from 'node:test';
import assert from 'node:assert/strict';
import sharp from 'sharp';
import { colouredInk } from './inkColour.ts';

const pngOf = (pixels: readonly number[], channels: 1 | 3) =>
  sharp(Uint8Array.from(pixels), { raw: { width: pixels.length / channels, height: 1, channels } })
    .toColourspace(channels === 1 ? 'b-w' : 'srgb')
    .png()
    .toBuffer();

test('ink takes a colour, and its darkness becomes opacity', async () => {
  const grey = await pngOf([255, 170, 0], 1);
  const coloured = colouredInk(grey, [23, 92, 190]);
  assert.deepEqual(grey, await pngOf([255, 170, 0], 1), 'the given picture was changed');
  const pixels = [...(await sharp(coloured).ensureAlpha().raw().toBuffer())];
  const [paper, ink, line] = [0, 4, 8].map((from) => pixels.slice(from, from + 4));
  assert.equal(paper?.[3], 0);
  assert.deepEqual(ink, [23, 92, 190, 85]);
  assert.deepEqual(line, [23, 92, 190, 255]);
});

test('a picture in colours is refused', async () => {
  const colours = await pngOf([255, 0, 0], 3);
  assert.throws(() => colouredInk(colours, [0, 0, 0]), TypeError);
});
