/** Cards with ghost portraits of many kinds, alone and several on a page: right, wrong, left to a person. */
import { join } from 'node:path';
import sharp, { type OverlayOptions, type Sharp } from 'sharp';
import { trusted } from '../core/contracts/ids.ts';
import { distanceAtFmr, distanceOf } from '../core/domain/scores/scores.ts';
import { createVision } from '../core/vision/pool/vision.ts';
import { randomFrom } from './gallery/templates.ts';
import { publish, table } from './report.ts';
import { ASPECT, firstPhotos, pixelsAt, PORTRAIT } from './sheetPages/paper.ts';

const CARDS = Number(process.argv[2] ?? 200);
const SHEETS = Number(process.argv[3] ?? 40);
const SEED = Number(process.argv[4] ?? 451);
/** ID-1, millimetres. */
const CARD = { width: 85.6, height: 54 };

const people = firstPhotos();
const vision = await createVision({ modelsFolder: join(import.meta.dirname, '../models'), workers: 1 });
const random = randomFrom(SEED);
const below = (most: number) => Math.floor(random() * most);
const oneOf = <T>(of: readonly T[]) => of[below(of.length)]!;

interface Ghost {
  /** Millimetres; the face is 0.6 times as wide. */
  width: number;
  tone?: (photo: Sharp) => Sharp;
  isOval?: boolean;
  isOverText?: boolean;
  isAllGrey?: boolean;
  isOfOther?: boolean;
}
const pale = (contrast: number, light: number) => (photo: Sharp) => photo.greyscale().linear(contrast, light);
const GHOSTS: Readonly<Record<string, Ghost | null>> = {
  'no ghost': null,
  'pale ghost': { width: 12, tone: pale(0.45, 115) },
  'ghost in a window': { width: 11, isOval: true, tone: pale(0.7, 60) },
  'ghost in negative': { width: 12, tone: (photo) => photo.greyscale().negate().linear(0.6, 80) },
  'micro ghost': { width: 5, tone: pale(0.6, 90) },
  'engraved grey ghost': { width: 13, tone: (photo) => photo.greyscale().linear(1.3, -20) },
  'ghost under text': { width: 14, tone: pale(0.5, 100), isOverText: true },
  'both portraits grey': { width: 13, tone: pale(0.8, 40), isAllGrey: true },
  'child and parent': { width: 14, isOfOther: true },
  'visa opposite, other portrait': { width: 20, isOfOther: true, tone: pale(0.9, 15) },
};

const WORDS = 'KARIM HADDAD ROSSI SILVA NOVAK TANAKA MENSAH 12.04.1987 M/F 4471-882 ISSUED'.split(' ');
const words = (count: number) => Array.from({ length: count }, () => oneOf(WORDS)).join(' ');

interface Print {
  svg: string[];
  photos: OverlayOptions[];
}

