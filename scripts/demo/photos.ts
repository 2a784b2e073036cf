import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import sharp from 'sharp';
import type { Box } from '../../core/contracts/faces.ts';
import type { PhotoPerson } from '../../core/contracts/uploads.ts';
import type { VisionPort } from '../../core/domain/ports/recognition.ts';
import { createVision } from '../../core/vision/pool/vision.ts';

/** Group photos that ship with a package the product installs anyway. */
const GROUP_PHOTOS = [
  'sample1.jpg',
  'sample2.jpg',
  'sample3.jpg',
  'sample4.jpg',
  'sample5.jpg',
  'sample6.jpg',
] as const;
const GROUP_PHOTO_FOLDER = join(
  dirname(createRequire(import.meta.url).resolve('@vladmandic/face-api/package.json')),
  'demo',
);
const MODELS = join(import.meta.dirname, '..', '..', 'models');
const WANTED = 16;
/** A picture with a row of photos of one man, each of another day: the columns, and the row without the texts on it, pixels. */
const MAN = {
  picture: join(
    dirname(createRequire(import.meta.url).resolve('@vladmandic/human')),
    '../assets/screenshot-facematch.jpg',
  ),
  width: 1920 / 18,
  top: 295,
  height: 84,
  inset: 2,
};
/** The names of his photos by their columns. The Cyrillic one means "example": he is enrolled twice. */
const PHOTOS_OF_MAN: ReadonlyMap<number, string> = new Map([
  [0, 'one man, photo 1.jpg'],
  [3, 'one man, photo 2.jpg'],
  [6, 'one man, photo 3.jpg'],
  [15, 'Пример.jpg'],
]);

/** A portrait is cut with this much around the face box, in face widths. */
const MARGIN = 0.55;
/** Smaller faces of the group photos make no portrait. */
const LEAST_FACE = 48;

/**
 * Cuts about twenty portraits into `folder`, four of one man among them, and makes bad files beside them.
 * @returns the names of all of them, and the persons of those that name one
 */
export async function makeDemoPhotos(
  folder: string,
): Promise<{ names: string[]; persons: ReadonlyMap<string, PhotoPerson> }> {
  const vision = await createVision({ modelsFolder: MODELS, workers: 1 });
  try {
    const portraits = await cutPortraits(folder, vision);
    for (const [column, name] of PHOTOS_OF_MAN) await writeFile(join(folder, name), await photoOfMan(column));
    const names = [
      ...portraits,
      ...PHOTOS_OF_MAN.values(),
      ...(await makeBadFiles(folder, portraits[0] ?? '')),
    ];
    // Photos with one external id are of one person. The last photo names none: the man is enrolled once more.
    const person = { name: 'One man', externalId: 'D-1' };
    const persons = new Map([...PHOTOS_OF_MAN.values()].slice(0, -1).map((name) => [name, person]));
    return { names, persons };
  } finally {
    await vision.close();
  }
}

/** One more photo of the man who is enrolled with several, as JPEG. @param column of the picture, 0 to 17 */
export function photoOfMan(column: number): Promise<Buffer> {
  const { width, top, height, inset } = MAN;
  const left = Math.round(column * width) + inset;
  const area = { left, top, width: Math.round(width - 2 * inset), height };
  return sharp(MAN.picture).extract(area).jpeg({ quality: 92 }).toBuffer();
}

async function cutPortraits(folder: string, vision: VisionPort): Promise<string[]> {
  await mkdir(folder, { recursive: true });
  const portraits: string[] = [];
  for (const name of GROUP_PHOTOS) {
    if (portraits.length >= WANTED) break;
    const image = await readFile(join(GROUP_PHOTO_FOLDER, name));
    const found = await vision.search(image, { priority: 'interactive' });
    if (found.kind === 'refused') continue;
    const boxes = found.faces.map((face) => face.box);
    for (const [index, box] of boxes.entries()) {
      const others = boxes.filter((other) => other !== box);
      const area = cut(box, found.image);
      if (
        portraits.length >= WANTED ||
        box.width < LEAST_FACE ||
        others.some((other) => overlaps(area, other))
      )
        continue;
      const portrait = `${name.replace('.jpg', '')} person ${index + 1}.jpg`;
      await sharp(image).autoOrient().extract(area).jpeg({ quality: 92 }).toFile(join(folder, portrait));
      portraits.push(portrait);
    }
  }
  return portraits;
}

