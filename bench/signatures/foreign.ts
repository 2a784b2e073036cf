/** Lays on a picture of a signature what offices and programs leave there: stamps, codes, frames, print, buttons, desks. */
import { create } from 'fontkit';
import type { Font } from 'fontkit';
import sharp from 'sharp';
import { fontBytes, fontFiles, type FontFile } from '../../core/reports/fonts.ts';
import type { Colours } from '../../core/signatures/raster.ts';
import type { Chance } from './random.ts';

/** A canvas with the signature on it: what is laid there keeps to the box of the ink, or to the rest, as it means to. */
export interface Canvas {
  width: number;
  height: number;
  ink: { left: number; top: number; width: number; height: number };
}

/** SVG elements in pixels of the canvas. */
type Draw = (canvas: Canvas, chance: Chance) => string;

const fonts = new Map<string, Font>();
function fontOf(weight: 'regular' | 'bold'): Font {
  const [{ path }] = [...fontFiles(weight, '')] as [FontFile];
  let font = fonts.get(path);
  if (!font) {
    const made = create(fontBytes(path));
    if (!('layout' in made)) throw new Error(`${path} is a collection of fonts`);
    fonts.set(path, (font = made));
  }
  return font;
}

interface Lettering {
  size: number;
  colour: string;
  weight?: 'regular' | 'bold';
  /** Radius of a circle on which the letters stand, its centre at (x, y). */
  around?: number;
}

/** Letters as paths, their baseline beginning at (x, y): the same on every machine, whatever fonts it has. */
export function lettering(
  text: string,
  x: number,
  y: number,
  { size, colour, weight, around }: Lettering,
): string {
  const font = fontOf(weight ?? 'regular');
  const scale = size / font.unitsPerEm;
  let at = 0;
  return font
    .layout(text)
    .glyphs.map((glyph) => {
      const place = around
        ? `translate(${x},${y}) rotate(${((at / around) * 180) / Math.PI - 120}) translate(0,${-around})`
        : `translate(${x + at},${y})`;
      at += glyph.advanceWidth * scale;
      return `<path fill="${colour}" transform="${place} scale(${scale},${-scale})" d="${glyph.path.toSVG()}"/>`;
    })
    .join('');
}

/** Width of a text in pixels. */
const widthOf = (text: string, size: number, weight: 'regular' | 'bold' = 'regular') =>
  (fontOf(weight).layout(text).advanceWidth / fontOf(weight).unitsPerEm) * size;

export const COLOURS = {
  blue: '#1e3cb4',
  green: '#1e8c46',
  red: '#c8283c',
  violet: '#7832a0',
  black: '#141414',
};
export type InkColour = keyof typeof COLOURS;
const PLACES = ['OFFICE 12', 'CITY COURT', 'BRANCH 045', 'NOTARY', 'REGISTRY', 'BANK OF THE COAST'];
const WORDS = ['APPROVED', 'RECEIVED', 'PAID', 'CERTIFIED', 'COPY'];

const dateOf = (chance: Chance) =>
  chance.pick([
    `${chance.whole(1, 28)} ${chance.pick(['JAN', 'MAR', 'MAY', 'SEP'])} ${chance.whole(2019, 2026)}`,
    `${chance.whole(10, 28)}/${chance.whole(10, 12)}/${chance.whole(2019, 2026)}`,
    `${chance.whole(2019, 2026)}-0${chance.whole(1, 9)}-${chance.whole(10, 28)} 1${chance.whole(0, 9)}:${chance.whole(10, 59)}`,
  ]);

