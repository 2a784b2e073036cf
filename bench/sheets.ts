/** Scans of sheets split into their portraits: sheets that are right, wrong, or left to a person. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import sharp, { type OverlayOptions } from 'sharp';
import { trusted } from '../core/contracts/ids.ts';
import { distanceAtFmr, distanceOf } from '../core/domain/scores/scores.ts';
import { createVision } from '../core/vision/pool/vision.ts';
import { randomFrom } from './gallery/templates.ts';
import { publish, table } from './report.ts';
import { ASPECT, emptyField, firstPhotos, pixelsAt, PORTRAIT, scanned } from './sheetPages/paper.ts';

const SHEETS = 40;
const SEED = 45;

const KINDS = [
  'passport photos',
  'cards with ghost portraits',
  'register, names beside',
  'portraits of several sizes',
  'passport photos, one face covered',
] as const;
type Kind = (typeof KINDS)[number];

const people = firstPhotos();
const vision = await createVision({ modelsFolder: join(import.meta.dirname, '../models'), workers: 2 });
const random = randomFrom(SEED);
const below = (most: number) => Math.floor(random() * most);

const WORDS = 'Anna Karim Müller Haddad Rossi Yılmaz Silva Novak Tanaka Mensah'.split(' ');
const nameOf = () => `${WORDS[below(WORDS.length)]} ${WORDS[below(WORDS.length)]} ${1000 + below(9000)}`;

interface Sheet {
  kind: Kind;
  dpi: number;
  jpeg: Buffer;
  /** Photos of the portraits, by rows. */
  portraits: string[];
  empty: number;
}

const COVERS = ['mask', 'bar over the eyes', 'scarf'] as const;
type Cover = (typeof COVERS)[number];
/** Drawn on a photo of LFW, in which the eyes lie around (125, 113) and the mouth around (125, 152). */
const SHAPES: Record<Cover, string> = {
  mask: '<path d="M86 128 Q125 118 164 128 L158 176 Q125 196 92 176 Z" fill="#9cc4dd"/>',
  'bar over the eyes': '<rect x="82" y="99" width="86" height="26" fill="#000"/>',
  scarf: '<path fill-rule="evenodd" d="M66 60 H184 V210 H66 Z M88 98 H162 V126 H88 Z" fill="#23242a"/>',
};

async function hidden(photo: string, cover: Cover): Promise<Buffer> {
  const drawn = `<svg xmlns="http://www.w3.org/2000/svg" width="250" height="250">${SHAPES[cover]}</svg>`;
  return sharp(photo)
    .composite([{ input: Buffer.from(drawn) }])
    .png()
    .toBuffer();
}

/** A4, or part of it: what each kind has in a cell of the page, in millimetres. */
async function compose(kind: Kind, dpi: number): Promise<Sheet> {
  const px = pixelsAt(dpi);
  const isCard = kind === 'cards with ghost portraits';
  const isRegister = kind === 'register, names beside';
  const columns = isCard ? 2 : isRegister ? 1 : 2 + below(3);
  const rows = isCard ? 2 + below(3) : isRegister ? 3 + below(3) : 2 + below(3);
  const cell = { width: 190 / columns, height: 277 / rows };
  const portraits: string[] = [];
  const layers: OverlayOptions[] = [];
  const print: string[] = [];
  let empty = 0;
  const paste = async (
    photo: string,
    at: { x: number; y: number; width: number; ghost?: boolean; covered?: Cover | null },
  ) => {
    const { x, y, width, ghost = false, covered = null } = at;
    let picture = sharp(covered === null ? photo : await hidden(photo, covered))
      .extract(PORTRAIT)
      .resize(px(width), px(width * ASPECT), { fit: 'fill' });
    if (ghost) picture = picture.greyscale().linear(0.45, 115);
    layers.push({ input: await picture.png().toBuffer(), left: px(x), top: px(y) });
  };
  for (let row = 0; row < rows; row += 1)
    for (let column = 0; column < columns; column += 1) {
      const left = 10 + column * cell.width;
      const top = 10 + row * cell.height;
      const width = kind === 'portraits of several sizes' ? 22 + 16 * random() : isCard ? 25 : 35;
      const height = width * ASPECT;
      const [x, y] = [left + 4 + 2 * random(), top + 4 + 3 * random()];
      const text = (dx: number, dy: number, words: string) =>
        print.push(
          `<text x="${px(x + dx)}" y="${px(y + dy)}" font-family="DejaVu Sans" font-size="${px(3.5)}">${words}</text>`,
        );
      if (isCard)
        print.push(
          `<rect x="${px(left + 1)}" y="${px(top + 1)}" width="${px(86)}" height="${px(54)}" rx="${px(3)}" fill="#e3ecf2" stroke="#667"/>`,
        );
      if (below(8) === 0) {
        empty += 1;
        print.push(emptyField(px, { x, y, width, height }, below(2) === 0));
        continue;
      }
      const photo = people[below(people.length)]!.path;
      portraits.push(photo);
      const isCovered = kind === 'passport photos, one face covered' && portraits.length === 2;
      await paste(photo, { x, y, width, covered: isCovered ? COVERS[below(COVERS.length)]! : null });
      if (isCard) {
        await paste(photo, { x: left + 66, y: top + 26, width: 12, ghost: true });
        for (const line of [0, 6, 12]) text(width + 4, 5 + line, nameOf());
      } else if (isRegister)
        for (const line of [0, 7, 14, 21]) text(width + 8, 6 + line, `${nameOf()} ${nameOf()}`);
      else text(0, height + 5, nameOf());
    }
  const jpeg = await scanned(px, { ground: '#fbfaf6', print, photos: layers, slant: 2 * random() - 1 });
  return { kind, dpi, jpeg, portraits, empty };
}

