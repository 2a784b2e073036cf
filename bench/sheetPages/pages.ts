/** Pages with portraits, of which one may be covered: layouts, backdrops, and the print around them. Seeded. */
import sharp, { type OverlayOptions } from 'sharp';
import type { Raster } from '../../core/vision/raster.ts';
import { isHeldOut } from '../desk/people.ts';
import { randomFrom } from '../gallery/templates.ts';
import { COVERS } from './covers.ts';
import { NEW_DESIGNS } from './newDesigns.ts';
import {
  ASPECT,
  emptyField,
  firstPhotos,
  pixelsAt,
  PORTRAIT,
  scanned,
  type Design,
  type Pen,
  type Place,
} from './paper.ts';

/** The eyes and the width of the face in a photo of LFW, pixels. */
const EYES = [
  { x: 104, y: 113 },
  { x: 146, y: 113 },
] as const;
const FACE_WIDTH = 80;

/** Those with which limits were set. */
export const SEEN_LAYOUTS = [
  'grid',
  'names beside',
  'plain backdrops',
  'several sizes, anywhere',
  'contact sheet',
  'grey page with letterhead',
  'form with table and codes',
  'album page, black',
  'lined page with stamps',
  'coloured cards',
] as const;
/** Those that were drawn after the limits were set, with photos of other people. */
export const NEW_LAYOUTS = Object.keys(NEW_DESIGNS);

/** @returns draws a page with the face of one portrait covered (null: of none); a JPEG, and how many portraits it has */
export function pagesAt(
  dpi: number,
  seed: number,
): (layout: string, cover: string | null) => Promise<{ jpeg: Buffer; portraits: number }> {
  const [px, random, people] = [pixelsAt(dpi), randomFrom(seed), firstPhotos()];
  const below = (most: number) => Math.floor(random() * most);
  const WORDS = 'Anna Karim Müller Haddad Rossi Yılmaz Silva Novak Tanaka Mensah registered until 2031'.split(
    ' ',
  );
  const pen: Pen = {
    px,
    random,
    below,
    words: (count) => Array.from({ length: count }, () => WORDS[below(WORDS.length)]).join(' '),
    text: (x, y, size, words, more = '') =>
      `<text x="${px(x)}" y="${px(y)}" font-family="DejaVu Sans" font-size="${px(size)}" ${more}>${words}</text>`,
  };
  return async (layout, cover) => {
    const isNew = NEW_LAYOUTS.includes(layout);
    const design = isNew ? NEW_DESIGNS[layout]!(pen) : firstDesign(layout, pen);
    const chosen = people.filter(({ person }) => isHeldOut(person) === isNew);
    const photo = () => rasterOf(chosen[below(chosen.length)]!.path);
    const { places, print, hasEmptyFields = true, treat = (raster) => raster } = design;
    const covered = cover === null ? null : below(places.length);
    const photos: OverlayOptions[] = [];
    for (const [number, place] of places.entries()) {
      if (hasEmptyFields && number !== covered && places.length > 4 && below(9) === 0) {
        print.push(emptyField(px, place, below(2) === 0));
        continue;
      }
      let raster = treat(await photo());
      if (number === covered) {
        const face = { name: '', raster, eyes: EYES, width: FACE_WIDTH };
        raster = await COVERS[cover!]!(face, await photo(), random);
      }
      const { data, ...size } = raster;
      const [width, height] = [px(place.width), px(place.height)];
      const picture = await sharp(data, { raw: { ...size, channels: 3 } })
        .extract(PORTRAIT)
        .resize(width, height, { fit: 'fill' })
        .png()
        .toBuffer();
      const oval = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}"><ellipse cx="50%" cy="50%" rx="50%" ry="50%"/></svg>`;
      const input = design.isOval
        ? await sharp(picture)
            .ensureAlpha()
            .composite([{ input: Buffer.from(oval), blend: 'dest-in' }])
            .png()
            .toBuffer()
        : picture;
      photos.push({ input, left: px(place.x), top: px(place.y) });
      print.push(...(design.beside?.(place) ?? []));
    }
    const jpeg = await scanned(px, { ground: design.ground, print, photos, slant: 6 * random() - 3 });
    return { jpeg, portraits: photos.length };
  };
}

async function rasterOf(path: string): Promise<Raster> {
  const { data, info } = await sharp(path).removeAlpha().raw().toBuffer({ resolveWithObject: true });
  return { width: info.width, height: info.height, data: new Uint8Array(data) };
}

