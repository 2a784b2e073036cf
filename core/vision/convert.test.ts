import assert from 'node:assert/strict';
import { test } from 'node:test';
import sharp from 'sharp';
import { writeFac } from '../decoding/records/fac.ts';
import { jp2Of, jpeg2000Of } from '../../test/support/jpeg2000.ts';
import { convertPicture } from './convert.ts';
import { restrictDecoder, UnreadableImage } from './decode.ts';

// Another test of this process may have restricted the decoder, which is to draw first.
sharp.unblock({ operation: ['VipsForeignLoad'] });
const [WIDTH, HEIGHT] = [96, 64];
/** Red above, green below with a blue corner: mirrored, turned or with swapped colours it is another picture. */
const DRAWING = Buffer.from(
  `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${HEIGHT}"><rect width="96" height="64" fill="#c02010"/><rect y="32" width="96" height="32" fill="#10a030"/><rect x="64" y="32" width="32" height="32" fill="#2030d0"/></svg>`,
);
const PICTURE = await sharp(DRAWING).removeAlpha().png().toBuffer();
const COLOURS = [
  [0xc0, 0x20, 0x10],
  [0x10, 0xa0, 0x30],
  [0x20, 0x30, 0xd0],
];
const GREY = await sharp(PICTURE).greyscale().png().toBuffer();
const JPEG2000 = await jpeg2000Of(PICTURE);

async function outcomeOf(file: Uint8Array): Promise<string> {
  try {
    const found = await convertPicture(file);
    return found.kind === 'converted' ? found.original : found.reason.code;
  } catch (error) {
    if (error instanceof UnreadableImage) return error.code;
    throw error;
  }
}

/** The colours at the middles of the three parts, once the picture is a JPEG. */
async function coloursOf(file: Uint8Array): Promise<number[][]> {
  const found = await convertPicture(file);
  assert.ok(found.kind === 'converted', JSON.stringify(found));
  const { data, info } = await sharp(found.content).raw().toBuffer({ resolveWithObject: true });
  assert.deepEqual([info.width, info.height], [WIDTH, HEIGHT]);
  return [
    [48, 16],
    [32, 48],
    [80, 48],
  ].map(([x, y]) => [...data.subarray(3 * (y! * WIDTH + x!)).subarray(0, 3)]);
}

async function assertDrawn(file: Uint8Array, what: string, colours = COLOURS, within = 6): Promise<void> {
  for (const [index, found] of (await coloursOf(file)).entries())
    for (const [channel, value] of found.entries())
      assert.ok(
        Math.abs(value - colours[index]![channel]!) <= within,
        `${what}: ${found.join()} at ${index}`,
      );
}

/** A bitmap of Windows with rows from below, or from above. */
async function bitmap(bits: number, topDown = false): Promise<Buffer> {
  const { data } = await sharp(PICTURE).raw().toBuffer({ resolveWithObject: true });
  const palette = bits <= 8 ? COLOURS : [];
  const stride = Math.ceil((WIDTH * bits) / 32) * 4;
  const pixelsAt = 54 + 4 * palette.length;
  const file = Buffer.alloc(pixelsAt + stride * HEIGHT);
  file.write('BM');
  file.writeUInt32LE(pixelsAt, 10);
  file.writeUInt32LE(40, 14);
  file.writeInt32LE(WIDTH, 18);
  file.writeInt32LE(topDown ? -HEIGHT : HEIGHT, 22);
  file.writeUInt16LE(bits, 28);
  for (const [index, [red, green, blue]] of palette.entries())
    file.set([blue!, green!, red!], 54 + 4 * index);
  for (let y = 0; y < HEIGHT; y++)
    for (let x = 0; x < WIDTH; x++) {
      const [red, green, blue] = data.subarray(3 * (y * WIDTH + x));
      const row = pixelsAt + stride * (topDown ? y : HEIGHT - 1 - y);
      const index = y < 32 ? 0 : x < 64 ? 1 : 2;
      if (bits === 4) file[row + (x >> 1)]! |= index << (x % 2 === 0 ? 4 : 0);
      else if (bits === 8) file[row + x] = index;
      else if (bits === 16)
        file.writeUInt16LE(((red! >> 3) << 10) | ((green! >> 3) << 5) | (blue! >> 3), row + 2 * x);
      else file.set([blue!, green!, red!], row + (bits / 8) * x);
    }
  return file;
}

