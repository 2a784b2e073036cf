/** Sheets on which one portrait's face is covered: how many are split without it, and how many clean ones are asked about. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import sharp, { type OverlayOptions } from 'sharp';
import { trusted } from '../core/contracts/ids.ts';
import { createVision } from '../core/vision/pool/vision.ts';
import type { Raster } from '../core/vision/raster.ts';
import { lfwPhotos } from './data.ts';
import { COVERS as DRAWN_COVERS, isHeldOut, type Cover } from './desk/people.ts';
import { painted } from '../research/occlusion/covers.ts';
import { randomFrom } from './gallery/templates.ts';
import { publish, table } from './report.ts';

/** With a covered face; half as many are clean. The scans are kept in the folder that the third argument names, after the seed. */
const SHEETS = Number(process.argv[2] ?? 300);
const KEPT = process.argv[4];
const SEED = Number(process.argv[3] ?? 2027);
const DPI = 100;
const INCH = 25.4;
const QUICK = { compressionLevel: 0 };
/** The head and shoulders in a photo of LFW, and the eyes in one, pixels. */
const PORTRAIT = { left: 60, top: 42, width: 130, height: 167 };
const EYES = [
  { x: 104, y: 113 },
  { x: 146, y: 113 },
] as const;
const FACE_WIDTH = 80;

/** Those that were added last are counted alone. */
const LAYOUTS = {
  grid: { fitted: true },
  'names beside': { fitted: true },
  'plain backdrops': { fitted: true },
  'several sizes, anywhere': { fitted: true },
  'contact sheet': { fitted: true },
  'grey page with letterhead': { fitted: true },
  'form with table and codes': { fitted: true },
  'album page, black': { fitted: true },
  'lined page with stamps': { fitted: true },
  'coloured cards': { fitted: false },
} as const;
type Layout = keyof typeof LAYOUTS;
/** An oval of one colour, a note stuck on the face, and a face that was cut out. */
const OFFICE_COVERS: Readonly<Record<string, Cover>> = {
  oval: (face, _, random) => {
    const colour = [255 * random(), 255 * random(), 255 * random()] as const;
    const isCovered = (u: number, v: number) => (u / 1.3) ** 2 + ((v - 0.5) / 1.6) ** 2 < 1;
    return Promise.resolve(painted(face.raster, face.eyes, isCovered, () => [...colour]));
  },
  note: (face, _, random) => {
    const [left, top] = [-1.2 - 0.4 * random(), -0.9 + 0.4 * random()];
    const isCovered = (u: number, v: number) => u > left && u < left + 2.8 && v > top && v < top + 2.6;
    return Promise.resolve(painted(face.raster, face.eyes, isCovered, () => [250, 232, 120]));
  },
  'cut out': (face, _, random) => {
    const half = 1 + 0.3 * random();
    const isCovered = (u: number, v: number) => Math.abs(u) < half && v > -0.8 && v < 1.8;
    return Promise.resolve(painted(face.raster, face.eyes, isCovered, () => [251, 250, 246]));
  },
};
/** Covers that were added last: a thin veil, and a face that was scribbled over. */
const NEW_COVERS: Readonly<Record<string, Cover>> = {
  'thin veil': (face, _, random) => {
    const [left, share] = [random() * 200, 0.75 + 0.15 * random()];
    const { data, width } = face.raster;
    return Promise.resolve(
      painted(
        face.raster,
        face.eyes,
        (u, v) => Math.abs(u) < 1.6 && v > -1.5 && v < 2.4,
        (x, y) => {
          const tone = 20 + (left * (1 + Math.sin(x / 2) * Math.sin(y / 2))) / 2;
          const at = 3 * (y * width + x);
          const seen = (channel: number) => share * tone + (1 - share) * data[at + channel]!;
          return [seen(0), seen(1), seen(2)];
        },
      ),
    );
  },
  scribble: (face, _, random) => {
    const turn = 0.4 + 0.4 * random();
    const isCovered = (u: number, v: number) =>
      Math.abs(u) < 1.2 && v > -0.8 && v < 1.9 && Math.abs(Math.sin(7 * (v + turn * Math.sin(3 * u)))) > 0.45;
    return Promise.resolve(painted(face.raster, face.eyes, isCovered, () => [24, 40, 110]));
  },
};
const COVERS: Readonly<Record<string, Cover>> = { ...DRAWN_COVERS, ...OFFICE_COVERS, ...NEW_COVERS };

const people = [...Map.groupBy(lfwPhotos(1e6), ({ name }) => name.split('/')[0]!).entries()].map(
  ([person, [photo]]) => ({ person, path: photo!.path }),
);

