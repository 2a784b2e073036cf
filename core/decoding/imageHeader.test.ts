import assert from 'node:assert/strict';
import { test } from 'node:test';
import sharp from 'sharp';
import { readImageHeader } from './imageHeader.ts';

function picture(width: number, height: number) {
  return sharp({ create: { width, height, channels: 3, background: '#345' } });
}

function sizeOf(bytes: Uint8Array) {
  const header = readImageHeader(bytes);
  return [header?.format, header?.width, header?.height];
}

test('stronger JPEG compression has coarser quantisation; a PNG has none', async () => {
  const steps: (number | undefined)[] = [];
  for (const quality of [95, 75, 30, 5])
    steps.push(readImageHeader(await picture(16, 16).jpeg({ quality }).toBuffer())?.quantisation);
  assert.deepEqual(
    steps,
    steps.toSorted((p, q) => p! - q!),
  );
  assert.ok(steps[0]! < 10 && steps[3]! > 150);
  assert.equal(readImageHeader(await picture(16, 16).png().toBuffer())?.quantisation, 1);
});

test('the size of a JPEG is read from its frame header, baseline and progressive', async () => {
  for (const progressive of [false, true]) {
    const bytes = await picture(37, 91).jpeg({ progressive }).toBuffer();
    assert.deepEqual(sizeOf(bytes), ['jpeg', 37, 91]);
  }
});

test('the size of a JPEG is read behind an Exif segment, before orientation', async () => {
  const bytes = await picture(40, 30).withMetadata({ orientation: 6 }).jpeg().toBuffer();
  assert.deepEqual(sizeOf(bytes), ['jpeg', 40, 30]);
});

test('the size of a PNG is read from IHDR', async () => {
  assert.deepEqual(sizeOf(await picture(5, 7).png().toBuffer()), ['png', 5, 7]);
});

test('a view into a larger buffer is read from where it begins', async () => {
  const bytes = await picture(11, 13).png().toBuffer();
  const larger = Buffer.concat([Buffer.alloc(9), bytes]);
  assert.equal(readImageHeader(larger.subarray(9))?.width, 11);
});

test('a PNG whose IHDR was altered is damaged', async () => {
  const bytes = await picture(5, 7).png().toBuffer();
  bytes[19] = 200;
  assert.equal(readImageHeader(bytes), undefined);
});

test('a header that ends before the size is damaged, wherever it ends', async () => {
  const jpeg = await picture(16, 16).jpeg().toBuffer();
  const frame = jpeg.indexOf(Buffer.from([0xff, 0xc0]));
  for (let end = 0; end < frame + 9; end++) assert.equal(readImageHeader(jpeg.subarray(0, end)), undefined);
  const png = await picture(16, 16).png().toBuffer();
  for (let end = 0; end < 33; end++) assert.equal(readImageHeader(png.subarray(0, end)), undefined);
});

test('a scan that claims more components than a decoder accepts counts as four', () => {
  const frame = [0xff, 0xd8, 0xff, 0xc2, 0, 11, 8, 0, 16, 0, 16, 1, 1, 0x11, 0];
  const scan = [0xff, 0xda, 0, 8 + 2 * 200, 200, ...Array<number[]>(200).fill([1, 0]).flat(), 0, 63, 0];
  const header = readImageHeader(Uint8Array.from([...frame, ...scan]));
  assert.equal(header?.visitedSamples, 4 * 16 * 16);
});

test('a JPEG that scans before it says its size, or has none, is damaged', () => {
  const scanFirst = [0xff, 0xd8, 0xff, 0xda, 0, 8, 1, 1, 0, 0, 63, 0];
  const noHeight = [0xff, 0xd8, 0xff, 0xc0, 0, 11, 8, 0, 0, 0, 16, 1, 1, 0x11, 0];
  assert.equal(readImageHeader(Uint8Array.from(scanFirst)), undefined);
  assert.equal(readImageHeader(Uint8Array.from(noHeight)), undefined);
});
