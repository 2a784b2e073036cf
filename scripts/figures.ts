/** Draws the pictures of docs/explanation/recognition.md: what the pipeline sees in a drawn face. `npm run figures`. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import sharp from 'sharp';
import type { Point } from '../core/contracts/faces.ts';
import type { PipelineId } from '../core/contracts/ids.ts';
import { mirror } from '../core/vision/alignment.ts';
import { loadParts, MOBILE_VIEWS, RECOGNITION_VIEWS, type Views } from '../core/vision/descriptor.ts';
import { createEngine } from '../core/vision/pool/engine.ts';
import { fuse } from '../core/vision/fusion.ts';
import fusion from '../core/vision/fusion.json' with { type: 'json' };
import { transform } from '../core/vision/geometry.ts';
import type { ImageView } from '../core/vision/imageView.ts';
import type { MeshedFace } from '../core/vision/mesh.ts';
import { ALIGNMENT_POINTS } from '../core/vision/mesh.ts';
import type { Raster } from '../core/vision/raster.ts';
import { drawPhoto } from '../test/browser/drawnFaces.ts';

const ROOT = join(import.meta.dirname, '..');
const PICTURES = join(ROOT, 'docs', 'pictures');
/** Of the drawn people one who leans her head, so that the alignment has something to do. */
const SUBJECT = { person: 5, photo: 2 };

const BLUE = '#0b57a4';
const GREEN = '#2b8a3e';
const GREY = '#555';

/** The inputs of the nets, and their results. */
interface Seen {
  photo: { href: string; width: number; height: number };
  face: MeshedFace;
  crops: Crop[];
  template: Float32Array;
}

interface Crop {
  net: '128-D' | 'MobileFaceNet';
  mirrored: boolean;
  /** In widths of the chip that the net was trained with. */
  width: number;
  href: string;
  /** Its corners in the photo. */
  corners: Point[];
}

/** Side of the crops as they are drawn; the nets see 150 and 112 pixels. */
const DRAWN = 112;

async function look(): Promise<Seen> {
  // Before the engine is made: it allows JPEG and PNG alone.
  const drawn = drawPhoto(SUBJECT.person, SUBJECT.photo);
  const image = sharp(Buffer.from(drawn.svg));
  const bytes = await image.clone().png().toBuffer();
  const small = await image.clone().resize(300).jpeg({ quality: 82 }).toBuffer();
  const models = join(ROOT, 'models');
  const extractParts = await loadParts(models);
  let seen: { view: ImageView; face: MeshedFace } | undefined;
  const engine = await createEngine(models, {
    pipelineId: 'figures' as PipelineId,
    extract: async (view, face) => {
      seen = { view, face };
      return fuse(await extractParts(view, face), fusion);
    },
  });
  const enrolment = await engine.enrol(bytes, {});
  if (enrolment.kind !== 'face' || seen === undefined) throw new Error('No face was found in the drawing.');
  const { view, face } = seen;
  return {
    photo: { href: dataUri(small), width: drawn.width, height: drawn.height },
    face,
    crops: [
      ...(await cropsOf(view, face, '128-D', RECOGNITION_VIEWS)),
      ...(await cropsOf(view, face, 'MobileFaceNet', MOBILE_VIEWS)),
    ],
    template: enrolment.face.template.vector,
  };
}

function cropsOf(
  view: ImageView,
  face: MeshedFace,
  net: Crop['net'],
  { widths, toImage: place }: Views,
): Promise<Crop[]> {
  return Promise.all(
    widths.map(async (width, i) => {
      const toImage = place(face, DRAWN, width);
      const chip = view.sample(toImage, DRAWN, DRAWN);
      const mirrored = i === 1;
      const corners = [
        [0, 0],
        [DRAWN, 0],
        [DRAWN, DRAWN],
        [0, DRAWN],
      ].map(([x, y]) => transform(toImage, { x: x!, y: y! }));
      return { net, mirrored, width, corners, href: await jpegOf(mirrored ? mirror(chip) : chip) };
    }),
  );
}

async function jpegOf({ data, width, height }: Raster): Promise<string> {
  return dataUri(
    await sharp(data, { raw: { width, height, channels: 3 } })
      .jpeg({ quality: 85 })
      .toBuffer(),
  );
}

function dataUri(jpeg: Buffer): string {
  return `data:image/jpeg;base64,${jpeg.toString('base64')}`;
}

function svg(width: number, height: number, title: string, body: readonly string[]): string {
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" font-family="sans-serif" font-size="12">`,
    `<title>${title}</title>`,
    `<rect width="${width}" height="${height}" fill="#fff"/>`,
    ...body,
    '</svg>',
    '',
  ].join('\n');
}

function words(x: number, y: number, text: string, { colour = '#111', bold = false, anchor = 'start' } = {}) {
  return `<text x="${x}" y="${y}" fill="${colour}" text-anchor="${anchor}"${bold ? ' font-weight="bold"' : ''}>${text}</text>`;
}

function arrow(x: number, y: number, long = 22): string {
  return `<path d="M${x} ${y}h${long}m-6 -5l6 5l-6 5" fill="none" stroke="${GREY}" stroke-width="1.6"/>`;
}

const round = (value: number) => Number(value.toFixed(1));