/** Prints a card at a place of the page, millimetres. @returns photos of the people on it, the portrait first */
async function printCard(page: Print, kind: string, dpi: number, at: { x: number; y: number }) {
  const px = pixelsAt(dpi);
  const ghost = GHOSTS[kind] ?? null;
  const person = oneOf(people).path;
  const text = (x: number, y: number, size: number, line: string, more = '') =>
    page.svg.push(
      `<text x="${px(at.x + x)}" y="${px(at.y + y)}" font-size="${px(size)}" ${more}>${line}</text>`,
    );
  const rect = (x: number, y: number, width: number, height: number, more: string) =>
    page.svg.push(
      `<rect x="${px(at.x + x)}" y="${px(at.y + y)}" width="${px(width)}" height="${px(height)}" ${more}/>`,
    );
  rect(
    0,
    0,
    CARD.width,
    CARD.height,
    `rx="${px(3)}" fill="${oneOf(['#e3ecf2', '#f1e6dc', '#e6f0e2'])}" stroke="#777"`,
  );
  // A flag, then a chip or a signature, then a bar code or lines for machines.
  ['#b33', '#fff', '#36a'].forEach((colour, band) => rect(4 + 3 * band, 3, 3, 5, `fill="${colour}"`));
  if (below(2) === 0) rect(36, 30, 10, 8, 'fill="#c9a64a" stroke="#765"');
  else text(34, 40, 5, oneOf(WORDS), 'font-style="italic" fill="#225"');
  if (below(2) === 0)
    for (let bar = 0; bar < 30; bar += 1) rect(4 + bar, 48, 0.3 + 0.5 * random(), 4, 'fill="#111"');
  else
    for (const line of [0, 3.4])
      text(4, 48 + line, 2.8, 'IDXXX4471882&lt;&lt;&lt;'.padEnd(60, '&lt;'), 'font-family="monospace"');
  for (const line of [0, 5, 10]) text(34, 14 + line, 2.8, words(2));
  const paste = async (
    path: string,
    x: number,
    y: number,
    width: number,
    { tone, isOval }: Partial<Ghost> = {},
  ) => {
    const size = { width: px(width), height: px(width * ASPECT) };
    const cut = await sharp(path)
      .extract(PORTRAIT)
      .resize({ ...size, fit: 'fill' })
      .png()
      .toBuffer();
    const toned = await (tone?.(sharp(cut)) ?? sharp(cut)).toColourspace('srgb').png().toBuffer();
    const oval = `<svg width="${size.width}" height="${size.height}"><ellipse cx="50%" cy="50%" rx="50%" ry="50%"/></svg>`;
    const shaped = isOval
      ? await sharp(toned)
          .ensureAlpha()
          .composite([{ input: Buffer.from(oval), blend: 'dest-in' }])
          .png()
          .toBuffer()
      : toned;
    page.photos.push({ input: shaped, left: px(at.x + x), top: px(at.y + y) });
  };
  await paste(person, 5, 11, 25, ghost?.isAllGrey ? { tone: (photo) => photo.greyscale() } : {});
  const shown = [person];
  if (ghost !== null) {
    const other = ghost.isOfOther ? oneOf(people.filter(({ path }) => path !== person)).path : person;
    await paste(other, 63, 22 - 0.4 * (ghost.width - 12), ghost.width, ghost);
    if (ghost.isOfOther) shown.push(other);
    if (ghost.isOverText) {
      const over = `<svg width="${px(30)}" height="${px(14)}" font-family="DejaVu Sans" font-size="${px(2.8)}"><text y="${px(4)}">${words(2)}</text><text y="${px(10)}">${words(2)}</text></svg>`;
      page.photos.push({ input: Buffer.from(over), left: px(at.x + 55), top: px(at.y + 24) });
    }
  }
  if (below(4) === 0) {
    const hologram = `<svg width="${px(16)}" height="${px(16)}"><circle cx="50%" cy="50%" r="${px(7)}" fill="#9fd" fill-opacity="0.2" stroke="#7bc" stroke-opacity="0.6"/></svg>`;
    page.photos.push({ input: Buffer.from(hologram), left: px(at.x + 22), top: px(at.y + 28) });
  }
  return shown;
}

/** A page as a scanner makes it. */
async function scan({ svg, photos }: Print, dpi: number, { width, height }: typeof CARD, slant: number) {
  const px = pixelsAt(dpi);
  const drawn = `<svg xmlns="http://www.w3.org/2000/svg" width="${px(width)}" height="${px(height)}" font-family="DejaVu Sans"><rect width="100%" height="100%" fill="#fbfaf6"/>${svg.join('')}</svg>`;
  const flat = await sharp(Buffer.from(drawn)).flatten().composite(photos).png().toBuffer();
  const turned = sharp(flat).rotate(slant, { background: '#f4f4f2' });
  if (below(4) === 0) turned.greyscale();
  return turned.jpeg({ quality: 60 + below(36) }).toBuffer();
}

const samePerson = distanceAtFmr(vision.calibration, 1e-4);
async function templateOf(picture: Uint8Array) {
  const found = await vision.enrol(picture, { severalFaces: 'refuse', priority: 'bulk' });
  return found.kind === 'face' ? found.face.template.vector : null;
}
async function isOf(template: Float32Array | null, path: string) {
  const source = await templateOf(await sharp(path).extract(PORTRAIT).jpeg({ quality: 95 }).toBuffer());
  return template === null || source === null || distanceOf(template, source) <= samePerson;
}