const vision = await createVision({ modelsFolder: join(import.meta.dirname, '../models'), workers: 1 });
const random = randomFrom(SEED);
const below = (most: number) => Math.floor(random() * most);

async function rasterOf(path: string): Promise<Raster> {
  const { data, info } = await sharp(path).removeAlpha().raw().toBuffer({ resolveWithObject: true });
  return { width: info.width, height: info.height, data: new Uint8Array(data) };
}

/** @param cover name of what hides the face of one portrait; null: no face is hidden @returns the scan, a JPEG */
async function compose(layout: Layout, cover: string | null): Promise<{ jpeg: Buffer; portraits: number }> {
  const px = (millimetres: number) => Math.round((millimetres / INCH) * DPI);
  const any = () => people.filter(({ person }) => isHeldOut(person) !== LAYOUTS[layout].fitted);
  const chosen = any();
  const print: string[] = [];
  const text = (x: number, y: number, size: number, words: string, more = '') =>
    print.push(
      `<text x="${px(x)}" y="${px(y)}" font-family="DejaVu Sans" font-size="${px(size)}" ${layout === 'album page, black' ? 'fill="#eee"' : ''} ${more}>${words}</text>`,
    );
  const words = (count: number) =>
    Array.from(
      { length: count },
      () =>
        'Anna Karim Müller Haddad Rossi Yılmaz Silva Novak Tanaka Mensah registered until 2031'.split(' ')[
          below(12)
        ],
    ).join(' ');

  const places: { x: number; y: number; width: number; height: number }[] = [];
  const isContact = layout === 'contact sheet';
  const isRegister = layout === 'names beside';
  const columns = isRegister ? 1 : isContact ? 3 : 2 + below(2);
  const isLined = layout === 'lined page with stamps';
  const rows = isRegister ? 3 : 2;
  const isForm = layout === 'form with table and codes';
  const top = layout === 'grey page with letterhead' ? 55 : isForm ? 95 : 14;
  const cell = { width: 186 / columns, height: ((isLined ? 235 : 280) - top) / rows };
  for (let row = 0; row < rows; row += 1)
    for (let column = 0; column < columns; column += 1) {
      const several = layout === 'several sizes, anywhere';
      const width = isContact ? 30 : several ? 22 + 14 * random() : 30 + 5 * random() * Number(isRegister);
      const height = (width * 45) / 35;
      const gap = several
        ? [random() * (cell.width - width - 3), random() * (cell.height - height - 8)]
        : [3, 3];
      const step = isContact ? [width + 1.5, height + 1.5] : [cell.width, cell.height];
      places.push({ x: 12 + column * step[0]! + gap[0]!, y: top + row * step[1]! + gap[1]!, width, height });
    }
  const covered = cover === null ? null : below(places.length);
  const layers: OverlayOptions[] = [];
  for (const [number, place] of places.entries()) {
    const { x, y, width, height } = place;
    const box = `x="${px(x)}" y="${px(y)}" width="${px(width)}" height="${px(height)}"`;
    if (layout === 'coloured cards') {
      const tint = `hsl(${below(360)} 45% 86%)`;
      print.push(
        `<rect x="${px(x - 3)}" y="${px(y - 4)}" width="${px(Math.min(82, cell.width - 2))}" height="${px(52)}" rx="${px(3)}" fill="${tint}" stroke="#667"/>`,
      );
      for (const line of [6, 14, 22]) text(x + width + 3, y + line, 2.6, words(1));
    }
    // A field for a photo that nobody gave, some with the outline of a head.
    if (number !== covered && !isContact && places.length > 4 && below(9) === 0) {
      print.push(`<rect ${box} fill="#f0f0f0" stroke="#555"/>`);
      if (below(2) === 0)
        print.push(
          `<circle cx="${px(x + width / 2)}" cy="${px(y + height * 0.4)}" r="${px(width / 5)}" fill="#b9b9b9"/><ellipse cx="${px(x + width / 2)}" cy="${px(y + height)}" rx="${px(width / 2.6)}" ry="${px(height / 3)}" fill="#b9b9b9"/>`,
        );
      continue;
    }
    let raster = await rasterOf(chosen[below(chosen.length)]!.path);
    if (layout === 'plain backdrops') raster = onPlain(raster, 190 + below(60));
    if (number === covered) {
      const cloth = await rasterOf(chosen[below(chosen.length)]!.path);
      const face = { name: '', raster, eyes: EYES, width: FACE_WIDTH };
      raster = await COVERS[cover!]!(face, cloth, random);
    }
    const { data, ...size } = raster;
    const input = await sharp(data, { raw: { ...size, channels: 3 } })
      .extract(PORTRAIT)
      .resize(px(width), px(height), { fit: 'fill' })
      .png()
      .toBuffer();
    layers.push({ input, left: px(x), top: px(y) });
    if (isRegister) for (const line of [6, 13, 20, 27]) text(x + width + 8, y + line, 3.5, words(5));
    else if (!isContact) text(x, y + height + 4, 3, words(2));
  }
  const isAlbum = layout === 'album page, black';
  const isGrey = layout === 'grey page with letterhead';
  if (isGrey) {
    print.push(
      `<circle cx="${px(28)}" cy="${px(26)}" r="${px(13)}" fill="#0b5d3b"/><path d="M${px(20)} ${px(32)} L${px(28)} ${px(16)} L${px(36)} ${px(32)} Z" fill="#f2c230"/>`,
      `<circle cx="${px(170)}" cy="${px(30)}" r="${px(15)}" fill="none" stroke="#24408f" stroke-width="${px(1)}"/><circle cx="${px(170)}" cy="${px(30)}" r="${px(11)}" fill="none" stroke="#24408f" stroke-width="${px(0.4)}"/>`,
    );
    text(158, 31, 4, 'OFFICE', 'fill="#24408f" font-weight="bold"');
    text(48, 24, 8, 'Ministry of Labour', 'font-weight="bold"');
    for (const line of [31, 35, 39, 43]) text(48, line, 2.5, words(8));
    for (let line = 0; line < 6; line += 1)
      print.push(`<path d="M${px(12)} ${px(46 + line)} H${px(198)}" stroke="#888" stroke-width="1"/>`);
    print.push(
      `<path d="M${px(140)} ${px(290)} c 20 -60 40 40 60 -20 s 30 -30 50 10 s 60 -40 90 0" fill="none" stroke="#1b2a6b" stroke-width="${px(0.6)}"/>`,
    );
  }
  if (isForm) {
    // A band that grows lighter, a table with filled rows, a square code and a bar code.
    print.push(
      `<defs><linearGradient id="band"><stop offset="0" stop-color="#123a6d"/><stop offset="1" stop-color="#a9c4e6"/></linearGradient></defs><rect width="${px(210)}" height="${px(14)}" fill="url(#band)"/>`,
    );
    text(12, 10, 7, 'Register of workers', 'fill="#fff" font-weight="bold"');
    for (let line = 0; line < 8; line += 1) {
      if (line % 2 === 0)
        print.push(
          `<rect x="${px(12)}" y="${px(20 + 8 * line)}" width="${px(130)}" height="${px(8)}" fill="#d7dfea" stroke="#445"/>`,
        );
      text(14, 26 + 8 * line, 3.5, words(7));
    }
    for (let module = 0; module < 29 * 29; module += 1)
      if (below(2) === 0)
        print.push(
          `<rect x="${px(152) + 5 * (module % 29)}" y="${px(22) + 5 * Math.floor(module / 29)}" width="5" height="5"/>`,
        );
    for (let bar = 0; bar < 70; bar += 1)
      if (below(2) === 0)
        print.push(`<rect x="${px(152) + 4 * bar}" y="${px(55)}" width="4" height="${px(18)}"/>`);
  }
  if (layout === 'lined page with stamps') {
    for (let y = 8; y < 290; y += 8)
      print.unshift(`<path d="M${px(6)} ${px(y)} H${px(204)}" stroke="#9fb6d8" stroke-width="1.5"/>`);
    print.unshift(`<path d="M${px(9)} 0 V${px(297)}" stroke="#d98a8a" stroke-width="2"/>`);
    for (const [x, y, colour] of [
      [150, 262, '#a3122a'],
      [60, 268, '#24408f'],
    ] as const) {
      print.push(
        `<circle cx="${px(x)}" cy="${px(y)}" r="${px(17)}" fill="none" stroke="${colour}" stroke-width="${px(1.2)}" opacity="0.8"/><circle cx="${px(x)}" cy="${px(y)}" r="${px(12)}" fill="none" stroke="${colour}" stroke-width="${px(0.5)}" opacity="0.8"/>`,
      );
      text(x - 10, y + 1, 4, 'APPROVED', `fill="${colour}" font-weight="bold" opacity="0.8"`);
    }
  }
  const page = { width: px(210), height: px(297) };
  const drawn = `<svg xmlns="http://www.w3.org/2000/svg" width="${page.width}" height="${page.height}"><rect width="100%" height="100%" fill="${isGrey ? '#c9c8c4' : isAlbum ? '#17171a' : '#fbfaf6'}"/>${print.join('')}</svg>`;
  const flat = await sharp(Buffer.from(drawn)).flatten().composite(layers).png(QUICK).toBuffer();
  const slant = 6 * random() - 3;
  const turned = await sharp(flat).rotate(slant, { background: '#ffffff' }).png(QUICK).toBuffer();
  const { width, height } = await sharp(turned).metadata();
  const noise = { type: 'gaussian', mean: 128, sigma: 4 } as const;
  const grain = await sharp({ create: { width, height, channels: 3, background: '#808080', noise } })
    .png(QUICK)
    .toBuffer();
  const jpeg = await sharp(turned)
    .composite([{ input: grain, blend: 'soft-light' }])
    .jpeg({ quality: 85 })
    .toBuffer();
  return { jpeg, portraits: layers.length };
}