/** The photo in a frame of this width, with something drawn over it in pixels of the photo. */
function photoAt({ photo }: Seen, x: number, y: number, width: number, over: string): string {
  const scale = width / photo.width;
  return [
    `<svg x="${x}" y="${y}" width="${width}" height="${round(photo.height * scale)}" viewBox="0 0 ${photo.width} ${photo.height}">`,
    `<image href="${photo.href}" width="${photo.width}" height="${photo.height}"/>${over}</svg>`,
  ].join('');
}

function meshOver({ face }: Seen): string {
  const dot = (index: number, radius: number, colour: string) => {
    const { x, y } = face.points[index]!;
    return `<circle cx="${round(x)}" cy="${round(y)}" r="${radius}" fill="${colour}"/>`;
  };
  const aligning = new Set<number>(ALIGNMENT_POINTS);
  const others = face.points.map((_, i) => i).filter((i) => !aligning.has(i));
  return [...others.map((i) => dot(i, 2.2, '#fff')), ...[...aligning].map((i) => dot(i, 5.5, BLUE))].join('');
}

function boxOver({ face: { box } }: Seen): string {
  return `<rect x="${round(box.x)}" y="${round(box.y)}" width="${round(box.width)}" height="${round(box.height)}" fill="none" stroke="${BLUE}" stroke-width="7"/>`;
}

/** The strongest numbers of a vector as strokes above and below a line. */
function strokes(vector: Float32Array, x: number, y: number, colour: string): string {
  const most = Math.max(...vector.map(Math.abs));
  const path = Array.from(vector, (value, i) => `M${x + 2 * i} ${y}v${round((-26 * value) / most)}`);
  return `<path d="${path.join('')}" stroke="${colour}" stroke-width="1.3"/><path d="M${x} ${y}h${2 * vector.length}" stroke="#bbb"/>`;
}

/** Numbers of each part that are drawn. */
const DRAWN_NUMBERS = 64;

/** From the photo to the template, left to right. */
function pipeline(seen: Seen): string {
  const top = 40;
  const photoWidth = 168;
  const cropSide = 92;
  const cropAt = ({ href, mirrored }: Crop, i: number) => {
    const [x, y] = [424 + (i % 2) * (cropSide + 8), top + Math.floor(i / 2) * (cropSide + 32)];
    return [
      `<image href="${href}" x="${x}" y="${y}" width="${cropSide}" height="${cropSide}"/>`,
      words(x, y + cropSide + 14, mirrored ? 'mirrored' : 'straight', { colour: GREY }),
    ].join('');
  };
  const vectors = 424 + 2 * cropSide + 8 + 36;
  const parts = [
    { name: '64 numbers', from: 0, share: fusion.recognitionShare, y: top + 50, colour: BLUE },
    { name: '64 numbers', from: 64, share: 1 - fusion.recognitionShare, y: top + 174, colour: GREEN },
  ];
  return svg(850, 290, 'From a photo to a template', [
    words(10, 24, '1  find', { bold: true }),
    photoAt(seen, 10, top, photoWidth, boxOver(seen)),
    arrow(182, top + 100),
    words(210, 24, '2  fit the mesh, align', { bold: true }),
    photoAt(seen, 210, top, photoWidth, meshOver(seen)),
    arrow(390, top + 100),
    words(424, 24, '3  crops for both nets', { bold: true }),
    ...seen.crops.map(cropAt),
    words(vectors, 24, '4  fuse', { bold: true }),
    ...parts.flatMap(({ name, from, share, y, colour }) => [
      arrow(vectors - 30, y),
      strokes(seen.template.subarray(from, from + DRAWN_NUMBERS), vectors, y, colour),
      words(vectors, y + 46, name, { colour }),
      words(vectors, y + 62, `${Math.round(100 * share)} % of the squared length`, { colour: GREY }),
    ]),
  ]);
}

/** Where in the photo the four crops lie, and what each shows. */
function crops(seen: Seen): string {
  const width = 330;
  const outline = ({ corners, net, mirrored }: Crop) =>
    `<path d="M${corners.map(({ x, y }) => `${round(x)} ${round(y)}`).join('L')}Z" fill="none" stroke="${net === '128-D' ? BLUE : GREEN}" stroke-width="4" stroke-dasharray="${mirrored ? '16 8' : 'none'}"/>`;
  const side = 150;
  return svg(720, 460, 'The four crops of a face', [
    photoAt(seen, 16, 16, width, seen.crops.map(outline).join('')),
    ...seen.crops.flatMap(({ href, net, mirrored, width: wide }, i) => {
      const [x, y] = [380 + (i % 2) * (side + 20), 16 + Math.floor(i / 2) * (side + 62)];
      const colour = net === '128-D' ? BLUE : GREEN;
      return [
        `<image href="${href}" x="${x}" y="${y}" width="${side}" height="${side}"/>`,
        `<rect x="${x}" y="${y}" width="${side}" height="${side}" fill="none" stroke="${colour}" stroke-width="2" stroke-dasharray="${mirrored ? '8 4' : 'none'}"/>`,
        words(x, y + side + 18, `${net}, ${mirrored ? 'mirrored' : 'straight'}`, { colour, bold: true }),
        words(x, y + side + 34, `${wide} × the crop of its training`, { colour: GREY }),
      ];
    }),
  ]);
}

const seen = await look();
for (const [name, drawing] of [
  ['pipeline', pipeline(seen)],
  ['crops', crops(seen)],
] as const) {
  writeFileSync(join(PICTURES, `${name}.svg`), drawing);
  console.log(`docs/pictures/${name}.svg`);
}