const FORMATS: Record<string, [string, Uint8Array | Promise<Uint8Array>]> = {
  WebP: ['WebP', sharp(PICTURE).webp({ quality: 95 }).toBuffer()],
  'lossless WebP': ['WebP', sharp(PICTURE).webp({ lossless: true }).toBuffer()],
  AVIF: ['AVIF', sharp(PICTURE).avif({ quality: 90 }).toBuffer()],
  'GIF of two frames': [
    'GIF',
    sharp([PICTURE, await sharp(PICTURE).negate().toBuffer()], { join: { animated: true } })
      .gif()
      .toBuffer(),
  ],
  'TIFF with LZW': ['TIFF', sharp(PICTURE).tiff({ compression: 'lzw' }).toBuffer()],
  'TIFF with JPEG': ['TIFF', sharp(PICTURE).tiff({ compression: 'jpeg', quality: 95 }).toBuffer()],
  'TIFF with deflate and 16 bits': [
    'TIFF',
    sharp(PICTURE).toColourspace('rgb16').tiff({ compression: 'deflate' }).toBuffer(),
  ],
  'codestream of JPEG 2000': ['JPEG 2000', JPEG2000],
  'lossy JP2': ['JPEG 2000', jp2Of(await jpeg2000Of(PICTURE, false))],
  'BMP of 4 bits': ['BMP', bitmap(4)],
  'BMP of 8 bits': ['BMP', bitmap(8)],
  'BMP of 16 bits': ['BMP', bitmap(16)],
  'BMP of 24 bits': ['BMP', bitmap(24)],
  'BMP of 24 bits from above': ['BMP', bitmap(24, true)],
  'BMP of 32 bits': ['BMP', bitmap(32)],
};

// While nothing is decoded: every loader is blocked for a moment.
for (const [, made] of Object.values(FORMATS)) await made;
restrictDecoder();

for (const [name, [kind, made]] of Object.entries(FORMATS))
  test(`${name} becomes a JPEG of the same picture`, async () => {
    const file = await made;
    assert.equal(await outcomeOf(file), kind);
    await assertDrawn(file, name, COLOURS, name.includes('lossy') || name.includes('16') ? 12 : 6);
  });

test('a fax of black and white in TIFF is read', async () => {
  const fax = await sharp(GREY)
    .threshold(60)
    .toColourspace('b-w')
    .tiff({ compression: 'ccittfax4', bitdepth: 1 })
    .toBuffer();
  assert.equal(await outcomeOf(fax), 'TIFF');
});

test('grey and sYCC pictures of JPEG 2000 have their colours', async () => {
  const grey = jp2Of(await jpeg2000Of(await sharp(GREY).toColourspace('b-w').png().toBuffer()), 17);
  const [[, above], [, left], [, right]] = (await coloursOf(grey)) as [number[], number[], number[]];
  assert.ok(above! < left! && right! < left!);
  const ycc = await sharp(PICTURE).raw().toBuffer();
  for (let at = 0; at < ycc.length; at += 3) {
    const [r, g, b] = [ycc[at]!, ycc[at + 1]!, ycc[at + 2]!];
    ycc[at] = 0.299 * r + 0.587 * g + 0.114 * b;
    ycc[at + 1] = 128 - 0.168736 * r - 0.331264 * g + 0.5 * b;
    ycc[at + 2] = 128 + 0.5 * r - 0.418688 * g - 0.081312 * b;
  }
  const stored = await sharp(ycc, { raw: { width: WIDTH, height: HEIGHT, channels: 3 } })
    .png()
    .toBuffer();
  await assertDrawn(jp2Of(await jpeg2000Of(stored), 18), 'sYCC');
});

test('a picture in a record is taken as it is, or converted', async () => {
  const eyes = { left: { x: 50, y: 30 }, right: { x: 30, y: 30 } };
  const jpeg = await sharp(PICTURE).jpeg({ quality: 95 }).toBuffer();
  const ofJpeg = await convertPicture(writeFac({ jpeg, width: WIDTH, height: HEIGHT, eyes }, 2005));
  assert.ok(ofJpeg.kind === 'converted');
  assert.deepEqual(Buffer.from(ofJpeg.content), jpeg);
  assert.deepEqual(ofJpeg.record?.eyes, eyes);
  await assertDrawn(
    writeFac({ jpeg: jp2Of(JPEG2000), width: WIDTH, height: HEIGHT, eyes }, 2011),
    'JPEG 2000 in a record',
  );
});

test('a picture whose data end early is refused, whatever its format', async () => {
  const noise = await sharp({
    create: {
      width: 300,
      height: 300,
      channels: 3,
      background: '#888',
      noise: { type: 'gaussian', mean: 128, sigma: 40 },
    },
  })
    .png()
    .toBuffer();
  const whole = {
    webp: await sharp(noise).webp().toBuffer(),
    avif: await sharp(noise).avif().toBuffer(),
    gif: await sharp(noise).gif().toBuffer(),
    tiff: await sharp(noise).tiff({ compression: 'jpeg' }).toBuffer(),
    'JPEG 2000': await jpeg2000Of(noise, false),
    bmp: await bitmap(24),
  };
  for (const [format, file] of Object.entries(whole))
    for (const share of [0.3, 0.6, 0.95])
      assert.equal(
        await outcomeOf(file.subarray(0, file.length * share)),
        'CORRUPT_IMAGE',
        `${format} ${share}`,
      );
});