/** A round, oval or square stamp about (x, y), `radius` to its rim. */
export function stampAt(x: number, y: number, radius: number, colour: string, chance: Chance): string {
  const turn = chance.normal(8);
  const ring = (share: number, flat: number, width: number) =>
    `<ellipse cx="${x}" cy="${y}" rx="${radius * share}" ry="${radius * share * flat}" fill="none" stroke="${colour}" stroke-width="${width}"/>`;
  const words = (text: string, down: number, share: number) => {
    const size = Math.min(radius * 0.34, (radius * share) / Math.max(1, widthOf(text, 1)));
    return lettering(text, x - widthOf(text, size) / 2, y + down * radius, { size, colour });
  };
  const pen = Math.max(1.5, radius * chance.between(0.02, 0.05));
  const kind = chance.whole(0, 3);
  const parts =
    kind === 0
      ? ring(1, 1, pen) +
        ring(0.92, 1, pen / 2) +
        ring(0.6, 1, pen) +
        words(chance.pick(PLACES), -0.02, 1) +
        words(chance.pick(WORDS), 0.26, 0.9)
      : kind === 1
        ? ring(1, 1, pen * 1.5) +
          lettering(`${chance.pick(PLACES)} * ${chance.pick(WORDS)} *`, x, y, {
            size: radius * 0.22,
            colour,
            around: radius * 0.72,
          }) +
          words(dateOf(chance), 0.08, 1.1)
        : kind === 2
          ? ring(1, 0.62, pen) +
            ring(0.9, 0.58, pen / 2) +
            words(chance.pick(PLACES), -0.08, 1.3) +
            words(dateOf(chance), 0.25, 1.1)
          : `<rect x="${x - radius}" y="${y - radius * 0.55}" width="${2 * radius}" height="${radius * 1.1}" fill="none" stroke="${colour}" stroke-width="${pen * 1.4}"/>` +
            words(chance.pick(WORDS), -0.06, 1.6) +
            words(dateOf(chance), 0.34, 1.5);
  return `<g transform="rotate(${turn},${x},${y})">${parts}</g>`;
}

const over =
  (colours: readonly InkColour[]): Draw =>
  ({ ink }, chance) => {
    const radius = chance.between(0.35, 0.6) * Math.min(ink.height, 0.6 * ink.width);
    return stampAt(
      ink.left + ink.width * chance.between(0.3, 0.95),
      ink.top + ink.height * chance.between(0.35, 0.75),
      radius,
      COLOURS[chance.pick(colours)],
      chance,
    );
  };

/** To the right or left of the ink, where there is more room. */
const beside: Draw = ({ ink, width, height }, chance) => {
  const right = width - ink.left - ink.width;
  const room = Math.max(right, ink.left);
  const radius = Math.min(0.42 * room, 0.4 * height);
  const x = right >= ink.left ? width - room / 2 : room / 2;
  return stampAt(
    x,
    chance.between(1.05 * radius, height - 1.05 * radius),
    radius,
    COLOURS[chance.pick(['blue', 'green', 'red', 'violet', 'black'] as const)],
    chance,
  );
};

/** Squares as of a two-dimensional code, or bars, in a corner. */
const code: Draw = ({ width, height }, chance) => {
  const side = Math.round(chance.between(0.14, 0.22) * width);
  const [x, y] = [width - side - 12, chance.happens(0.5) ? 12 : height - side - 12];
  if (chance.happens(0.35)) {
    let bars = '';
    for (let at = 0; at < 1.4 * side;) {
      const bar = chance.whole(1, 4) * 1.5;
      bars += `<rect x="${x - 0.4 * side + at}" y="${y}" width="${bar}" height="${side * 0.5}"/>`;
      at += bar + chance.whole(1, 3) * 1.5;
    }
    return (
      bars +
      lettering(String(chance.whole(10_000_000, 99_999_999)), x, y + side * 0.5 + 15, {
        size: 14,
        colour: '#000',
      })
    );
  }
  const count = chance.pick([21, 25, 29]);
  const cell = side / count;
  let cells = '';
  for (let v = 0; v < count; v++)
    for (let u = 0; u < count; u++)
      if (isDark(u, v, count, chance))
        cells += `<rect x="${x + u * cell}" y="${y + v * cell}" width="${cell}" height="${cell}"/>`;
  return `<g shape-rendering="crispEdges">${cells}</g>`;
};

/** The three finders of a code, and chance elsewhere. */
function isDark(u: number, v: number, count: number, chance: Chance): boolean {
  const random = chance.happens(0.5);
  for (const [cu, cv] of [
    [3, 3],
    [count - 4, 3],
    [3, count - 4],
  ] as const) {
    const ring = Math.max(Math.abs(u - cu), Math.abs(v - cv));
    if (ring <= 4) return ring === 3 || ring <= 1;
  }
  return random;
}

