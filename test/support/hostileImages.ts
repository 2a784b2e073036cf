/** Images as an attacker would send them: changed at random from whole ones, and made to cost what they can. */
import { crc32, deflateSync } from 'node:zlib';
import sharp from 'sharp';

const SIGNATURE = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1');

function chunk(type: string, content: Buffer): Buffer {
  const framed = Buffer.alloc(12 + content.length);
  framed.writeUInt32BE(content.length);
  framed.write(type, 4, 'latin1');
  content.copy(framed, 8);
  framed.writeUInt32BE(crc32(framed.subarray(4, 8 + content.length)), 8 + content.length);
  return framed;
}

/** A PNG that claims a size. @param data the content of its image data */
export function claimedPng(
  width: number,
  height: number,
  data: Buffer,
  { depth = 8, colour = 2, interlaced = false } = {},
): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width);
  header.writeUInt32BE(height, 4);
  header.set([depth, colour, 0, 0, interlaced ? 1 : 0], 8);
  return Buffer.concat([
    SIGNATURE,
    chunk('IHDR', header),
    chunk('IDAT', data),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

/** A progressive JPEG whose last scan stands there so many times more. */
export async function scannedJpeg(side: number, more: number): Promise<Buffer> {
  const flat = sharp({ create: { width: side, height: side, channels: 3, background: '#777' } });
  const bytes = await flat.jpeg({ progressive: true, chromaSubsampling: '4:4:4' }).toBuffer();
  const last = bytes.subarray(bytes.lastIndexOf(Buffer.from([0xff, 0xda])), -2);
  return Buffer.concat([
    bytes.subarray(0, -2),
    ...Array.from({ length: more }, () => last),
    bytes.subarray(-2),
  ]);
}

/** Small files that claim or cost much, by name. The large ones take seconds to make and to decode. */
export async function headerBombs({ large }: { large: boolean }): Promise<Map<string, Buffer>> {
  const none = deflateSync(Buffer.alloc(0));
  const zeros = (bytes: number) => deflateSync(Buffer.alloc(bytes), { level: 9 });
  const rgba16 = { depth: 16, colour: 6 };
  const bombs = new Map([
    ['8,323,078 × 6 without pixels', claimedPng(8_323_078, 6, none)],
    ['7,077,894 × 6 without pixels', claimedPng(7_077_894, 6, none)],
    ['1 × 50,000,000 without pixels', claimedPng(1, 50_000_000, none)],
    ['390,625 × 64 RGBA16 without pixels', claimedPng(390_625, 64, none, rgba16)],
    ['2³¹ − 1 squared', claimedPng(0x7fffffff, 0x7fffffff, none)],
    ['20,000 × 1', claimedPng(20_000, 1, zeros(60_001))],
    ['1 × 20,000', claimedPng(1, 20_000, zeros(80_000))],
    ['20,000 × 30 RGBA16', claimedPng(20_000, 30, zeros(30 * 160_001), rgba16)],
    ['an impossible depth', claimedPng(64, 64, zeros(64 * 193), { depth: 255 })],
    ['an unknown colour type', claimedPng(64, 64, zeros(64 * 193), { colour: 7 })],
    ['1,000 scans of 400 × 400', await scannedJpeg(400, 1000)],
  ]);
  if (large) {
    bombs.set('20,000 × 2,500 RGBA16', claimedPng(20_000, 2500, zeros(2500 * 160_001), rgba16));
    bombs.set('2,500 × 20,000 RGBA16', claimedPng(2500, 20_000, zeros(20_000 * 20_001), rgba16));
    bombs.set('50,000,000 × 1 RGBA16', claimedPng(50_000_000, 1, zeros(400_000_001), rgba16));
    // Seven passes; a few more rows than there are bytes for do no harm.
    const passes = zeros(6100 * 6100 * 8 + 60_000);
    bombs.set('6,100² RGBA16 interlaced', claimedPng(6100, 6100, passes, { ...rgba16, interlaced: true }));
    bombs.set(
      '7,071² RGBA16 interlaced',
      claimedPng(7071, 7071, zeros(400_050_000), { ...rgba16, interlaced: true }),
    );
    bombs.set('7,071² progressive', await scannedJpeg(7071, 0));
    bombs.set('7,071² with 100 scans more', await scannedJpeg(7071, 100));
    bombs.set('3,600² with 40 scans more', await scannedJpeg(3600, 40));
  }
  return bombs;
}

/** Whole images of every kind that the decoders have a way of their own for, to be changed by {@link mutated}. */
export async function sampleImages(random: () => number): Promise<Buffer[]> {
  const side = () => 24 + Math.floor(random() * 200);
  const noise = { type: 'gaussian' as const, mean: 128, sigma: 50 };
  const picture = (channels: 3 | 4) =>
    sharp({ create: { width: side(), height: side(), channels, background: '#456', noise } });
  return Promise.all([
    picture(3).jpeg().toBuffer(),
    picture(3).jpeg({ progressive: true, chromaSubsampling: '4:4:4' }).toBuffer(),
    picture(3).jpeg({ quality: 5 }).withMetadata({ orientation: 6 }).toBuffer(),
    picture(3).toColourspace('cmyk').jpeg().toBuffer(),
    picture(3).toColourspace('b-w').jpeg({ progressive: true }).toBuffer(),
    picture(3).withIccProfile('p3').jpeg().toBuffer(),
    picture(3).png().toBuffer(),
    picture(4).png({ progressive: true }).toBuffer(),
    picture(3).png({ palette: true, colours: 16 }).toBuffer(),
    picture(3).toColourspace('rgb16').png().toBuffer(),
    picture(3).toColourspace('grey16').png({ progressive: true }).toBuffer(),
    picture(4)
      .withExif({ IFD0: { ImageDescription: 'x'.repeat(500) } })
      .png()
      .toBuffer(),
  ]);
}

/** Values at which arithmetic on lengths and sizes goes wrong. */
const EDGES = [0, 1, 0x7f, 0x80, 0xff, 0xd8, 0xda, 0xc4];

/** A copy with a few random changes: bits, bytes, lengths, cuts, repeats, parts of another image, other markers. */
export function mutated(source: Buffer, other: Buffer, random: () => number): Buffer {
  let bytes = Buffer.from(source);
  const upTo = (most: number) => Math.floor(random() * most);
  // Headers decide more than pixels do.
  const place = () => upTo(random() < 0.5 ? Math.min(bytes.length, 700) : bytes.length);
  for (let changes = 1 + upTo(6); changes > 0 && bytes.length > 16; changes--) {
    const at = place();
    const length = 1 + upTo(random() < 0.8 ? 16 : 4096);
    switch (upTo(8)) {
      case 0:
        bytes[at] = bytes[at]! ^ (1 << upTo(8));
        break;
      case 1:
        bytes[at] = EDGES[upTo(EDGES.length)]!;
        break;
      case 2:
        bytes.fill(upTo(256), at, Math.min(at + length, bytes.length));
        break;
      case 3:
        bytes = Buffer.concat([bytes.subarray(0, at), bytes.subarray(at + length)]);
        break;
      case 4:
        bytes = Buffer.concat([bytes.subarray(0, at + length), bytes.subarray(at)]);
        break;
      case 5:
        bytes = Buffer.concat([
          bytes.subarray(0, at),
          other.subarray(upTo(other.length)).subarray(0, length),
          bytes.subarray(at),
        ]);
        break;
      case 6:
        if (at + 4 < bytes.length) bytes.writeUInt32BE(random() < 0.5 ? upTo(2 ** 32) : upTo(70_000), at);
        break;
      default:
        if (random() < 0.2) bytes = bytes.subarray(0, at + 8);
        else bytes.set([0xff, 0xc0 + upTo(64)], Math.min(at, bytes.length - 2));
    }
  }
  return bytes.subarray(0, 4).equals(SIGNATURE.subarray(0, 4)) && random() < 0.8
    ? withRightSums(bytes)
    : bytes;
}

/** A changed chunk gets past its checksum, so that the decoder sees the change. */
function withRightSums(bytes: Buffer): Buffer {
  for (let at = 8; at + 12 <= bytes.length;) {
    const end = at + 8 + bytes.readUInt32BE(at);
    if (end + 4 > bytes.length) break;
    bytes.writeUInt32BE(crc32(bytes.subarray(at + 4, end)), end);
    at = end + 4;
  }
  return bytes;
}
