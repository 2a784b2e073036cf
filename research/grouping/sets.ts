/** Labelled photos as the product would have them enrolled: templates, and the tail of this gallery. */
import type { DistanceTail } from '../../core/domain/ports/duplicates.ts';
import { measureTail } from '../../core/domain/duplicates/tail.ts';
import { CALIBRATIONS } from '../../core/vision/calibration.ts';
import { fuse, lightTemplate } from '../../core/vision/fusion.ts';
import fusion from '../../core/vision/fusion.json' with { type: 'json' };
import { describeSet } from '../../bench/accuracy/describing.ts';
import { loadOurs, PARTS, partsOf } from '../../bench/accuracy/ours.ts';
import type { Photo, PhotoSet } from '../../bench/accuracy/photos.ts';
import { randomFrom } from '../../bench/gallery/templates.ts';

export interface Gallery {
  name: string;
  /** By index, as the identities and the vectors are. */
  photos: readonly Photo[];
  identities: readonly string[];
  vectors: readonly Float32Array[];
  tail: DistanceTail;
}

/** The photos that show a face, in random order, as the tail asks for it. */
export async function galleryOf(set: PhotoSet, pipeline: 'full' | 'light'): Promise<Gallery> {
  const parts = await describeSet(set, loadOurs, PARTS);
  const random = randomFrom(7);
  const found = set.photos
    .flatMap((photo, index) => {
      const part = parts[index];
      return part ? [{ photo, parts: partsOf(part), place: random() }] : [];
    })
    .sort((a, b) => a.place - b.place);
  const vectors = found.map(({ parts: each }) =>
    pipeline === 'full' ? fuse(each, fusion) : lightTemplate(each.mobile, fusion),
  );
  const timer = { yield: () => Promise.resolve() };
  return {
    name: set.name,
    photos: found.map(({ photo }) => photo),
    identities: found.map(({ photo }) => photo.identity),
    vectors,
    tail: await measureTail(timer, vectors, CALIBRATIONS[pipeline]),
  };
}