function firstDesign(layout: string, pen: Pen): Design {
  const { px, random, below, words, text } = pen;
  const isContact = layout === 'contact sheet';
  const isRegister = layout === 'names beside';
  const isLined = layout === 'lined page with stamps';
  const isForm = layout === 'form with table and codes';
  const isGrey = layout === 'grey page with letterhead';
  const isAlbum = layout === 'album page, black';
  const columns = isRegister ? 1 : isContact ? 3 : 2 + below(2);
  const rows = isRegister ? 3 : 2;
  const top = isGrey ? 55 : isForm ? 95 : 14;
  const cell = { width: 186 / columns, height: ((isLined ? 235 : 280) - top) / rows };
  const places: Place[] = [];
  for (let row = 0; row < rows; row += 1)
    for (let column = 0; column < columns; column += 1) {
      const several = layout === 'several sizes, anywhere';
      const width = isContact ? 30 : several ? 22 + 14 * random() : 30 + 5 * random() * Number(isRegister);
      const height = width * ASPECT;
      const gap = several
        ? [random() * (cell.width - width - 3), random() * (cell.height - height - 8)]
        : [3, 3];
      const step = isContact ? [width + 1.5, height + 1.5] : [cell.width, cell.height];
      places.push({ x: 12 + column * step[0]! + gap[0]!, y: top + row * step[1]! + gap[1]!, width, height });
    }
  const print: string[] = [];
  if (layout === 'coloured cards')
    for (const { x, y } of places)
      print.push(
        `<rect x="${px(x - 3)}" y="${px(y - 4)}" width="${px(Math.min(82, cell.width - 2))}" height="${px(52)}" rx="${px(3)}" fill="hsl(${below(360)} 45% 86%)" stroke="#667"/>`,
      );
  if (isGrey) print.push(...letterhead(pen));
  if (isForm) print.push(...formOf(pen));
  if (isLined) print.push(...linesAndStamps(pen));
  return {
    ground: isGrey ? '#c9c8c4' : isAlbum ? '#17171a' : '#fbfaf6',
    print,
    places,
    hasEmptyFields: !isContact,
    ...(layout === 'plain backdrops' && { treat: (photo) => onPlain(photo, 190 + below(60)) }),
    beside: ({ x, y, width, height }) => {
      if (isContact) return [];
      if (isRegister) return [6, 13, 20, 27].map((line) => text(x + width + 8, y + line, 3.5, words(5)));
      const besides =
        layout === 'coloured cards'
          ? [6, 14, 22].map((line) => text(x + width + 3, y + line, 2.6, words(1)))
          : [];
      return [...besides, text(x, y + height + 4, 3, words(2), isAlbum ? 'fill="#eee"' : '')];
    },
  };
}

/** An emblem, a stamp, lines of text, rules and a signature. */
function letterhead({ px, words, text }: Pen): string[] {
  const print: string[] = [];
  print.push(
    `<circle cx="${px(28)}" cy="${px(26)}" r="${px(13)}" fill="#0b5d3b"/><path d="M${px(20)} ${px(32)} L${px(28)} ${px(16)} L${px(36)} ${px(32)} Z" fill="#f2c230"/>`,
    `<circle cx="${px(170)}" cy="${px(30)}" r="${px(15)}" fill="none" stroke="#24408f" stroke-width="${px(1)}"/><circle cx="${px(170)}" cy="${px(30)}" r="${px(11)}" fill="none" stroke="#24408f" stroke-width="${px(0.4)}"/>`,
  );
  print.push(text(158, 31, 4, 'OFFICE', 'fill="#24408f" font-weight="bold"'));
  print.push(text(48, 24, 8, 'Ministry of Labour', 'font-weight="bold"'));
  for (const line of [31, 35, 39, 43]) print.push(text(48, line, 2.5, words(8)));
  for (let line = 0; line < 6; line += 1)
    print.push(`<path d="M${px(12)} ${px(46 + line)} H${px(198)}" stroke="#888" stroke-width="1"/>`);
  print.push(
    `<path d="M${px(140)} ${px(290)} c 20 -60 40 40 60 -20 s 30 -30 50 10 s 60 -40 90 0" fill="none" stroke="#1b2a6b" stroke-width="${px(0.6)}"/>`,
  );
  return print;
}

/** A band that grows lighter, a table with filled rows, a square code and a bar code. */
function formOf({ px, below, words, text }: Pen): string[] {
  const print: string[] = [];
  print.push(
    `<defs><linearGradient id="band"><stop offset="0" stop-color="#123a6d"/><stop offset="1" stop-color="#a9c4e6"/></linearGradient></defs><rect width="${px(210)}" height="${px(14)}" fill="url(#band)"/>`,
  );
  print.push(text(12, 10, 7, 'Register of workers', 'fill="#fff" font-weight="bold"'));
  for (let line = 0; line < 8; line += 1) {
    if (line % 2 === 0)
      print.push(
        `<rect x="${px(12)}" y="${px(20 + 8 * line)}" width="${px(130)}" height="${px(8)}" fill="#d7dfea" stroke="#445"/>`,
      );
    print.push(text(14, 26 + 8 * line, 3.5, words(7)));
  }
  for (let module = 0; module < 29 * 29; module += 1)
    if (below(2) === 0)
      print.push(
        `<rect x="${px(152) + 5 * (module % 29)}" y="${px(22) + 5 * Math.floor(module / 29)}" width="5" height="5"/>`,
      );
  for (let bar = 0; bar < 70; bar += 1)
    if (below(2) === 0)
      print.push(`<rect x="${px(152) + 4 * bar}" y="${px(55)}" width="4" height="${px(18)}"/>`);
  return print;
}

function linesAndStamps({ px, text }: Pen): string[] {
  const print: string[] = [];
  for (let y = 8; y < 290; y += 8)
    print.push(`<path d="M${px(6)} ${px(y)} H${px(204)}" stroke="#9fb6d8" stroke-width="1.5"/>`);
  print.push(`<path d="M${px(9)} 0 V${px(297)}" stroke="#d98a8a" stroke-width="2"/>`);
  for (const [x, y, colour] of [
    [150, 262, '#a3122a'],
    [60, 268, '#24408f'],
  ] as const) {
    print.push(
      `<circle cx="${px(x)}" cy="${px(y)}" r="${px(17)}" fill="none" stroke="${colour}" stroke-width="${px(1.2)}" opacity="0.8"/><circle cx="${px(x)}" cy="${px(y)}" r="${px(12)}" fill="none" stroke="${colour}" stroke-width="${px(0.5)}" opacity="0.8"/>`,
    );
    print.push(text(x - 10, y + 1, 4, 'APPROVED', `fill="${colour}" font-weight="bold" opacity="0.8"`));
  }
  return print;
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
