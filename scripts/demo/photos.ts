import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import sharp from 'sharp';
import type { PhotoPerson } from '../../core/contracts/uploads.ts';
import { GROUP_FACES, MARGIN, type FaceBox } from '../../renderer/screens/overview/groupFaces.ts';

/** Of a package that the product installs anyway: the group photos. */
const GROUP_PHOTO_FOLDER = join(
  dirname(createRequire(import.meta.url).resolve('@vladmandic/face-api/package.json')),
  'demo',
);
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

/**
 * Cuts about twenty portraits into `folder`, four of one man among them, and makes bad files beside them.
 * @returns the names of all of them, and the persons of those that name one
 */
export async function makeDemoPhotos(
  folder: string,
): Promise<{ names: string[]; persons: ReadonlyMap<string, PhotoPerson> }> {
  await mkdir(folder, { recursive: true });
  const portraits = await cutPortraits(folder);
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
}

/** One more photo of the man who is enrolled with several, as JPEG. @param column of the picture, 0 to 17 */
export function photoOfMan(column: number): Promise<Buffer> {
  const { width, top, height, inset } = MAN;
  const left = Math.round(column * width) + inset;
  const area = { left, top, width: Math.round(width - 2 * inset), height };
  return sharp(MAN.picture).extract(area).jpeg({ quality: 92 }).toBuffer();
}

async function cutPortraits(folder: string): Promise<string[]> {
  const portraits: { name: string; photo: string; area: Area }[] = [];
  for (const [photo, boxes] of Object.entries(GROUP_FACES)) {
    const { width, height } = await sharp(groupPhoto(photo)).metadata();
    for (const [index, box] of boxes.entries()) {
      const area = cut(box, { width, height });
      if (!boxes.some((other) => other !== box && overlaps(area, other)))
        portraits.push({ name: `${photo} person ${index + 1}.jpg`, photo, area });
    }
  }
  const wanted = portraits.slice(0, WANTED);
  await Promise.all(
    wanted.map(({ name, photo, area }) =>
      sharp(groupPhoto(photo)).extract(area).jpeg({ quality: 92 }).toFile(join(folder, name)),
    ),
  );
  return wanted.map(({ name }) => name);
}

function groupPhoto(name: string): string {
  return join(GROUP_PHOTO_FOLDER, `${name}.jpg`);
}

/** Files that real collections contain: a group photo, a landscape, damaged and mislabelled files. */
async function makeBadFiles(folder: string, portraitName: string): Promise<string[]> {
  const portrait = await readFile(join(folder, portraitName));
  const files: Record<string, Uint8Array> = {
    'bad group photo 1.jpg': await readFile(groupPhoto('sample1')),
    'bad group photo 2.jpg': await readFile(groupPhoto('sample2')),
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

function cut([x, y, width, height]: FaceBox, image: { width: number; height: number }): Area {
  const margin = width * MARGIN;
  const left = Math.max(0, Math.round(x - margin));
  const top = Math.max(0, Math.round(y - margin));
  const right = Math.min(image.width, Math.round(x + width + margin));
  const bottom = Math.min(image.height, Math.round(y + height + margin));
  return { left, top, width: right - left, height: bottom - top };
}

function overlaps(area: Area, [x, y, width, height]: FaceBox): boolean {
  return (
    x < area.left + area.width && x + width > area.left && y < area.top + area.height && y + height > area.top
  );
}