/** Head and shoulders in front of a plain wall. */
function onPlain(raster: Raster, tone: number): Raster {
  const data = new Uint8Array(raster.data);
  for (let y = 0; y < raster.height; y += 1)
    for (let x = 0; x < raster.width; x += 1) {
      const isHead = ((x - 125) / 56) ** 2 + ((y - 122) / 74) ** 2 < 1;
      const isBody = y > 178 && Math.abs(x - 125) < 30 + 1.6 * (y - 178);
      if (!isHead && !isBody) data.fill(tone, 3 * (y * raster.width + x), 3 * (y * raster.width + x) + 3);
    }
  return { ...raster, data };
}

interface Outcome {
  layout: Layout;
  cover: string | null;
  isAsked: boolean;
  isLost: boolean;
}

const covers = Object.keys(COVERS);
const layouts = Object.keys(LAYOUTS) as Layout[];
const outcomes: Outcome[] = [];
for (let number = 0; number < 1.5 * SHEETS; number += 1) {
  const layout = layouts[number % layouts.length]!;
  // Of each layout every third sheet is clean; the covers take turns.
  const round = Math.floor(number / layouts.length);
  const turn = round - Math.floor(round / 3);
  const cover = round % 3 === 2 ? null : covers[(turn + 5 * (number % layouts.length)) % covers.length]!;
  const { jpeg, portraits } = await compose(layout, cover);
  const converted = await vision.convert(jpeg, {
    company: trusted.company(1),
    priority: 'bulk',
    use: 'sheet',
  });
  if (converted.kind !== 'converted') throw new Error('A composed sheet cannot be read.');
  const photos = converted.portraits?.length;
  outcomes.push({
    layout,
    cover,
    isAsked: photos === undefined,
    isLost: photos !== undefined && photos < portraits,
  });
  console.log(number + 1, layout, cover, portraits, photos ?? 'asked');
  if (KEPT !== undefined) await writeFile(join(KEPT, `${number + 1}.jpg`), jpeg);
}
await vision.close();

