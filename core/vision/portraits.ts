/** Cuts the portraits of a sheet out of its scan. */
import sharp from 'sharp';
import { cropAround, readingOrder } from '../contracts/facePlaces.ts';
import type { Box } from '../contracts/faces.ts';
import { jpegOf } from './convert.ts';
import type { OpenedImage } from './decode.ts';
import type { ImageView } from './imageView.ts';
import { luma, type Raster } from './raster.ts';

/** Mid-grey, which no measure of quality takes for light or dark. */
const COVER = 128;

/**
 * @param faces boxes of the portraits, pixels of the upright image @param others boxes that no portrait may show
 * @returns a JPEG of each portrait by rows from the top, each row from the left, with grey over everything else that is a head
 */
export async function cutPortraits(
  sheet: OpenedImage,
  faces: readonly Box[],
  others: readonly Box[],
): Promise<Uint8Array[]> {
  const portraits: Uint8Array[] = [];
  for (const face of readingOrder(faces)) {
    const beside = [...faces, ...others].filter((other) => other !== face);
    const part = cropAround(face, beside, sheet.facts);
    const { raster } = await sheet.detail(part);
    const origin = { x: Math.max(0, Math.floor(part.x)), y: Math.max(0, Math.floor(part.y)) };
    for (const other of beside) cover(raster, within(other, origin), within(face, origin));
    const { data, width, height } = raster;
    portraits.push(await jpegOf(sharp(data, { raw: { width, height, channels: 3 } })));
  }
  return portraits;
}

function within({ x, y, width, height }: Box, origin: { x: number; y: number }): Box {
  return { x: x - origin.x, y: y - origin.y, width, height };
}

/** Covers a box where it lies outside of the face. */
function cover({ width, height, data }: Raster, box: Box, face: Box): void {
  const isIn = (x: number, y: number, { x: left, y: top, width: wide, height: high }: Box) =>
    x >= left && x < left + wide && y >= top && y < top + high;
  const right = Math.min(width, Math.ceil(box.x + box.width));
  const bottom = Math.min(height, Math.ceil(box.y + box.height));
  for (let y = Math.max(0, Math.floor(box.y)); y < bottom; y += 1)
    for (let x = Math.max(0, Math.floor(box.x)); x < right; x += 1)
      if (!isIn(x, y, face)) data.fill(COVER, 3 * (y * width + x), 3 * (y * width + x) + 3);
}

/** Cells that a face is wide, and those of a window as large as head and shoulders. */
const CELLS = 6;
const WINDOW = { columns: 9, rows: 12 };
/** A window with a portrait has so many printed cells at least, in so many of its rows and columns. A line or a band has not. */
const PRINTED = { cells: 8, rows: 5, columns: 3 };
/**
 * Of them, so many cells' worth of pixels are neither paper nor of the two most common tones: more than at the logos, codes,
 * stamps and plain fields of composed sheets, and less than at their covered portraits (bench/README.md).
 */
const LEAST_OTHER = 4.1;
/** Tones are counted in so many steps; those of paper, print and plain colour lie in two neighbouring ones. */
const TONES = 16;
/** A printed cell: at most this share of it is paper, and its neighbouring pixels differ by less, as those of text and codes do not. */
const PAPER_SHARE = 0.7;
const STEEP = 24;
/** Print that is so far inside of a face's box, in sides of the box, belongs to the face's own picture. */
const FACE_MARGIN = 0.15;
/** A picture with a face is so wide and high at most, in widths of the face. One that is larger may be several that touch. */
const PICTURE = { width: 2.6, height: 3.5 };
/** Of such ones, what is so near to the middle of a face belongs to it, in widths of the face: to the side, and above or below. */
const REACH = { x: 0.75, y: 1.05 };
/** The middle of another portrait is further away. */
const APART = { x: 1.1, y: 1.4 };
/** So much of a page is of one tone. */
const PAGE_SHARE = 0.5;
/** A box of a head has print in so much of it: in composed sheets covered heads had 0.75 or more, and places without one 0.36 or less. */
const HEAD_SHARE = 0.5;