const esign: Draw = ({ ink, width, height }, chance) => {
  const colour = chance.pick(['#3c3c3c', '#1e1e1e', '#28479a']);
  const [left, top, bottom] = [
    Math.max(14, ink.left - 40),
    Math.max(30, ink.top - 40),
    Math.min(height - 18, ink.top + ink.height + 45),
  ];
  const id = Array.from({ length: 15 }, () => '0123456789ABCDEF'[chance.whole(0, 15)]).join('');
  const size = chance.between(13, 18);
  const words = (text: string, y: number) => lettering(text, left + 26, y, { size, colour });
  const pen = chance.between(1.5, 3.5);
  const frame = chance.pick([
    `<path d="M${left + 20},${top - 8} Q${left},${top - 8} ${left},${top + 22} L${left},${bottom - 26} Q${left},${bottom} ${left + 20},${bottom}" fill="none" stroke="${colour}" stroke-width="${pen}"/>`,
    `<path d="M${left + 18},${top - 8} Q${left - 8},${(top + bottom) / 2} ${left + 18},${bottom}" fill="none" stroke="${colour}" stroke-width="${pen}"/>`,
    `<rect x="${left - 6}" y="${top - 16}" width="${Math.min(width - left - 4, ink.width + 80)}" height="${bottom - top + 26}" rx="6" fill="none" stroke="${colour}" stroke-width="${pen}"/>`,
  ]);
  return (
    frame +
    words(chance.pick(['Signed by:', 'DocuSigned by:', 'Digitally signed', 'Signature:']), top) +
    words(id, bottom)
  );
};

const watermark: Draw = ({ ink }, chance) => {
  const text = chance.pick(['SIGN HERE', 'SPECIMEN', 'COPY', 'DRAFT', 'Confidential']);
  const weight = chance.pick(['bold', 'regular'] as const);
  const size = Math.min(ink.height * 0.8, (ink.width * chance.between(0.6, 1)) / widthOf(text, 1, weight));
  const grey = chance.whole(200, 232);
  const [x, y] = [ink.left + ink.width / 2, ink.top + ink.height / 2];
  return `<g transform="rotate(${chance.pick([0, 0, -20, 15])},${x},${y})">${lettering(text, x - widthOf(text, size, weight) / 2, y + size * 0.35, { size, colour: `rgb(${grey},${grey},${grey})`, weight })}</g>`;
};

const date: Draw = ({ ink, width, height }, chance) => {
  const size = chance.between(0.12, 0.24) * Math.min(ink.height, 160);
  const text = dateOf(chance);
  const wide = widthOf(text, Math.max(16, size));
  return lettering(
    text,
    Math.min(width - wide - 8, ink.left + ink.width * chance.between(0.3, 0.8)),
    Math.min(height - 10, ink.top + ink.height + 30 + size),
    { size: Math.max(16, size), colour: chance.pick(['#141414', '#1e3cb4', '#505050']) },
  );
};

const caption: Draw = ({ ink, width, height }, chance) => {
  const y = Math.min(height - 34, ink.top + ink.height * chance.between(0.92, 1.1));
  const size = chance.between(14, 20);
  return (
    `<line x1="${Math.max(6, ink.left - 30)}" y1="${y}" x2="${Math.min(width - 6, ink.left + ink.width + 40)}" y2="${y}" stroke="#222" stroke-width="${chance.between(1.2, 2.5)}"/>` +
    lettering(
      chance.pick(['Signature of applicant', 'Authorised signature', 'Unterschrift', 'Sign above the line']),
      ink.left,
      y + size + 6,
      { size, colour: '#222' },
    )
  );
};

const phone: Draw = ({ ink, width, height }, chance) => {
  const colour = chance.pick(['#2d6cdf', '#1f9d55', '#444', '#d33']);
  const tall = Math.max(24, Math.min(44, height - ink.top - ink.height - 16));
  const button = (text: string, x: number) =>
    `<rect x="${x}" y="${height - tall - 8}" width="${width * 0.3}" height="${tall}" rx="6" fill="${colour}"/>` +
    lettering(text, x + width * 0.15 - widthOf(text, tall * 0.45) / 2, height - 8 - tall * 0.34, {
      size: tall * 0.45,
      colour: '#fff',
    });
  const bar = `<rect x="0" y="0" width="${width}" height="28" fill="#f0f0f0"/>`;
  return (
    bar +
    lettering('9:41', 12, 20, { size: 16, colour: '#222' }) +
    lettering('5G 87%', width - 70, 20, { size: 16, colour: '#222' }) +
    button('Clear', width * 0.1) +
    button('Save', width * 0.6)
  );
};

