/** Compares the labelled signatures of a calibration, in pairs and in known sets, and measures the result. */
import type { MeasuredKnownSets, SignatureCalibrationReport } from '../../contracts/signatureCalibration.ts';
import type { ManyComparisons } from '../ports/signatures.ts';
import {
  measureKnownSets,
  pairsOfSet,
  planKnownSets,
  type ComparedKnownSet,
  type PlannedKnownSet,
} from './knownSets.ts';
import { measureSignatures, type ComparedSignatures } from './measure.ts';
import { planPairs, type LabelledImage, type PlannedPair } from './pairs.ts';

export interface PlannedComparisons {
  pairs: readonly PlannedPair[];
  sets: readonly PlannedKnownSet[];
  /** Pairs, those of the sets included. */
  total: number;
}

export function planComparisons(images: readonly LabelledImage[]): PlannedComparisons {
  const pairs = planPairs(images);
  const sets = planKnownSets(images);
  return { pairs, sets, total: sets.reduce((sum, set) => sum + pairsOfSet(set), pairs.length) };
}

interface Watcher {
  /** Asked before each comparison. */
  goesOn: () => boolean;
  /** Told after each comparison how many pairs it took. */
  compared: (pairs: number) => void;
}

/** By the places of the images. */
type Unusable = Map<number, SignatureCalibrationReport['unusable'][number]>;

/**
 * One comparison after the other, so that a comparison of the company waits for one pair or set at most.
 * @returns null: the watcher ended it
 */
export async function compareLabelled(
  signatures: ManyComparisons,
  images: readonly LabelledImage[],
  { pairs, sets }: PlannedComparisons,
  watcher: Watcher,
): Promise<SignatureCalibrationReport | null> {
  const unusable: Unusable = new Map();
  const compared: ComparedSignatures[] = [];
  for (const pair of pairs) {
    if (!watcher.goesOn()) return null;
    const similarity = await comparePair(signatures, images, pair, unusable);
    if (similarity !== null) compared.push({ kind: pair.kind, writers: pair.writers, similarity });
    watcher.compared(1);
  }
  const comparedSets: ComparedKnownSet[] = [];
  let modelVersion = '';
  for (const set of sets) {
    if (!watcher.goesOn()) return null;
    const answer = await compareSet(signatures, images, set, unusable);
    if (answer !== null) {
      ({ modelVersion } = answer);
      comparedSets.push(answer.compared);
    }
    watcher.compared(pairsOfSet(set));
  }
  return reportOf(images, { compared, unusable, knownSets: measureKnownSets(comparedSets, modelVersion) });
}

async function comparePair(
  signatures: ManyComparisons,
  images: readonly LabelledImage[],
  { first, second }: PlannedPair,
  unusable: Unusable,
): Promise<number | null> {
  if (unusable.has(first) || unusable.has(second)) return null;
  const answer = await signatures.compare(images[first]!.image, images[second]!.image);
  if (answer.kind === 'compared') return answer.similarity;
  const codes = answer.kind === 'refused' ? answer.faults : answer.reasons;
  for (const [place, code] of [
    [first, codes.image1],
    [second, codes.image2],
  ] as const) {
    const { writer, file } = images[place]!;
    if (code !== undefined) unusable.set(place, { writer, file, code });
  }
  return null;
}

/** Null: an image cannot be compared, or the known signatures form two groups. Such a set does not count. */
async function compareSet(
  signatures: ManyComparisons,
  images: readonly LabelledImage[],
  { of, writer, known, questioned }: PlannedKnownSet,
  unusable: Unusable,
): Promise<{ modelVersion: string; compared: ComparedKnownSet } | null> {
  if ([questioned, ...known].some((place) => unusable.has(place))) return null;
  const imageAt = (place: number) => images[place]!.image;
  const answer = await signatures.compareKnown({
    questioned: imageAt(questioned),
    known: known.map(imageAt),
  });
  if (answer.kind !== 'compared' || answer.ratios === null) return null;
  const { modelVersion, ratios } = answer;
  return { modelVersion, compared: { of, writer, known: known.length, ratios } };
}

function reportOf(
  images: readonly LabelledImage[],
  {
    compared,
    unusable,
    knownSets,
  }: {
    compared: readonly ComparedSignatures[];
    unusable: Unusable;
    knownSets: MeasuredKnownSets | null;
  },
): SignatureCalibrationReport {
  const usable = images.filter((_, place) => !unusable.has(place));
  const forgeries = usable.filter(({ forgery }) => forgery).length;
  const count = (kind: ComparedSignatures['kind']) => compared.filter((pair) => pair.kind === kind).length;
  return {
    writers: writersOf(usable),
    signatures: usable.length - forgeries,
    forgeries,
    pairs: {
      genuine: count('genuine'),
      forgery: count('forgery'),
      differentWriters: count('differentWriters'),
    },
    ...measureSignatures(compared, writersOf(images)),
    knownSets,
    unusable: [...unusable.values()],
  };
}

const writersOf = (images: readonly LabelledImage[]) => new Set(images.map(({ writer }) => writer)).size;