/** A shadow begins this near to the edge of the picture, in its width or height: a page that lies askew leaves a wedge beside itself. */
const EDGE = 0.08;
/** A shadow lies along this share of an edge at least. */
const SHADOW_LENGTH = 0.5;
/** It grows lighter to the paper, and never darker by more than this, as noise makes it. */
const DARKER = 16;
/** It has so many tones on the way. Fewer are the end of a letter, or of a plain field. */
const SHADOW_TONES = 4;

interface Cell {
  /** Pixels of each tone, but for those of the paper. */
  tones: Uint32Array;
  isPrinted: boolean;
}

/**
 * Where a sheet has a picture of the size of a portrait in which no face was found: of a person whose face is covered, or of
 * something else. A person must look at it.
 * @param known boxes of the faces and heads that were found, pixels of the upright image @param width of the smallest portrait's
 * face, in the same pixels @returns boxes in these pixels that do not overlap, surest first
 */
export function otherPictures({ raster, scale }: ImageView, known: readonly Box[], width: number): Box[] {
  const side = Math.max(2, Math.round((width * scale) / CELLS));
  const [columns, rows] = [Math.floor(raster.width / side), Math.floor(raster.height / side)];
  const { light, paper } = pageOf(raster);
  const faces = known.map(({ x, y, width: wide, height }) => {
    const box = { x: x * scale, y: y * scale, width: wide * scale, height: height * scale };
    const isAlone = wipePicture(light, raster, paper, box);
    const [middleX, middleY] = [(box.x + box.width / 2) / side, (box.y + box.height / 2) / side];
    return { x: middleX, y: middleY, unit: box.width / side, isAlone };
  });
  const touching = faces.filter(({ isAlone }) => !isAlone);
  const isNear = (x: number, y: number, of: typeof faces, reach: { x: number; y: number }) =>
    of.some(
      (face) => Math.abs(face.x - x) < reach.x * face.unit && Math.abs(face.y - y) < reach.y * face.unit,
    );
  const cells = Array.from({ length: rows * columns }, (_, at) => {
    const [column, row] = [at % columns, Math.floor(at / columns)];
    const cell = cellOf(light, raster.width, { x: column * side, y: row * side, side, paper });
    return { ...cell, isPrinted: cell.isPrinted && !isNear(column + 0.5, row + 0.5, touching, REACH) };
  });
  const windows: { column: number; row: number; other: number }[] = [];
  for (let row = 0; row + WINDOW.rows <= rows; row += 1)
    for (let column = 0; column + WINDOW.columns <= columns; column += 1) {
      if (isNear(column + WINDOW.columns / 2, row + WINDOW.rows / 2, faces, APART)) continue;
      const other = otherTones(cells, columns, { column, row }) / side ** 2;
      if (other >= LEAST_OTHER) windows.push({ column, row, other });
    }
  const kept: typeof windows = [];
  for (const window of windows.toSorted((one, two) => two.other - one.other)) {
    const isApart = ({ column, row }: typeof window) =>
      Math.abs(column - window.column) >= WINDOW.columns || Math.abs(row - window.row) >= WINDOW.rows;
    if (kept.every(isApart)) kept.push(window);
  }
  const cell = side / scale;
  return kept.map(({ column, row }) => ({
    x: column * cell,
    y: row * cell,
    width: WINDOW.columns * cell,
    height: WINDOW.rows * cell,
  }));
}

/** The light of a page, of which shadows at the edges are made paper, and the first of the two tones of the paper. */
function pageOf(raster: Raster): { light: Float32Array; paper: number } {
  const { width, height } = raster;
  const light = luma(raster);
  const paper = mostCommon(allTones(light));
  const [left, below] = [
    { count: height, step: width, length: width },
    { count: width, step: 1, length: height },
  ];
  wipeShadow(light, paper, { ...left, first: 0, inwards: 1 });
  wipeShadow(light, paper, { ...left, first: width - 1, inwards: -1 });
  wipeShadow(light, paper, { ...below, first: 0, inwards: width });
  wipeShadow(light, paper, { ...below, first: (height - 1) * width, inwards: -width });
  return { light, paper };
}