const company = trusted.company(1);
const samePerson = distanceAtFmr(vision.calibration, 1e-4);

async function templateOf(picture: Uint8Array): Promise<Float32Array | null> {
  const found = await vision.enrol(picture, { severalFaces: 'refuse', priority: 'bulk' });
  return found.kind === 'face' ? found.face.template.vector : null;
}

interface Outcome extends Omit<Sheet, 'jpeg'> {
  state: 'right' | 'wrong' | 'asked';
  /** Photos that the sheet became; as many of them that are the expected portrait; that could not be enrolled by themselves. */
  photos: number;
  matched: number;
  failed: number;
  seconds: number;
}

/** Right: as many photos as portraits, in their order, none of another person than the portrait that is printed there. */
async function splitOf({ jpeg, ...sheet }: Sheet): Promise<Outcome> {
  const from = performance.now();
  const converted = await vision.convert(jpeg, { company, priority: 'bulk', use: 'sheet' });
  const seconds = (performance.now() - from) / 1000;
  if (converted.kind !== 'converted') throw new Error('A composed sheet cannot be read.');
  const photos = converted.portraits ?? [];
  if (photos.length === 0) {
    // A sheet of one portrait is one photo.
    const whole = await vision.enrol(jpeg, { severalFaces: 'refuse', priority: 'bulk' });
    const state = whole.kind === 'refused' ? 'asked' : sheet.portraits.length === 1 ? 'right' : 'wrong';
    return { ...sheet, state, photos: 0, matched: 0, failed: 0, seconds };
  }
  let [matched, failed] = [0, 0];
  for (const [place, photo] of photos.entries()) {
    const template = await templateOf(photo);
    const expected = sheet.portraits[place];
    const source =
      expected === undefined
        ? null
        : await templateOf(
            await sharp(readFileSync(expected)).extract(PORTRAIT).jpeg({ quality: 95 }).toBuffer(),
          );
    if (template === null) failed += 1;
    else if (source !== null && distanceOf(template, source) <= samePerson) matched += 1;
  }
  const isRight = photos.length === sheet.portraits.length && matched + failed === photos.length;
  return { ...sheet, state: isRight ? 'right' : 'wrong', photos: photos.length, matched, failed, seconds };
}

const outcomes: Outcome[] = [];
for (let number = 0; number < SHEETS; number += 1) {
  const kind = KINDS[number % KINDS.length]!;
  const dpi = number % 8 < 4 ? 200 : 300;
  const outcome = await splitOf(await compose(kind, dpi));
  outcomes.push(outcome);
  console.log(
    number + 1,
    outcome.kind,
    dpi,
    outcome.state,
    outcome.portraits.length,
    outcome.photos,
    outcome.matched,
    outcome.failed,
    outcome.seconds.toFixed(1),
  );
}
await vision.close();

const sum = (of: readonly Outcome[], value: (outcome: Outcome) => number) =>
  of.reduce((total, each) => total + value(each), 0);
const row = (label: string, of: readonly Outcome[]) => {
  const split = of.filter(({ photos }) => photos > 0);
  const states = (['right', 'wrong', 'asked'] as const).map(
    (state) => of.filter((each) => each.state === state).length,
  );
  return [
    label,
    of.length,
    ...states,
    sum(of, ({ portraits }) => portraits.length),
    sum(split, ({ portraits }) => portraits.length),
    sum(of, ({ photos }) => photos),
    sum(of, ({ failed }) => failed),
    (sum(of, ({ seconds }) => seconds) / of.length).toFixed(1),
  ];
};
publish({
  name: 'sheets',
  title: 'Sheets of portraits',
  body: `${SHEETS} composed scans of A4 pages, half at 200 and half at 300 dpi, with portraits of LFW, printed names, ${sum(outcomes, ({ empty }) => empty)} empty fields (every second with the outline of a head), turned by up to 1°, noise, JPEG of quality 85. Right: as many photos as portraits, in reading order, each of its person. Asked: the sheet fails as a whole with \`MULTIPLE_FACES\`, and a person splits it.

${table(
  [
    'sheets',
    'number',
    'right',
    'wrong',
    'asked',
    'portraits',
    'of them on split sheets',
    'photos of split sheets',
    'photos to be asked about',
    'seconds a sheet',
  ],
  [
    ...KINDS.map((kind) =>
      row(
        kind,
        outcomes.filter((each) => each.kind === kind),
      ),
    ),
    row('all', outcomes),
  ],
)}`,
});