type State = 'right' | 'wrong' | 'asked';
const outcomes: { kind: string; isSheet: boolean; state: State }[] = [];

/** Right: one person is enrolled by the portrait; two people are refused. Wrong: somebody else, or one of two. */
async function single(kind: string): Promise<State> {
  const [dpi, page] = [oneOf([200, 300]), { svg: [], photos: [] }];
  const shown = await printCard(page, kind, dpi, { x: 8, y: 8 });
  const jpeg = await scan(page, dpi, { width: CARD.width + 16, height: CARD.height + 16 }, 10 * random() - 5);
  const template = await templateOf(jpeg);
  if (shown.length > 1) return template === null ? 'right' : 'wrong';
  if (template === null) return 'asked';
  return (await isOf(template, shown[0]!)) ? 'right' : 'wrong';
}

/** Right: as many photos as people that are shown, in reading order, each of its person; half of the places have a back. */
async function sheet(kind: string): Promise<State> {
  const [dpi, page] = [oneOf([200, 300]), { svg: [], photos: [] } as Print];
  const shown: string[] = [];
  for (let place = 0; place < 8; place += 1) {
    const at = { x: 12 + (place % 2) * 98, y: 14 + Math.floor(place / 2) * 68 };
    const px = pixelsAt(dpi);
    if (place > 1 && below(2) === 0)
      page.svg.push(
        `<rect x="${px(at.x)}" y="${px(at.y)}" width="${px(85)}" height="${px(54)}" fill="#e8e8e4" stroke="#777"/><rect x="${px(at.x)}" y="${px(at.y + 5)}" width="${px(85)}" height="${px(10)}" fill="#222"/><text x="${px(at.x + 6)}" y="${px(at.y + 30)}" font-size="${px(3)}">${words(5)}</text>`,
      );
    else shown.push(...(await printCard(page, kind, dpi, at)));
  }
  const jpeg = await scan(page, dpi, { width: 210, height: 297 }, 6 * random() - 3);
  const converted = await vision.convert(jpeg, {
    company: trusted.company(1),
    priority: 'bulk',
    use: 'sheet',
  });
  if (converted.kind !== 'converted') throw new Error('A composed page cannot be read.');
  if (converted.portraits === undefined) return 'asked';
  if (converted.portraits.length !== shown.length) return 'wrong';
  for (const photo of converted.portraits) {
    const template = await templateOf(photo);
    let known = false;
    for (const path of shown) known ||= await isOf(template, path);
    if (!known) return 'wrong';
  }
  return 'right';
}

const kinds = Object.keys(GHOSTS);
for (let number = 0; number < CARDS + SHEETS; number += 1) {
  const isSheet = number >= CARDS;
  const kind = kinds[number % kinds.length]!;
  const state = await (isSheet ? sheet(kind) : single(kind));
  outcomes.push({ kind, isSheet, state });
  console.log(number + 1, kind, isSheet ? 'page' : 'card', state);
}
await vision.close();

const counts = (of: typeof outcomes) => [
  of.length,
  ...(['right', 'wrong', 'asked'] as const).map((state) => of.filter((each) => each.state === state).length),
];
const row = (label: string, of: typeof outcomes) => [
  label,
  ...counts(of.filter(({ isSheet }) => !isSheet)),
  ...counts(of.filter(({ isSheet }) => isSheet)),
];
publish({
  name: 'cards',
  title: 'Cards with ghost portraits',
  args: [String(CARDS), String(SHEETS), String(SEED)],
  body: `ID-1 cards with people of LFW, flag, chip or signature, bar code or lines for machines, a hologram over the portrait of every fourth; 200 or 300 dpi, turned by up to 5° (pages 3°), JPEG of quality 60 to 95, every fourth grey. A page has up to eight fronts and backs. Card right: one person is enrolled by the portrait, or two people are refused. Page right: a photo of each person. Wrong: one of two people is taken for both, or another person. Asked: left to a person.

${table(
  ['ghost', 'cards', 'right', 'wrong', 'asked', 'pages', 'right', 'wrong', 'asked'],
  [
    ...kinds.map((kind) =>
      row(
        kind,
        outcomes.filter((each) => each.kind === kind),
      ),
    ),
    row('all', outcomes),
  ],
)}`,
});