/**
 * A copier and the lid of a scanner leave a shadow along an edge of the page. It grows lighter until it is paper, which a picture
 * with a head does in few of its lines.
 * @param edge its first pixel, the way to its next pixel and their count, and the way inwards and the count of pixels there
 */
function wipeShadow(
  light: Float32Array,
  paper: number,
  edge: { first: number; step: number; count: number; inwards: number; length: number },
): void {
  const near = Math.ceil(EDGE * edge.length);
  const shadows: { from: number; pixels: number }[] = [];
  for (let line = 0; line < edge.count; line += 1) {
    const from = edge.first + line * edge.step;
    let darkest = 0;
    for (let at = 1; at < near; at += 1)
      if (light[from + at * edge.inwards]! < light[from + darkest * edge.inwards]!) darkest = at;
    let [at, lightest] = [darkest, light[from + darkest * edge.inwards]!];
    if (isPaper(toneOf(lightest), paper)) continue;
    const tones = new Set<number>();
    for (; at < edge.length; at += 1) {
      const here = light[from + at * edge.inwards]!;
      if (isPaper(toneOf(here), paper)) break;
      if (here < lightest - DARKER) {
        tones.clear();
        break;
      }
      lightest = Math.max(lightest, here);
      tones.add(toneOf(here));
    }
    if (at < edge.length && tones.size >= SHADOW_TONES) shadows.push({ from, pixels: at });
  }
  if (shadows.length < SHADOW_LENGTH * edge.count) return;
  for (const { from, pixels } of shadows)
    for (let at = 0; at < pixels; at += 1) light[from + at * edge.inwards] = ((paper + 1) * 256) / TONES;
}

/**
 * Makes paper of the pieces of print that reach into a face, unless one is larger than a picture of it.
 * @returns false: one is larger
 */
function wipePicture(
  light: Float32Array,
  { width, height }: { width: number; height: number },
  paper: number,
  face: Box,
): boolean {
  let isAlone = true;
  const seen = new Set<number>();
  // The box of a large face can reach into the picture beside it.
  const [marginX, marginY] = [FACE_MARGIN * face.width, FACE_MARGIN * face.height];
  const [left, top] = [Math.max(0, Math.floor(face.x + marginX)), Math.max(0, Math.floor(face.y + marginY))];
  const right = Math.min(width, face.x + face.width - marginX);
  const bottom = Math.min(height, face.y + face.height - marginY);
  for (let y = top; y < bottom; y += 1)
    for (let x = left; x < right; x += 1) {
      const piece: number[] = [];
      const [from, to] = [
        { x, y },
        { x, y },
      ];
      const visit = (at: number) => {
        if (seen.has(at) || isPaper(toneOf(light[at]!), paper)) return;
        seen.add(at);
        piece.push(at);
      };
      visit(y * width + x);
      for (const at of piece) {
        const [column, row] = [at % width, Math.floor(at / width)];
        [from.x, to.x] = [Math.min(from.x, column), Math.max(to.x, column)];
        [from.y, to.y] = [Math.min(from.y, row), Math.max(to.y, row)];
        if (column > 0) visit(at - 1);
        if (column + 1 < width) visit(at + 1);
        if (row > 0) visit(at - width);
        if (row + 1 < height) visit(at + width);
      }
      const isOne = to.x - from.x < PICTURE.width * face.width && to.y - from.y < PICTURE.height * face.width;
      if (isOne) for (const at of piece) light[at] = ((paper + 1) * 256) / TONES;
      else isAlone = false;
    }
  return isAlone;
}

/** Whether a tone is of the paper; shadows and noise put it into the tones beside its own two. */
function isPaper(tone: number, paper: number): boolean {
  return tone >= paper - 1 && tone <= paper + 2;
}

/** Whether half of the picture is of one tone, as a page is around its portraits. */
export function isPage({ raster }: ImageView): boolean {
  const tones = allTones(luma(raster));
  return pairAt(tones, mostCommon(tones)) >= raster.width * raster.height * PAGE_SHARE;
}

