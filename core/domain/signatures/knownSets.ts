/**
 * Known sets drawn from the labelled signatures of a company, and how often the findings of their comparison support the wrong
 * proposition. Writers are resampled, not sets: sets of one writer are not independent.
 */
import { KNOWN_ALTERNATIVES, type KnownAlternative } from '../../contracts/knownSignatures.ts';
import {
  KNOWN_SET_SIZES,
  type EstimatedShare,
  type MeasuredKnownSets,
} from '../../contracts/signatureCalibration.ts';
import { repeatable } from '../calibration/repeatable.ts';
import type { LikelihoodRatios } from '../ports/knownSignatures.ts';
import { drawn, interval, LEAST_WRITERS, ROUNDS } from './measure.ts';
import { some, type LabelledImage } from './pairs.ts';

/** The truth about a questioned signature: of the known writer, an imitation, or another writer's own signature. */
type Questioned = 'genuine' | KnownAlternative;

/** Images by their places in the list, and the writer of the known ones by number. */
export interface PlannedKnownSet {
  of: Questioned;
  writer: number;
  known: readonly number[];
  questioned: number;
}

export interface ComparedKnownSet {
  of: Questioned;
  writer: number;
  /** How many signatures were known. */
  known: number;
  ratios: LikelihoodRatios;
}

/** Sets of a writer and size; of many writers fewer each, so that the comparison takes minutes. */
const MAX_DRAWS = 4;
const MAX_SETS_OF_A_SIZE = 120;

/** @returns the same sets for the same images in the same order; none of a size for which there are too few writers */
export function planKnownSets(images: readonly LabelledImage[]): PlannedKnownSet[] {
  const names = [...new Set(images.map(({ writer }) => writer))];
  const random = repeatable(images.length + 1);
  const places = (writer: string, forgery: boolean) =>
    images.flatMap((image, place) => (image.writer === writer && image.forgery === forgery ? [place] : []));
  const writers = names.map((name, writer) => ({
    writer,
    genuine: places(name, false),
    imitations: places(name, true),
  }));
  return KNOWN_SET_SIZES.flatMap((size) => {
    const able = writers.filter(({ genuine }) => genuine.length > size);
    if (able.length < LEAST_WRITERS) return [];
    const draws = Math.min(MAX_DRAWS, Math.max(1, Math.floor(MAX_SETS_OF_A_SIZE / able.length)));
    return some(able, MAX_SETS_OF_A_SIZE, random).flatMap(({ writer, genuine, imitations }) => {
      const others = writers.flatMap((other) => (other.writer === writer ? [] : other.genuine));
      return Array.from({ length: draws }, () => {
        const [own, ...known] = some(genuine, size + 1, random);
        const one = (of: Questioned, questioned: number | undefined): PlannedKnownSet[] =>
          questioned === undefined ? [] : [{ of, writer, known, questioned }];
        return [
          ...one('genuine', own),
          ...one('imitation', some(imitations, 1, random)[0]),
          ...one('stranger', some(others, 1, random)[0]),
        ];
      }).flat();
    });
  });
}

/** How many pairs the comparison of a set takes. */
export const pairsOfSet = ({ known }: PlannedKnownSet): number => (known.length * (known.length + 1)) / 2;

/**
 * @param modelVersion of the comparison with several known signatures
 * @returns null: there are too few writers for any size
 */
export function measureKnownSets(
  compared: readonly ComparedKnownSet[],
  modelVersion: string,
): MeasuredKnownSets | null {
  const rates = KNOWN_SET_SIZES.flatMap((known) =>
    KNOWN_ALTERNATIVES.flatMap((of) => {
      const sets = compared.filter((set) => set.known === known);
      const genuine = sets.filter((set) => set.of === 'genuine');
      const other = sets.filter((set) => set.of === of);
      const writers = Math.min(writersOf(genuine), writersOf(other));
      if (writers < LEAST_WRITERS) return [];
      return [
        {
          of,
          known,
          writers,
          genuine: shareOf(genuine, ({ ratios }) => ratios[of].support.favours === 'alternative'),
          other: shareOf(other, ({ ratios }) => ratios[of].support.favours === 'known_writer'),
        },
      ];
    }),
  );
  return rates.length === 0 ? null : { modelVersion, rates };
}

const writersOf = (sets: readonly ComparedKnownSet[]) => new Set(sets.map(({ writer }) => writer)).size;

/** Where no set errs, the interval ends at the rate that so many writers do not exclude. */
function shareOf(
  sets: readonly ComparedKnownSet[],
  errs: (set: ComparedKnownSet) => boolean,
): EstimatedShare {
  const writers = [...new Set(sets.map(({ writer }) => writer))];
  const erring = writers.map((writer) => {
    const own = sets.filter((set) => set.writer === writer);
    return { sets: own.length, errors: own.filter(errs).length };
  });
  const share = (times: Uint8Array) => {
    const sum = (of: 'sets' | 'errors') => erring.reduce((all, one, i) => all + one[of] * times[i]!, 0);
    return sum('errors') / sum('sets');
  };
  const random = repeatable(sets.length);
  const resampled = Array.from({ length: ROUNDS }, () => share(drawn(writers.length, random)));
  return interval(share(new Uint8Array(writers.length).fill(1)), resampled, writers.length);
}
