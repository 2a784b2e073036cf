import assert from 'node:assert/strict';
import { test } from 'node:test';
import { deflateSync } from 'node:zlib';
import sharp, { type Sharp } from 'sharp';
import { claimedPng, scannedJpeg } from '../../test/support/hostileImages.ts';
import { openImage, restrictDecoder } from './decode.ts';

restrictDecoder();

/** Red, green, blue and white quarters, so that every orientation and colour mistake shows. */
function quarters(side: number) {
  const half = side / 2;
  const block = (background: string, left: number, top: number) => ({
    input: { create: { width: half, height: half, channels: 3 as const, background } },
    left,
    top,
  });
  return sharp({ create: { width: side, height: side, channels: 3, background: '#fff' } }).composite([
    block('#f00', 0, 0),
    block('#0f0', half, 0),
    block('#00f', 0, half),
  ]);
}

async function colorAt(bytes: Uint8Array, share: { x: number; y: number }): Promise<number[]> {
  const { raster } = await (await openImage(bytes)).overview();
  const at = (Math.floor(share.y * raster.height) * raster.width + Math.floor(share.x * raster.width)) * 3;
  return [...raster.data.subarray(at, at + 3)];
}

function assertNear(actual: readonly number[], expected: readonly number[], tolerance = 12): void {
  const far = actual.some((value, i) => Math.abs(value - expected[i]!) > tolerance);
  assert.ok(!far && actual.length === expected.length, `${actual.join()} is not near ${expected.join()}`);
}

/** A PNG of any claimed size with a few bytes of pixels behind it. */
const pngClaiming = (width: number, height: number) =>
  claimedPng(width, height, deflateSync(Buffer.alloc(64)));

test('an image stored under any EXIF orientation shows the same upright image', async () => {
  const upright = await quarters(64).jpeg({ quality: 100, chromaSubsampling: '4:4:4' }).toBuffer();
  // Undoing what orientation n asks for, then tagging it n.
  const undo: Record<number, (image: Sharp) => Sharp> = {
    1: (image) => image,
    2: (image) => image.flop(),
    3: (image) => image.rotate(180),
    4: (image) => image.flip(),
    5: (image) => image.rotate(270).flop(),
    6: (image) => image.rotate(270),
    7: (image) => image.rotate(90).flop(),
    8: (image) => image.rotate(90),
  };
  for (const [orientation, apply] of Object.entries(undo)) {
    const bytes = await apply(sharp(upright))
      .withMetadata({ orientation: Number(orientation) })
      .jpeg({ quality: 100, chromaSubsampling: '4:4:4' })
      .toBuffer();
    assertNear(await colorAt(bytes, { x: 0.2, y: 0.2 }), [255, 0, 0]);
    assertNear(await colorAt(bytes, { x: 0.8, y: 0.2 }), [0, 255, 0]);
    assertNear(await colorAt(bytes, { x: 0.2, y: 0.8 }), [0, 0, 255]);
  }
});

test('facts are those of the upright original, also when the overview is reduced', async () => {
  const bytes = await sharp({ create: { width: 4000, height: 2000, channels: 3, background: '#777' } })
    .withMetadata({ orientation: 6 })
    .jpeg()
    .toBuffer();
  const opened = await openImage(bytes);
  assert.deepEqual(opened.facts, { width: 2000, height: 4000, format: 'jpeg' });
  const { raster, scale } = await opened.overview();
  assert.deepEqual([raster.width, raster.height, scale], [400, 800, 0.2]);
});

test('grey, palette, 16-bit and CMYK images become the same colours', async () => {
  const grey = sharp({ create: { width: 32, height: 32, channels: 3, background: '#999' } });
  const files = [
    await grey.clone().toColourspace('b-w').png().toBuffer(),
    await grey.clone().toColourspace('b-w').jpeg().toBuffer(),
    await grey.clone().png({ palette: true }).toBuffer(),
    await grey.clone().toColourspace('rgb16').png().toBuffer(),
    await grey.clone().toColourspace('cmyk').jpeg().toBuffer(),
  ];
  // Ink and back costs CMYK a few levels.
  for (const bytes of files) assertNear(await colorAt(bytes, { x: 0.5, y: 0.5 }), [153, 153, 153], 16);
});

test('what is transparent becomes mid-grey, neither dark nor glaring', async () => {
  const bytes = await sharp({
    create: { width: 16, height: 16, channels: 4, background: { r: 255, g: 255, b: 255, alpha: 0 } },
  })
    .png()
    .toBuffer();
  assertNear(await colorAt(bytes, { x: 0.5, y: 0.5 }), [128, 128, 128]);
});

