/** Photos of LFW with templates that were fitted on other people: the people are halved at random, again and again. */
import { repeatable } from '../../core/domain/calibration/repeatable.ts';
import { fitting, templateOf, type Described } from '../../research/fusion/fitting.ts';
import { alongAxes } from './alongAxis.ts';
import { describeSet } from './describing.ts';
import { loadOurs, PARTS, partsOf } from './ours.ts';
import { lfw } from './photos.ts';

export const RECIPES = {
  full: { name: 'full', share: 0.7, whitened: 1, kept: 64, directionOut: true },
  light: { name: 'light', share: 0, whitened: 1, kept: 64, directionOut: true },
};

/** The photos of LFW in which a face was found, with their number in the set. */
export async function describedPhotos() {
  const set = lfw();
  const parts = await describeSet(set, loadOurs, PARTS);
  const found = set.photos.flatMap((photo, number) => {
    const part = parts[number];
    return part ? [{ photo, number, parts: partsOf(part) }] : [];
  });
  const along = alongAxes(found);
  return found.map((each, i) => ({ ...each, along: along[i]! }));
}

/** Templates of one half of the people, fitted on the other. */
export function* halves<D extends Described>(
  described: readonly D[],
  pipeline: keyof typeof RECIPES,
  seed: number,
): Generator<{ photo: D; template: Float32Array }[]> {
  const random = repeatable(seed * 7919);
  const isFirst = new Map<string, boolean>();
  for (const { photo } of described)
    if (!isFirst.has(photo.identity)) isFirst.set(photo.identity, random() < 0.5);
  for (const half of [true, false]) {
    const isFitted = ({ photo }: Described) => isFirst.get(photo.identity) === half;
    const constants = fitting(described.filter(isFitted))(RECIPES[pipeline]);
    yield described
      .filter((each) => !isFitted(each))
      .map((photo) => ({ photo, template: templateOf(photo.parts, constants) }));
  }
}
