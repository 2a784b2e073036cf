/** The same faces as they would look wearing something, or photographed by other means. */
import sharp from 'sharp';
import type { Point } from '../../core/contracts/faces.ts';
import { loadParts } from '../../core/vision/descriptor.ts';
import type { DescriptorParts } from '../../core/vision/fusion.ts';
import { MOBILE_LENGTH, RECOGNITION_LENGTH } from '../../core/vision/nets/descriptors.ts';
import { luma, type Raster } from '../../core/vision/raster.ts';
import { euclidean } from '../../bench/accuracy/comparisons.ts';
import { describeSet, type Pipeline } from '../../bench/accuracy/describing.ts';
import { loadExtracting, MODELS, PARTS, partsOf } from '../../bench/accuracy/ours.ts';
import type { Photo, PhotoSet } from '../../bench/accuracy/photos.ts';
import { painted, withSurgicalMask, type Shape } from '../occlusion/covers.ts';
import { randomNumbers } from '../../bench/vision/pictures.ts';
import type { Described } from './fitting.ts';

/** One of this many photos is altered. */
const EVERY = 5;

/** The outputs of the nets for a face after each alteration, in the order of {@link ALTERATIONS}. */
interface AlteredFace {
  photo: Photo;
  after: DescriptorParts[];
}

type Alteration = (
  photo: Raster,
  eyes: readonly [Point, Point],
  random: () => number,
) => Raster | Promise<Raster>;

export const ALTERATIONS: Record<string, Alteration> = {
  grey: (photo) => {
    const data = new Uint8Array(photo.data.length);
    for (const [pixel, value] of luma(photo).entries())
      data.fill(Math.round(value), 3 * pixel, 3 * pixel + 3);
    return { ...photo, data };
  },
  blurred: async (photo) => {
    const { width, height, data } = photo;
    const image = sharp(data, { raw: { width, height, channels: 3 } });
    return { ...photo, data: new Uint8Array(await image.blur(2.5).raw().toBuffer()) };
  },
  dark: (photo) => ({ ...photo, data: photo.data.map((value) => Math.round(0.3 * value)) }),
  sunglasses: (photo, eyes) => painted(photo, eyes, sunglasses, () => [22, 22, 24]),
  'a cap': (photo, eyes, random) => {
    const colour = [200 * random(), 200 * random(), 200 * random()] as const;
    return painted(photo, eyes, cap, () => colour);
  },
  'thin spectacles': (photo, eyes, random) => {
    const metal = 40 + 130 * random();
    const size = { across: 0.4 + 0.08 * random(), down: 0.3 + 0.1 * random(), thick: 0.05 };
    const frame = spectacles({ ...size, corners: 2.2 + 2 * random(), middle: 0.08, bridge: -0.08 });
    return painted(photo, eyes, frame, () => [metal, 0.9 * metal, 0.8 * metal]);
  },
  'thick spectacles': (photo, eyes, random) => {
    const horn = 10 + 60 * random();
    const size = {
      across: 0.4 + 0.08 * random(),
      down: 0.26 + 0.12 * random(),
      thick: 0.09 + 0.05 * random(),
    };
    const frame = spectacles({ ...size, corners: 2.2 + 3 * random(), middle: 0.05, bridge: -0.1 });
    return painted(photo, eyes, frame, () => [horn, 0.8 * horn, 0.7 * horn]);
  },
  'surgical mask': withSurgicalMask,
};

const cap: Shape = (u, v) => v < -0.5 - 0.1 * Math.cos(u) && v > -1.7 && Math.abs(u) < 1.25;

const sunglasses: Shape = (u, v) =>
  (Math.abs(Math.abs(u) - 0.5) / 0.42) ** 3 + (Math.abs(v - 0.04) / 0.32) ** 3 <= 1 ||
  (Math.abs(v + 0.05) < 0.05 && Math.abs(u) < 1.05);

/** Two rims, a bridge and temples: half the width and height of a glass, what its corners are like, all in eye distances. */
function spectacles(of: {
  across: number;
  down: number;
  thick: number;
  corners: number;
  middle: number;
  bridge: number;
}): Shape {
  const { across, down, thick, corners, middle, bridge } = of;
  return (u, v) => {
    const [beside, below] = [Math.abs(Math.abs(u) - 0.5), Math.abs(v - middle)];
    const within = (less: number) =>
      (beside / (across - less)) ** corners + (below / (down - less)) ** corners <= 1;
    if (within(0)) return !within(thick);
    const between = Math.abs(u) < 0.5 || (Math.abs(u) > 0.5 && Math.abs(u) < 1.12);
    return between && Math.abs(v - bridge) < thick / 2;
  };
}

const LENGTH = RECOGNITION_LENGTH + MOBILE_LENGTH;
const KINDS = Object.values(ALTERATIONS);
const DESCRIPTION = {
  id: `${PARTS.id}-altered-${KINDS.length}`,
  length: KINDS.length * LENGTH,
};

/** Every fifth photo of the set; where a face lies is found before it is altered. */
export async function describeAltered(set: PhotoSet): Promise<AlteredFace[]> {
  const photos = set.photos.filter((_, i) => i % EVERY === 0);
  const descriptions = await describeSet({ ...set, photos }, loadAltering, DESCRIPTION);
  return photos.flatMap((photo, i) => {
    const description = descriptions[i];
    if (description === undefined) return [];
    const after = KINDS.map((_, k) => partsOf(description.subarray(k * LENGTH, (k + 1) * LENGTH)));
    return [{ photo, after }];
  });
}

async function loadAltering(): Promise<Pipeline> {
  const extractParts = await loadParts(MODELS);
  const random = randomNumbers(77);
  return loadExtracting(DESCRIPTION, async (view, face) => {
    const onRaster = ({ x, y }: Point): Point => ({ x: x * view.scale, y: y * view.scale });
    const eyes = [onRaster(face.eyes[0]), onRaster(face.eyes[1])] as const;
    const vector = new Float32Array(DESCRIPTION.length);
    for (const [k, alter] of KINDS.entries()) {
      const parts = await extractParts(view.withRaster(await alter(view.raster, eyes, random)), face);
      vector.set([...parts.recognition, ...parts.mobile], k * LENGTH);
    }
    return vector;
  });
}

/** For each alteration the true match rates in % at these distances, as text. */
export function matchedByAlteration(
  altered: readonly AlteredFace[],
  untouched: readonly Described[],
  template: (each: Pick<Described, 'parts'>) => Float32Array,
  distances: readonly number[],
): string[] {
  const templates = untouched.map(template);
  return KINDS.map((_, k) => {
    const compared = altered.flatMap(({ photo, after }) => {
      const probe = template({ parts: after[k]! });
      return untouched.flatMap((other, i) =>
        other.photo.identity === photo.identity && other.photo.name !== photo.name
          ? [euclidean(probe, templates[i]!)]
          : [],
      );
    });
    const rate = (limit: number) => compared.filter((distance) => distance <= limit).length / compared.length;
    return distances.map((limit) => (100 * rate(limit)).toFixed(1)).join(' / ');
  });
}
