/** Pictures to detect on: photos, their alterations, and pictures without a face. Deterministic, made on the spot. */
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import sharp from 'sharp';
import type { Box } from '../../core/contracts/faces.ts';

export interface Picture {
  name: string;
  bytes: Uint8Array;
}

/** All JPEG and PNG files under a folder, by path. */
export async function listPictures(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile() && /\.(jpe?g|png)$/i.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .toSorted();
}

/** Small linear congruential generator (Numerical Recipes), so that every run draws the same. */
export function randomNumbers(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

/** Drawn scenes: gradients, stripes, discs, text, noise; a hundred and twenty of them show no face. */
export async function drawnPictures(count: number): Promise<Picture[]> {
  const random = randomNumbers(7);
  const pictures: Picture[] = [];
  for (let i = 0; i < count; i++) {
    const svg = drawing(i % 5, random);
    const noise = { type: 'gaussian' as const, mean: 128, sigma: 10 + random() * 60 };
    const base = await sharp(Buffer.from(svg)).flatten({ background: '#fff' }).png().toBuffer();
    const grain = await sharp({
      create: { width: 400, height: 400, channels: 3, background: '#000', noise },
    })
      .png()
      .toBuffer();
    const bytes = await sharp(base)
      .composite([{ input: grain, blend: 'overlay' }])
      .jpeg({ quality: 88 })
      .toBuffer();
    pictures.push({ name: `drawn ${i}`, bytes });
  }
  return pictures;
}

function drawing(kind: number, random: () => number): string {
  const color = () =>
    `hsl(${Math.floor(random() * 360)} ${Math.floor(random() * 90)}% ${Math.floor(10 + random() * 80)}%)`;
  const at = () => Math.floor(random() * 400);
  const many = (shape: () => string) => Array.from({ length: 6 + Math.floor(random() * 30) }, shape).join('');
  const shapes = [
    () => many(() => `<circle cx="${at()}" cy="${at()}" r="${5 + random() * 90}" fill="${color()}"/>`),
    () =>
      many(() => `<rect x="${at()}" y="${at()}" width="${at()}" height="${at() / 3}" fill="${color()}"/>`),
    () =>
      many(
        () =>
          `<text x="${at() - 100}" y="${at()}" font-size="${8 + random() * 70}" fill="${color()}">Passport No ${at()}</text>`,
      ),
    () =>
      many(
        () =>
          `<line x1="${at()}" y1="${at()}" x2="${at()}" y2="${at()}" stroke="${color()}" stroke-width="${random() * 20}"/>`,
      ),
    () =>
      many(
        () =>
          `<ellipse cx="${at()}" cy="${at()}" rx="${10 + random() * 60}" ry="${10 + random() * 80}" fill="${color()}" stroke="${color()}" stroke-width="6"/>`,
      ),
  ];
  return `<svg xmlns="http://www.w3.org/2000/svg" width="400" height="400"><rect width="400" height="400" fill="${color()}"/>${shapes[kind]!()}</svg>`;
}

/** Random square parts of a photo that touch none of the faces in it. */
export async function faceFreeParts(
  file: string,
  faces: readonly Box[],
  options: { count: number; seed: number },
): Promise<Picture[]> {
  const bytes = await readFile(file);
  const { width, height } = (await sharp(bytes).metadata()).autoOrient;
  const random = randomNumbers(options.seed);
  const parts: Picture[] = [];
  for (let tries = 0; tries < 200 && parts.length < options.count; tries++) {
    const side = Math.floor(Math.min(width, height) * (0.15 + 0.45 * random()));
    const left = Math.floor(random() * (width - side));
    const top = Math.floor(random() * (height - side));
    const touches = ({ x, y, width: w, height: h }: Box) =>
      x - w * 0.4 < left + side && x + w * 1.4 > left && y - h * 0.6 < top + side && y + h * 1.3 > top;
    if (side < 48 || faces.some(touches)) continue;
    const part = await sharp(bytes)
      .autoOrient()
      .extract({ left, top, width: side, height: side })
      .jpeg({ quality: 92 })
      .toBuffer();
    parts.push({ name: `${file.split(/[\\/]/).at(-1)!} ${left},${top},${side}`, bytes: part });
  }
  return parts;
}