const dottedPaper: Draw = ({ width, height }, chance) => {
  const [pitch, radius] = [chance.between(15, 38), chance.between(1.1, 2.6)];
  const grey = chance.whole(90, 190);
  let dots = '';
  for (let y = -height; y < 2 * height; y += pitch)
    for (let x = -width; x < 2 * width; x += pitch) dots += `<circle cx="${x}" cy="${y}" r="${radius}"/>`;
  return `<g fill="rgb(${grey},${grey},${grey})" transform="rotate(${chance.normal(1.5)},${width / 2},${height / 2})">${dots}</g>`;
};

/** The cell of a table: two of its lines go across the page. */
const cell: Draw = ({ ink, width, height }, chance) => {
  const [left, top] = [ink.left - chance.between(8, 30), ink.top - chance.between(8, 30)];
  const [right, bottom] = [ink.left + ink.width + 20, ink.top + ink.height + 16];
  return `<path d="M${left},0 V${height} M0,${top} H${width} M${right},${top} V${bottom} H${left}" fill="none" stroke="${chance.pick(['#111', '#555', '#2a4a9a'])}" stroke-width="${chance.between(1.2, 2.5)}"/>`;
};

/** A shade that ends at the edge of a fold, through the ink. */
const fold: Draw = ({ ink, height }, chance) => {
  const [x, wide] = [ink.left + ink.width * chance.between(0.1, 0.9), chance.between(12, 60)];
  const grey = chance.whole(120, 200);
  return `<linearGradient id="fold"><stop offset="0" stop-color="#fff"/><stop offset="1" stop-color="rgb(${grey},${grey},${grey})"/></linearGradient><rect x="${x}" y="-40" width="${wide}" height="${height + 80}" fill="url(#fold)" transform="rotate(${chance.normal(2)},${x},0)"/>`;
};

const darkCorner: Draw = ({ width, height }, chance) => {
  const [x, y] = [chance.pick([0, width]), chance.pick([0, height])];
  const [along, down] = [chance.whole(90, 200), chance.whole(60, 130)];
  const grey = chance.whole(30, 110);
  return `<filter id="soft"><feGaussianBlur stdDeviation="${chance.between(1, 12)}"/></filter><polygon filter="url(#soft)" points="${x},${y} ${Math.abs(x - along)},${y} ${x},${Math.abs(y - down)}" fill="rgb(${grey},${grey},${grey})"/>`;
};

/** Kinds of ink laid over or beside a signature, and whether each it lies apart from the ink or has another colour or tone. */
export const FOREIGN = {
  'stamp over, another colour': { draw: over(['blue', 'green', 'red', 'violet']), separable: true },
  'stamp over, black on black': { draw: over(['black']), separable: false },
  'stamp beside': { draw: beside, separable: true },
  code: { draw: code, separable: true },
  'e-sign frame': { draw: esign, separable: true },
  'grey watermark': { draw: watermark, separable: true },
  'printed date': { draw: date, separable: true },
  'line and caption': { draw: caption, separable: true },
  'phone screen': { draw: phone, separable: true },
  'dotted paper': { draw: dottedPaper, separable: true },
  'cell of a table': { draw: cell, separable: true },
  'shade of a fold': { draw: fold, separable: true },
  'dark corner': { draw: darkCorner, separable: true },
} as const satisfies Record<string, { draw: Draw; separable: boolean }>;

/** Lays SVG elements on a picture, as ink on ink: what lies under a dark spot stays dark. */
export async function laidOn({ data, width, height }: Colours, elements: string): Promise<Colours> {
  sharp.unblock({ operation: ['VipsForeignLoadSvgBuffer'] });
  const svg = Buffer.from(
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">${elements}</svg>`,
  );
  const out = await sharp(data, { raw: { width, height, channels: 3 } })
    .composite([{ input: svg, blend: 'multiply' }])
    .removeAlpha()
    .raw()
    .toBuffer();
  return { width, height, data: new Uint8Array(out) };
}

/** A sheet on a desk: turned a little, with the desk on all sides. */
export async function onSurface(
  { data, width, height }: Colours,
  desk: string,
  chance: Chance,
): Promise<Colours> {
  const margin = Math.round(chance.between(0.06, 0.16) * width);
  const { data: out, info } = await sharp(data, { raw: { width, height, channels: 3 } })
    .rotate(chance.normal(3), { background: desk })
    .extend({ top: margin, bottom: margin, left: margin, right: margin, background: desk })
    .removeAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  return { width: info.width, height: info.height, data: new Uint8Array(out) };
}
