/** Which pairs of labelled signatures are compared: enough for the rates, few enough for minutes of one core. */
import { repeatable } from '../calibration/repeatable.ts';
import type { SignaturePairKind } from '../../contracts/signatureCalibration.ts';

export interface LabelledImage {
  writer: string;
  file: string;
  forgery: boolean;
  image: Uint8Array;
}

/** Two images by their places in the list, and the writers by number. */
export interface PlannedPair {
  kind: SignaturePairKind;
  first: number;
  second: number;
  writers: readonly [number, number];
}

/** A writer's pairs of a kind at most, so that one writer with many signatures does not decide. */
const MAX_OF_A_WRITER = 45;
/** 30 errors at 1 in 100 are expected of 3,000 pairs. */
const MAX_OF_DIFFERENT_WRITERS = 3_000;

/** @returns the same pairs for the same images in the same order */
export function planPairs(images: readonly LabelledImage[]): PlannedPair[] {
  const writers = [...new Set(images.map(({ writer }) => writer))];
  const random = repeatable(images.length);
  const own = writers.map((writer) => placesOf(images, (image) => image.writer === writer && !image.forgery));
  const forged = writers.map((writer) =>
    placesOf(images, (image) => image.writer === writer && image.forgery),
  );
  const ofWriters = writers.flatMap((_, writer) => {
    const genuine = own[writer]!;
    const mated = genuine.flatMap((first, i) =>
      genuine.slice(i + 1).map((second) => [first, second] as const),
    );
    const imitated = genuine.flatMap((first) => forged[writer]!.map((second) => [first, second] as const));
    return [
      ...some(mated, MAX_OF_A_WRITER, random).map(planned('genuine', [writer, writer])),
      ...some(imitated, MAX_OF_A_WRITER, random).map(planned('forgery', [writer, writer])),
    ];
  });
  const writersApart = own.flatMap((genuine, one) =>
    genuine.length === 0
      ? []
      : own.slice(one + 1).flatMap((others, i) => (others.length === 0 ? [] : [[one, one + 1 + i] as const])),
  );
  if (writersApart.length === 0) return ofWriters;
  const each = Math.ceil(MAX_OF_DIFFERENT_WRITERS / writersApart.length);
  const apart = writersApart.flatMap(([one, other]) => {
    const all = own[one]!.flatMap((first) => own[other]!.map((second) => [first, second] as const));
    return some(all, each, random).map(planned('differentWriters', [one, other]));
  });
  return [...ofWriters, ...some(apart, MAX_OF_DIFFERENT_WRITERS, random)];
}

const placesOf = (images: readonly LabelledImage[], is: (image: LabelledImage) => boolean) =>
  images.flatMap((image, place) => (is(image) ? [place] : []));

const planned =
  (kind: SignaturePairKind, writers: readonly [number, number]) =>
  ([first, second]: readonly [number, number]): PlannedPair => ({ kind, first, second, writers });

/** At most so many of a list, drawn without replacement. */
export function some<T>(list: readonly T[], most: number, random: () => number): T[] {
  const left = [...list];
  for (let i = 0; i < Math.min(most, left.length); i++) {
    const other = i + Math.floor(random() * (left.length - i));
    [left[i], left[other]] = [left[other]!, left[i]!];
  }
  return left.slice(0, most);
}
