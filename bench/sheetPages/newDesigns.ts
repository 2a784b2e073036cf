/** Layouts that were drawn after the limits of `otherPictures` were set, and photos as studios and copiers make them. */
import type { Raster } from '../../core/vision/raster.ts';
import { ASPECT, type Design, type Pen, type Place } from './paper.ts';

/** Places by rows. @param first the first one @param step to the next one to the right, and below */
function gridOf(first: Place, step: { x: number; y: number }, columns: number, rows: number): Place[] {
  return Array.from({ length: columns * rows }, (_, at) => ({
    ...first,
    x: first.x + (at % columns) * step.x,
    y: first.y + Math.floor(at / columns) * step.y,
  }));
}

/** Replaces what is neither head nor body in a photo of LFW by a tone of each place. */
function withBackdrop(photo: Raster, toneAt: (x: number, y: number) => readonly number[]): Raster {
  const data = new Uint8Array(photo.data);
  for (let y = 0; y < photo.height; y += 1)
    for (let x = 0; x < photo.width; x += 1) {
      const isHead = ((x - 125) / 58) ** 2 + ((y - 120) / 76) ** 2 < 1;
      const isBody = y > 180 && Math.abs(x - 125) < 34 + 1.4 * (y - 180);
      if (!isHead && !isBody) data.set(toneAt(x, y), 3 * (y * photo.width + x));
    }
  return { ...photo, data };
}

function greyOf(photo: Raster, toneOf: (grey: number) => number): Raster {
  const data = new Uint8Array(photo.data);
  for (let at = 0; at < data.length; at += 3)
    data.fill(toneOf(0.3 * data[at]! + 0.59 * data[at + 1]! + 0.11 * data[at + 2]!), at, at + 3);
  return { ...photo, data };
}

