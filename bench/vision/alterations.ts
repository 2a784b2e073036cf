/** Alterations of photos: turned, reduced, darkened, blurred, cut, placed small in a large scene. */
import sharp, { type Sharp } from 'sharp';
import type { Point } from '../../core/contracts/faces.ts';
import { covered } from './arrivals.ts';
import { randomNumbers } from './pictures.ts';

export interface Alteration {
  name: string;
  /** How many faces the altered photo shows; 1 by default. */
  faces?: number;
  apply: (photo: Uint8Array, eyes: readonly [Point, Point]) => Promise<Uint8Array>;
}

const random = randomNumbers(5);

const jpeg = (image: Sharp) => image.jpeg({ quality: 92 }).toBuffer();

/** For photos of 250 × 250 pixels with the face in the middle, as those of LFW are. */
export const ALTERATIONS: readonly Alteration[] = [
  { name: 'as it is', apply: (photo) => Promise.resolve(photo) },
  ...[15, 45, 90, 135, 180, 270].map((degrees) => ({
    name: `turned by ${degrees}°`,
    apply: (photo: Uint8Array) => jpeg(sharp(photo).rotate(degrees, { background: '#777' })),
  })),
  ...[
    { side: 1600, share: '6 %' },
    { side: 3200, share: '3 %' },
  ].map(({ side, share }) => ({
    name: `face ${share} of the long side`,
    apply: (photo: Uint8Array) => inScene(photo, side),
  })),
  ...[125, 80, 32].map((side) => ({
    name: `reduced to ${side} × ${side}`,
    apply: (photo: Uint8Array) => jpeg(sharp(photo).resize(side)),
  })),
  ...[0.5, 0.2, 0.1, 0.05].map((factor) => ({
    name: `light × ${factor}`,
    apply: (photo: Uint8Array) => jpeg(sharp(photo).linear(factor, 0)),
  })),
  { name: 'light × 2, clipped', apply: (photo) => jpeg(sharp(photo).linear(2, 0)) },
  { name: 'greyscale', apply: (photo) => jpeg(sharp(photo).greyscale()) },
  { name: 'JPEG quality 15', apply: (photo) => sharp(photo).jpeg({ quality: 15 }).toBuffer() },
  ...[1, 2, 4, 8].map((sigma) => ({
    name: `blurred, σ ${sigma}`,
    apply: (photo: Uint8Array) => jpeg(sharp(photo).blur(sigma)),
  })),
  {
    name: 'cut tightly',
    apply: (photo) => jpeg(sharp(photo).extract({ left: 75, top: 70, width: 100, height: 110 })),
  },
  {
    name: 'a third of the face cut off',
    apply: (photo) => jpeg(sharp(photo).extract({ left: 110, top: 0, width: 140, height: 250 })),
  },
  ...(['eyes', 'mouth'] as const).map((part) => ({
    name:
      part === 'eyes' ? 'bar, dark glasses or hand over the eyes' : 'mask, scarf or hand over nose and mouth',
    apply: async (photo: Uint8Array, eyes: readonly [Point, Point]) =>
      jpeg(await covered({ bytes: photo, eyes }, part, random)),
  })),
  { name: 'two faces side by side', faces: 2, apply: twice },
];

/** The middle of the photo beside its mirror image, which the finder cannot know to be the same person. */
async function twice(photo: Uint8Array): Promise<Uint8Array> {
  const middle = await sharp(photo).extract({ left: 35, top: 0, width: 180, height: 250 }).toBuffer();
  const mirrored = await sharp(middle).flop().toBuffer();
  const pair = sharp({ create: { width: 360, height: 250, channels: 3, background: '#000' } });
  return jpeg(
    pair.composite([
      { input: middle, left: 0, top: 0 },
      { input: mirrored, left: 180, top: 0 },
    ]),
  );
}

function inScene(photo: Uint8Array, side: number): Promise<Uint8Array> {
  const scene = sharp({
    create: { width: side, height: Math.round(side * 0.75), channels: 3, background: '#667788' },
  });
  return jpeg(
    scene.composite([
      { input: Buffer.from(photo), left: Math.round(side * 0.6), top: Math.round(side * 0.75 * 0.55) },
    ]),
  );
}