/** @returns whether a box, pixels of the upright image, can be of a head: it has more print than a page has around portraits */
export function headsOn(view: ImageView): (box: Box) => boolean {
  if (!isPage(view)) return () => true;
  const { raster, scale } = view;
  const { light, paper } = pageOf(raster);
  return (box) => {
    let [pixels, printed] = [0, 0];
    const right = Math.min(raster.width, scale * (box.x + box.width));
    const bottom = Math.min(raster.height, scale * (box.y + box.height));
    for (let y = Math.max(0, Math.floor(scale * box.y)); y < bottom; y += 1)
      for (let x = Math.max(0, Math.floor(scale * box.x)); x < right; x += 1) {
        pixels += 1;
        if (!isPaper(toneOf(light[y * raster.width + x]!), paper)) printed += 1;
      }
    return printed >= HEAD_SHARE * pixels;
  };
}

function toneOf(light: number): number {
  return Math.min(TONES - 1, Math.floor((light * TONES) / 256));
}

function allTones(light: Float32Array): Uint32Array {
  const tones = new Uint32Array(TONES);
  for (const value of light) tones[toneOf(value)]! += 1;
  return tones;
}

/** Pixels of a tone and the next one. */
function pairAt(tones: Uint32Array, tone: number): number {
  return tones[tone]! + tones[tone + 1]!;
}

/** The first tone of the pair that has the most pixels. @param beside a pair that shares no tone with it */
function mostCommon(tones: Uint32Array, beside?: number): number {
  let best = -1;
  for (let tone = 0; tone + 1 < TONES; tone += 1) {
    if (beside !== undefined && Math.abs(tone - beside) < 2) continue;
    if (best < 0 || pairAt(tones, tone) > pairAt(tones, best)) best = tone;
  }
  return best;
}

/** @param place pixels of its corner and its side, and the first of the two tones of the paper */
function cellOf(
  light: Float32Array,
  width: number,
  { x, y, side, paper }: { x: number; y: number; side: number; paper: number },
): Cell {
  const tones = new Uint32Array(TONES);
  let [across, down] = [0, 0];
  for (let row = y; row < y + side; row += 1)
    for (let at = row * width + x; at < row * width + x + side; at += 1) {
      const tone = toneOf(light[at]!);
      if (!isPaper(tone, paper)) tones[tone]! += 1;
      if (at + 1 < row * width + x + side) across += Math.abs(light[at]! - light[at + 1]!);
      if (row + 1 < y + side) down += Math.abs(light[at]! - light[at + width]!);
    }
  const printed = tones.reduce((sum, count) => sum + count, 0);
  const isSteep = Math.max(across, down) >= STEEP * side * (side - 1);
  return { tones, isPrinted: printed > (1 - PAPER_SHARE) * side * side && !isSteep };
}

/** Pixels of a window's printed cells in other tones than paper and the two most common; 0: they are not those of a portrait. */
function otherTones(
  cells: readonly Cell[],
  columns: number,
  { column, row }: { column: number; row: number },
): number {
  const tones = new Uint32Array(TONES);
  const [inRows, inColumns] = [new Set<number>(), new Set<number>()];
  let printed = 0;
  for (let y = row; y < row + WINDOW.rows; y += 1)
    for (let x = column; x < column + WINDOW.columns; x += 1) {
      const cell = cells[y * columns + x]!;
      if (!cell.isPrinted) continue;
      printed += 1;
      inRows.add(y);
      inColumns.add(x);
      for (let tone = 0; tone < TONES; tone += 1) tones[tone]! += cell.tones[tone]!;
    }
  if (printed < PRINTED.cells || inRows.size < PRINTED.rows || inColumns.size < PRINTED.columns) return 0;
  const first = mostCommon(tones);
  const common = pairAt(tones, first) + pairAt(tones, mostCommon(tones, first));
  return tones.reduce((sum, count) => sum + count, 0) - common;
}