export const NEW_DESIGNS: Readonly<Record<string, (pen: Pen) => Design>> = {
  'strips of touching photos': ({ below, text, words }) => {
    const size = { width: 34, height: 34 * ASPECT };
    const columns = 2 + below(2);
    const places = gridOf({ x: 16, y: 20, ...size }, { x: 60, y: size.height }, columns, 4);
    const print = places.slice(0, columns).map(({ x }) => text(x, 212, 3.5, words(2)));
    return { ground: '#fbfaf6', print, places, hasEmptyFields: false };
  },
  'studio photos, almost white': ({ below, random, text, words }) => {
    const size = { width: 32, height: 32 * ASPECT };
    const light = 228 + 20 * random();
    return {
      ground: '#fcfcfa',
      print: [],
      places: gridOf({ x: 14, y: 18, ...size }, { x: 62, y: 85 }, 3, 2 + below(2)),
      treat: (photo) =>
        withBackdrop(photo, (x, y) => {
          const tone = Math.min(252, light - 0.12 * Math.hypot(x - 125, y - 110) + 12);
          return [tone, tone, tone + 2];
        }),
      beside: ({ x, y, height }) => [text(x, y + height + 5, 3, words(2))],
    };
  },
  'table with small photos': ({ px, random, text, words }) => {
    const places = gridOf({ x: 14, y: 30, width: 22, height: 22 * ASPECT }, { x: 0, y: 36 }, 1, 7);
    const tint = random() < 0.5 ? '#e4ebf5' : '#efe8d6';
    const print = places.map(
      ({ y }, row) =>
        `<rect x="${px(10)}" y="${px(y - 4)}" width="${px(190)}" height="${px(36)}" fill="${row % 2 ? '#fff' : tint}" stroke="#555"/>`,
    );
    print.push(text(12, 18, 6, 'List of passengers', 'font-weight="bold"'));
    const beside = ({ x, y }: Place) =>
      [6, 13, 20].flatMap((line) => [
        text(x + 30, y + line, 3.4, words(3)),
        text(x + 110, y + line, 3.4, words(2)),
      ]);
    return { ground: '#ffffff', print, places, beside };
  },
  'prints with white borders on brown board': ({ px, below, random }) => {
    const places = gridOf(
      { x: 18, y: 22, width: 33, height: 33 * ASPECT },
      { x: 62, y: 84 },
      3,
      2 + below(2),
    );
    const print = Array.from(
      { length: 900 },
      () =>
        `<circle cx="${px(210 * random())}" cy="${px(297 * random())}" r="${0.5 + random()}" fill="#8d6a42"/>`,
    );
    const borders = places.map(
      ({ x, y, width, height }) =>
        `<rect x="${px(x - 2)}" y="${px(y - 2)}" width="${px(width + 4)}" height="${px(height + 4)}" fill="#f6f4ef"/>`,
    );
    return { ground: '#b48c5c', print: [...print, ...borders], places, hasEmptyFields: false };
  },
  'cards with guilloches': ({ px, below, random, text, words }) => {
    const cards = gridOf({ x: 12, y: 18, width: 86, height: 54 }, { x: 96, y: 66 }, 2, 3 + below(2));
    const print: string[] = [];
    for (const { x, y, width, height } of cards) {
      const hue = below(360);
      print.push(
        `<rect x="${px(x)}" y="${px(y)}" width="${px(width)}" height="${px(height)}" rx="${px(3)}" fill="hsl(${hue} 40% 90%)" stroke="#556"/>`,
      );
      for (let wave = 0; wave < 12; wave += 1) {
        const [low, high] = [y + 6 + 4 * wave, 10 * random() - 5];
        print.push(
          `<path d="M${px(x)} ${px(low)} C${px(x + 25)} ${px(low + high)} ${px(x + 60)} ${px(low - high)} ${px(x + width)} ${px(low)}" fill="none" stroke="hsl(${hue} 50% 70%)" stroke-width="0.8"/>`,
        );
      }
      print.push(
        `<rect x="${px(x + 6)}" y="${px(y + 20)}" width="${px(12)}" height="${px(10)}" rx="${px(1.5)}" fill="#d9b84a" stroke="#8a7430"/>`,
        text(x + 6, y + 9, 4, 'IDENTITY CARD', 'font-weight="bold"'),
        ...[15, 36, 42, 48].map((line) => text(x + 6, y + line, 2.5, words(3))),
      );
    }
    const places = cards.map(({ x, y }) => ({ x: x + 55, y: y + 10, width: 26, height: 26 * ASPECT }));
    return { ground: '#fbfbfb', print, places };
  },
  'class picture with ovals': ({ below, text, words }) => {
    const size = { width: 34, height: 34 * ASPECT };
    return {
      ground: '#e9eef6',
      print: [text(60, 16, 8, 'Class of 2031', 'font-weight="bold"')],
      places: gridOf({ x: 16, y: 26, ...size }, { x: 62, y: 66 }, 3, 3 + below(2)),
      hasEmptyFields: false,
      isOval: true,
      treat: (photo) => withBackdrop(photo, (_, y) => [120 + 0.3 * y, 150 + 0.3 * y, 200 + 0.15 * y]),
      beside: ({ x, y, height }) => [text(x, y + height + 5, 3, words(2))],
    };
  },
  'page from a copier': ({ px, below, text, words }) => {
    const size = { width: 33, height: 33 * ASPECT };
    const shadow = `<defs><linearGradient id="edge"><stop offset="0" stop-color="#222"/><stop offset="1" stop-color="#222" stop-opacity="0"/></linearGradient></defs><rect width="${px(14)}" height="${px(297)}" fill="url(#edge)"/>`;
    return {
      ground: '#efefef',
      print: [shadow, ...[12, 17].map((line) => text(24, line, 3, words(9)))],
      places: gridOf({ x: 24, y: 26, ...size }, { x: 60, y: 84 }, 3, 2 + below(2)),
      treat: (photo) => greyOf(photo, (grey) => Math.max(0, Math.min(240, 1.7 * (grey - 128) + 135))),
      beside: ({ x, y, height }) => [text(x, y + height + 5, 3, words(2))],
    };
  },
};