/** Files that real collections contain: a group photo, a landscape, damaged and mislabelled files. */
async function makeBadFiles(folder: string, portraitName: string): Promise<string[]> {
  const portrait = await readFile(join(folder, portraitName));
  const files: Record<string, Uint8Array> = {
    'bad group photo 1.jpg': await readFile(join(GROUP_PHOTO_FOLDER, GROUP_PHOTOS[0])),
    'bad group photo 2.jpg': await readFile(join(GROUP_PHOTO_FOLDER, GROUP_PHOTOS[1])),
    'bad landscape.jpg': await landscape(),
    'bad tiny.jpg': await sharp(portrait).resize(48).jpeg().toBuffer(),
    'bad dark.jpg': await sharp(portrait).linear(0.06, 0).jpeg().toBuffer(),
    'bad truncated.jpg': portrait.subarray(0, Math.floor(portrait.length * 0.4)),
    'bad text.jpg': Buffer.from('This is a text file with the ending .jpg\n'),
  };
  for (const [name, content] of Object.entries(files)) await writeFile(join(folder, name), content);
  return Object.keys(files);
}

/** Sky over hills, drawn: a photo without people. */
async function landscape(): Promise<Buffer> {
  const [width, height] = [640, 400];
  const pixels = Buffer.alloc(width * height * 3);
  for (let y = 0; y < height; y += 1)
    for (let x = 0; x < width; x += 1) {
      const hills = 210 + 40 * Math.sin(x / 70) + 18 * Math.sin(x / 23 + 1);
      const shade = 12 * Math.sin(x * 1.7 + y * 2.3);
      const color = y < hills ? [120 + y / 4, 170 + y / 5, 235] : [70 + shade, 120 + shade, 50];
      pixels.set(
        color.map((value) => Math.round(value)),
        (y * width + x) * 3,
      );
    }
  return sharp(pixels, { raw: { width, height, channels: 3 } })
    .jpeg()
    .toBuffer();
}

/** The same person otherwise: turned by 8°, cut tighter, darker, and compressed hard. Only for the demonstration. */
export async function alteredCopy(portrait: Uint8Array): Promise<Buffer> {
  const turned = await sharp(portrait).rotate(8, { background: '#808080' }).toBuffer();
  const { width, height } = await sharp(turned).metadata();
  return sharp(turned)
    .extract({
      left: Math.round(width * 0.08),
      top: Math.round(height * 0.06),
      width: Math.round(width * 0.84),
      height: Math.round(height * 0.86),
    })
    .modulate({ brightness: 0.75 })
    .jpeg({ quality: 40 })
    .toBuffer();
}

interface Area {
  left: number;
  top: number;
  width: number;
  height: number;
}

function cut(box: Box, image: { width: number; height: number }): Area {
  const margin = box.width * MARGIN;
  const left = Math.max(0, Math.round(box.x - margin));
  const top = Math.max(0, Math.round(box.y - margin));
  const right = Math.min(image.width, Math.round(box.x + box.width + margin));
  const bottom = Math.min(image.height, Math.round(box.y + box.height + margin));
  return { left, top, width: right - left, height: bottom - top };
}

function overlaps(area: Area, box: Box): boolean {
  return (
    box.x < area.left + area.width &&
    box.x + box.width > area.left &&
    box.y < area.top + area.height &&
    box.y + box.height > area.top
  );
}
