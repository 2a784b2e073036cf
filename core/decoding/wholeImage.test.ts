import assert from 'node:assert/strict';
import { test } from 'node:test';
import sharp from 'sharp';
import { decodeSignature } from '../signatures/decode.ts';
import { openImage } from '../vision/decode.ts';

const END = Buffer.from([0xff, 0xd9]);

/** A picture in which no row equals another. */
function noisy(width = 320, height = 240) {
  const noise = { type: 'gaussian' as const, mean: 128, sigma: 40 };
  return sharp({ create: { width, height, channels: 3, background: '#000', noise } });
}

function decodeFace(bytes: Uint8Array) {
  return openImage(bytes).then((opened) => opened.overview());
}

async function assertRefused(bytes: Uint8Array, what: string, code = 'CORRUPT_IMAGE', fault = 'UNDECODABLE') {
  await assert.rejects(decodeFace(bytes), { code }, what);
  const decoded = await decodeSignature(bytes);
  assert.equal(decoded.kind === 'fault' && decoded.fault, fault, what);
}

async function assertTaken(bytes: Uint8Array, what: string) {
  await assert.doesNotReject(decodeFace(bytes), what);
  assert.equal((await decodeSignature(bytes)).kind, 'colours', what);
}

/** Where the scans of a JPEG begin. */
function scansOf(bytes: Buffer): number[] {
  const found: number[] = [];
  for (
    let at = bytes.indexOf('\xff\xda', 0, 'latin1');
    at >= 0;
    at = bytes.indexOf('\xff\xda', at + 2, 'latin1')
  )
    found.push(at);
  return found;
}

/** A JPEG with other bytes in its frame header, from the precision on. */
async function withFrame(change: (header: Buffer) => void): Promise<Buffer> {
  const bytes = await noisy().jpeg().toBuffer();
  change(bytes.subarray(bytes.indexOf('\xff\xc0', 0, 'latin1')));
  return bytes;
}

for (const progressive of [false, true]) {
  const kind = progressive ? 'progressive' : 'baseline';

  test(`a ${kind} JPEG is whole when its rows are, with or without an end marker`, async () => {
    const bytes = await noisy().jpeg({ progressive }).toBuffer();
    await assertTaken(bytes.subarray(0, -2), 'no end marker');
    await assertTaken(bytes.subarray(0, -1), 'half an end marker');
    await assertTaken(Buffer.concat([bytes, Buffer.alloc(300, 7)]), 'a trailer');
    await assertTaken(
      Buffer.concat([bytes.subarray(0, -2), Buffer.from([1, 2]), END]),
      'bytes before the marker',
    );
  });

  test(`a ${kind} JPEG whose data end early is refused, whatever marker ends it`, async () => {
    for (const side of [320, 1700]) {
      const bytes = await noisy(side, side).jpeg({ progressive }).toBuffer();
      for (const share of [0.5, 0.99]) {
        const cut = bytes.subarray(0, Math.floor(bytes.length * share));
        await assertRefused(cut, `${share}`);
        await assertRefused(Buffer.concat([cut, END]), `${share} with an end marker`);
      }
      await assertRefused(Buffer.concat([bytes.subarray(0, -6), END]), 'the last four bytes');
    }
  });
}

test('a progressive JPEG without its last scans is refused', async () => {
  const bytes = await noisy().jpeg({ progressive: true }).toBuffer();
  const scans = scansOf(bytes);
  assert.ok(scans.length > 3);
  for (const scan of scans.slice(1))
    await assertRefused(Buffer.concat([bytes.subarray(0, scan), END]), `${scan}`);
});

test('a PNG is whole when its rows are, with or without an end chunk', async () => {
  for (const progressive of [false, true]) {
    const bytes = await noisy().png({ progressive }).toBuffer();
    await assertTaken(bytes.subarray(0, -12), 'no end chunk');
    const half = bytes.subarray(0, bytes.length >> 1);
    await assertRefused(Buffer.concat([half, bytes.subarray(-12)]), 'half with an end chunk');
  }
});

test('kinds of image that no decoder reads are called so', async () => {
  const unsupported = (bytes: Uint8Array, what: string) =>
    assertRefused(bytes, what, 'UNSUPPORTED_IMAGE', 'UNSUPPORTED_KIND');
  await unsupported(await withFrame((header) => header.writeUInt8(12, 4)), '12 bits');
  const linesLater = await withFrame((header) => header.writeUInt16BE(0, 5));
  const lines = Buffer.from([0xff, 0xdc, 0, 4, 0, 240]);
  await unsupported(Buffer.concat([linesLater.subarray(0, -2), lines, END]), 'height behind the picture');
  for (const marker of [0xc5, 0xc6, 0xc7, 0xcd, 0xce, 0xcf, 0xf7])
    await unsupported(await withFrame((header) => header.writeUInt8(marker, 1)), marker.toString(16));
  const png = await noisy().png().toBuffer();
  const chunk = (type: string) =>
    Buffer.concat([Buffer.from([0, 0, 0, 0]), Buffer.from(type), Buffer.alloc(4)]);
  await unsupported(Buffer.concat([png.subarray(0, 8), chunk('CgBI'), png.subarray(8)]), 'CgBI');
  await unsupported(Buffer.concat([png.subarray(0, 33), chunk('acTL'), png.subarray(33)]), 'animation');
});
