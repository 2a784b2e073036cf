import { test } from 'node:test';
import assert from 'node:assert/strict';
import sharp from 'sharp';
import { pixelsOf } from './readableImage.ts';

const drawn = sharp({ create: { width: 300, height: 200, channels: 3, background: '#789' } });

test('the pixels of an image are read from its header, behind metadata of any length', async () => {
  const profile = { exif: { IFD0: { ImageDescription: 'x'.repeat(60_000) } } };
  const files = {
    png: await drawn.clone().png().toBuffer(),
    interlaced: await drawn.clone().png({ progressive: true }).toBuffer(),
    jpeg: await drawn.clone().jpeg().toBuffer(),
    progressive: await drawn.clone().jpeg({ progressive: true }).toBuffer(),
    metadata: await drawn.clone().withExif(profile.exif).jpeg().toBuffer(),
  };
  for (const [name, bytes] of Object.entries(files))
    assert.equal(await pixelsOf(new Blob([new Uint8Array(bytes)])), 60_000, name);
});

test('a header that is cut off, damaged or of another format has no size', async () => {
  const jpeg = new Uint8Array(await drawn.clone().jpeg().toBuffer());
  const png = new Uint8Array(await drawn.clone().png().toBuffer());
  const damaged = Uint8Array.from(jpeg).fill(0, 2, 6);
  const padded = new Uint8Array([0xff, 0xd8, ...new Array<number>(5_000).fill(0xff)]);
  for (const bytes of [new Uint8Array(), jpeg.slice(0, 12), png.slice(0, 20), damaged, padded])
    assert.equal(await pixelsOf(new Blob([bytes])), null);
});