test('a picture beyond the limits is refused by its header', async () => {
  const large = Buffer.from(JPEG2000);
  large.writeUInt32BE(30_000, 8);
  assert.equal(await outcomeOf(large), 'IMAGE_TOO_LARGE');
  const bmp = await bitmap(24);
  bmp.writeInt32LE(19_000, 18);
  bmp.writeInt32LE(19_000, 22);
  assert.equal(await outcomeOf(bmp), 'IMAGE_TOO_LARGE');
  const tiff = await sharp(PICTURE).tiff({ compression: 'lzw' }).toBuffer();
  // ImageWidth and ImageLength, of one SHORT each.
  for (const tag of ['000103000100000060', '010103000100000040']) {
    const at = tiff.indexOf(Buffer.from(tag, 'hex'));
    assert.ok(at > 0, tag);
    tiff.writeUInt16LE(19_000, at + 8);
  }
  assert.equal(await outcomeOf(tiff), 'IMAGE_TOO_LARGE');
});

test('a picture of 49 megapixels is converted in little memory, or refused', async () => {
  const large = sharp({ create: { width: 7_000, height: 7_000, channels: 3, background: '#c02010' } });
  const before = process.memoryUsage.rss();
  assert.equal(await outcomeOf(await large.clone().tiff({ compression: 'deflate' }).toBuffer()), 'TIFF');
  const taken = process.resourceUsage().maxRSS * 1024 - before;
  assert.ok(taken < 300_000_000, `${taken} bytes`);
  const avif = await large.resize(100).avif({ effort: 0 }).toBuffer();
  const size = avif.indexOf('ispe');
  for (const at of [8, 12]) avif.writeUInt32BE(6_000, size + at);
  assert.equal(await outcomeOf(avif), 'IMAGE_TOO_LARGE');
});

test('headers of JPEG 2000 that ask for gigabytes are refused', async () => {
  const cod = JPEG2000.indexOf(Buffer.from('ff52', 'hex'));
  const levels = JPEG2000[cod + 9]!;
  const behind = cod + 2 + JPEG2000.readUInt16BE(cod + 2);
  // Precincts of two by two pixels at each level, in one tile of 2,000 by 2,000.
  const precincts = Buffer.concat([
    JPEG2000.subarray(0, behind),
    Buffer.alloc(levels + 1, 0x11),
    JPEG2000.subarray(behind),
  ]);
  precincts[cod + 4]! |= 1;
  precincts.writeUInt16BE(behind - cod - 2 + levels + 1, cod + 2);
  for (const at of [8, 12, 24, 28]) precincts.writeUInt32BE(2_000, at);
  assert.equal(await outcomeOf(precincts), 'IMAGE_TOO_LARGE');
  assert.ok(process.resourceUsage().maxRSS < 1_000_000, `${process.resourceUsage().maxRSS} KiB`);
});

test('a JPEG 2000 whose components differ in bits is refused', async () => {
  const mixed = Buffer.from(JPEG2000);
  mixed[42 + 3] = 11;
  assert.equal(await outcomeOf(mixed), 'UNSUPPORTED_IMAGE');
});

test('a JPEG 2000 of which a tile is missing is refused', async () => {
  const wide = Buffer.from(JPEG2000);
  wide.writeUInt32BE(2 * WIDTH, 8);
  const tile = Buffer.from(JPEG2000.subarray(JPEG2000.indexOf(Buffer.from('ff90', 'hex')), -2));
  tile.writeUInt16BE(1, 4);
  const end = JPEG2000.subarray(-2);
  assert.equal(await outcomeOf(Buffer.concat([wide.subarray(0, -2), tile, end])), 'JPEG 2000');
  assert.equal(await outcomeOf(wide), 'CORRUPT_IMAGE');
});

test('files of other kinds are refused by their names, with the way out', async () => {
  const start = (text: string) => outcomeOf(Buffer.from(text.padEnd(64, '\0'), 'latin1'));
  assert.equal(await start('\0\0\0\x18ftypheic\0\0\0\0mif1heic'), 'PICTURE_HEIC');
  assert.equal(await start('%PDF-1.7\n'), 'PICTURE_DOCUMENT');
  assert.equal(await outcomeOf(DRAWING), 'PICTURE_DOCUMENT');
  for (const text of ['\xff\x0a', '8BPS', 'II*\0\x10\0\0\0CR', 'II\xbc\x01', 'FUJIFILMCCD-RAW'])
    assert.equal(await start(text), 'PICTURE_UNSUPPORTED', text);
  assert.equal(await start('hello'), 'PICTURE_UNKNOWN');
  assert.equal(await start('FAC\x00999\0'), 'RECORD_VERSION_UNSUPPORTED');
});