const isFitted = ({ layout, cover }: Outcome) =>
  LAYOUTS[layout].fitted && (cover === null || !(cover in NEW_COVERS));
function counted(label: string, of: readonly Outcome[]) {
  const [clean, covered] = [
    of.filter(({ cover }) => cover === null),
    of.filter(({ cover }) => cover !== null),
  ];
  const asked = (sheets: readonly Outcome[]) => sheets.filter(({ isAsked }) => isAsked).length;
  const lost = (sheets: readonly Outcome[]) => sheets.filter(({ isLost }) => isLost).length;
  return [label, covered.length, asked(covered), lost(covered), clean.length, asked(clean), lost(clean)];
}
publish({
  name: 'coveredSheets',
  title: 'Sheets with a covered face',
  body: `A4 pages at ${DPI} dpi, composed of photos of LFW by a fixed seed; the face of one portrait is covered, or none is. Limits were chosen on other sheets with these layouts and covers; those of the second row came last and were looked at before the last limits were set. Asked: the sheet stays whole for a person. Lost: it became fewer photos than it has portraits, and nobody was asked. Of the others each portrait became a photo, also one whose face is found in spite of the cover; its own quality check follows.

${table(
  ['sheets', 'with a covered face', 'asked', 'lost', 'clean', 'asked', 'lost'],
  [
    counted('first layouts and covers', outcomes.filter(isFitted)),
    counted(
      'those added last',
      outcomes.filter((each) => !isFitted(each)),
    ),
    ...layouts.map((layout) =>
      counted(
        layout,
        outcomes.filter((each) => each.layout === layout),
      ),
    ),
    ...covers.map((cover) =>
      counted(
        cover,
        outcomes.filter((each) => each.cover === cover),
      ),
    ),
    counted('all', outcomes),
  ],
)}`,
});