test('a detail is the same place at full resolution, and is clipped to the image', async () => {
  const opened = await openImage(await quarters(2048).png().toBuffer());
  const view = await opened.detail({ x: 900, y: 900, width: 248, height: 5000 });
  assert.deepEqual([view.raster.width, view.raster.height], [248, 1148]);
  const here = { a: 1, b: 0, tx: 1100, ty: 1000 };
  assertNear([...view.sample(here, 1, 1).data], [0, 255, 0]);
  assertNear([...(await opened.overview()).sample(here, 1, 1).data], [0, 255, 0]);
});

test('a bomb is refused by its header, before anything is decoded', async () => {
  await assert.rejects(openImage(pngClaiming(30_000, 30_000)), { code: 'IMAGE_TOO_LARGE' });
  await assert.rejects(openImage(pngClaiming(0x7fffffff, 0x7fffffff)), { code: 'IMAGE_TOO_LARGE' });
});

test('a side that is too long is refused, however few pixels the image has', async () => {
  for (const [width, height] of [
    [8_323_078, 6],
    [50_000_000, 1],
    [1, 50_000_000],
    [20_001, 2],
  ] as const)
    await assert.rejects(openImage(pngClaiming(width, height)), { code: 'IMAGE_TOO_LARGE' });
  // At the limit it is the missing pixels that are wrong.
  await assert.rejects(openImage(pngClaiming(20_000, 2400)), { code: 'CORRUPT_IMAGE' });
});

test('a PNG whose data cannot inflate to its pixels is damaged, and is not decoded', async () => {
  const claimed = claimedPng(7000, 7000, deflateSync(Buffer.alloc(0)));
  await assert.rejects(openImage(claimed), { code: 'CORRUPT_IMAGE' });
  // The best that deflate does is enough for every image that an encoder wrote.
  for (const colours of [2, 256]) {
    const flat = sharp({ create: { width: 3000, height: 2000, channels: 3, background: '#000' } });
    const bytes = await flat.png({ compressionLevel: 9, palette: true, colours }).toBuffer();
    assert.equal((await openImage(bytes)).facts.width, 3000);
  }
});

test("a progressive image is refused for its decoder's memory, not for its pixels", async () => {
  const enough = Buffer.alloc(400_000);
  const rgba16 = { depth: 16, colour: 6 };
  const of = (side: number, interlaced: boolean) =>
    openImage(claimedPng(side, side, enough, { ...rgba16, interlaced }));
  await assert.rejects(of(7000, true), { code: 'IMAGE_TOO_LARGE' });
  assert.equal((await of(7000, false)).facts.width, 7000);
  assert.equal((await of(6000, true)).facts.width, 6000);
});

test('a JPEG with too many scans is refused; those of encoders are read', async () => {
  assert.equal((await openImage(await scannedJpeg(1000, 0))).facts.width, 1000);
  await assert.rejects(openImage(await scannedJpeg(1000, 2000)), { code: 'IMAGE_TOO_LARGE' });
});

test('bytes between the segments of a JPEG hide no scan', async () => {
  const bytes = await scannedJpeg(1000, 2000);
  const frame = bytes.indexOf(Buffer.from([0xff, 0xc2]));
  const behind = frame + 2 + bytes.readUInt16BE(frame + 2);
  const hidden = Buffer.concat([bytes.subarray(0, behind), Buffer.from([1, 2, 3]), bytes.subarray(behind)]);
  await assert.rejects(openImage(hidden), { code: 'IMAGE_TOO_LARGE' });
});

test('a truncated file is damaged, however little is missing of its pixels', async () => {
  for (const format of ['jpeg', 'png'] as const) {
    const noise = { type: 'gaussian' as const, mean: 128, sigma: 40 };
    const whole = await sharp({ create: { width: 200, height: 200, channels: 3, background: '#000', noise } })
      .toFormat(format)
      .toBuffer();
    for (const share of [0.1, 0.5, 0.95]) {
      const part = whole.subarray(0, Math.floor(whole.length * share));
      const decoding = openImage(part).then((opened) => opened.overview());
      await assert.rejects(decoding, { code: 'CORRUPT_IMAGE' }, `${format} cut at ${share}`);
    }
  }
});

test('a PNG with a broken stream is damaged', async () => {
  const bytes = await quarters(64).png().toBuffer();
  bytes.fill(0xa5, bytes.indexOf('IDAT') + 10, bytes.indexOf('IDAT') + 20);
  await assert.rejects(
    openImage(bytes).then((opened) => opened.overview()),
    { code: 'CORRUPT_IMAGE' },
  );
});

test('other formats are refused under any name, also those that the decoder would know', async () => {
  const gif = await quarters(16).gif().toBuffer();
  const webp = await quarters(16).webp().toBuffer();
  const tiff = await quarters(16).tiff().toBuffer();
  const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>');
  const text = Buffer.from('not a picture at all, although its name ends in .jpg');
  for (const bytes of [gif, webp, tiff, svg, text, Buffer.alloc(0)])
    await assert.rejects(openImage(bytes), { code: 'CORRUPT_IMAGE' });
  await assert.rejects(sharp(svg).metadata(), /unsupported image format/);
});
