/** Joins the two descriptors of a face into one vector whose dot product is the weighted sum of both similarities. */
import { FACERES_LENGTH, RECOGNITION_LENGTH } from './nets/descriptors.ts';

/** What the nets say of a face, before anything is fitted. */
export interface DescriptorParts {
  /** 128 numbers, unit length. */
  recognition: Float32Array;
  /** 1024 numbers, 0 to 6: mean over the views of the face. */
  faceres: Float32Array;
}

/** Fitted on development photos by `npm run bench -- fusion`; in `fusion.json`. */
export interface FusionConstants {
  /** Share of the first descriptor in the squared length, 0 to 1. */
  recognitionShare: number;
  /** Added to the first descriptor, a part of its mean over many people: 128 numbers. None: nothing is added. */
  recognitionShift: readonly number[];
  /** Mean of the square roots of the second descriptor over many people, 1024 numbers. */
  mean: readonly number[];
  /** Directions of the second descriptor that count for less, dealt with one after the other. */
  axes: readonly WeighedAxis[];
}

export interface WeighedAxis {
  /** What is left of a face along it: 0 nothing, 1 all. */
  kept: number;
  /** 1024 numbers, unit length. */
  direction: readonly number[];
}

export const FUSED_LENGTH = RECOGNITION_LENGTH + FACERES_LENGTH;

/**
 * One vector of unit length: first the 128-D, then the centred 1024-D, each scaled by the root of its share.
 *
 * The 1024-D counts how strongly a face shows each feature; square roots keep a few strong ones from drowning the rest
 * (Hellinger kernel). Of its directions of variation the strongest say much about light, hair and group and little about
 * who it is, so they count for less; the second, along which strangers of one group lie close together, and those along
 * which one and the same face moves with what it wears and how it is taken, count for nothing (after "all but the top",
 * Mu & Viswanath 2018; decisions 0012, 0013 and 0017).
 */
export function fuse({ recognition, faceres }: DescriptorParts, constants: FusionConstants): Float32Array {
  const fused = new Float32Array(FUSED_LENGTH);
  const { recognitionShare, recognitionShift } = constants;
  const shifted = recognition.map((value, i) => value + (recognitionShift[i] ?? 0));
  const weighed = faceresPart(faceres, constants);
  fused.set(scaled(shifted, Math.sqrt(recognitionShare) / length(shifted)));
  fused.set(scaled(weighed, Math.sqrt(1 - recognitionShare) / length(weighed)), RECOGNITION_LENGTH);
  return fused;
}

function faceresPart(faceres: Float32Array, { mean, axes }: FusionConstants): Float32Array {
  const weighed = faceres.map((value, i) => Math.sqrt(Math.max(0, value)) - mean[i]!);
  for (const { kept, direction } of axes) {
    let along = 0;
    for (let i = 0; i < weighed.length; i++) along += weighed[i]! * direction[i]!;
    for (let i = 0; i < weighed.length; i++) weighed[i]! -= (1 - kept) * along * direction[i]!;
  }
  return weighed;
}

/** Euclidean length. */
export function length(vector: Float32Array): number {
  return Math.sqrt(vector.reduce((sum, value) => sum + value * value, 0));
}

export function scaled(vector: Float32Array, factor: number): Float32Array {
  return vector.map((value) => value * factor);
}

/** A descriptor that says nothing: all zero, or not finite. Two of the first kind would match at distance 0. */
export class EmptyDescriptor extends Error {
  override name = 'EmptyDescriptor';
}

/** Scales to length 1. @throws {EmptyDescriptor} */
export function unit(vector: Float32Array): Float32Array {
  const size = length(vector);
  if (!Number.isFinite(size) || size < 1e-6) throw new EmptyDescriptor('the net described nothing');
  return scaled(vector, 1 / size);
}
