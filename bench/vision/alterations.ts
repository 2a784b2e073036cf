/** What happens to photos on their way: turned, reduced, darkened, blurred, cut, placed small in a large scene. */
import sharp, { type Sharp } from 'sharp';

export interface Alteration {
  name: string;
  apply: (photo: Uint8Array) => Promise<Uint8Array>;
}

const jpeg = (image: Sharp) => image.jpeg({ quality: 92 }).toBuffer();

/** For photos of 250 × 250 pixels with the face in the middle, as those of LFW are. */
export const ALTERATIONS: readonly Alteration[] = [
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
  ...[125, 80].map((side) => ({
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
  ...[1, 2, 4].map((sigma) => ({
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
];

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
