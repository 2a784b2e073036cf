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
  /** Mean of the square roots of the second descriptor over many people, 1024 numbers. */
  mean: readonly number[];
  /** Orthonormal directions that are taken out of it, 1024 numbers each. */
  removedAxes: readonly (readonly number[])[];
}

export const FUSED_LENGTH = RECOGNITION_LENGTH + FACERES_LENGTH;

/**
 * One vector of unit length: first the 128-D, then the centred 1024-D, each scaled by the root of its share.
 *
 * The 1024-D counts how strongly a face shows each feature; square roots keep a few strong ones from drowning the rest
 * (Hellinger kernel). Its second strongest direction of variation tells groups of people apart, not persons: strangers of
 * one group lie close together along it, which is where false matches come from, so it is taken out (after "all but the
 * top", Mu & Viswanath 2018; decisions 0012 and 0013).
 */
export function fuse({ recognition, faceres }: DescriptorParts, constants: FusionConstants): Float32Array {
  const fused = new Float32Array(FUSED_LENGTH);
  const { recognitionShare } = constants;
  fused.set(scaled(recognition, Math.sqrt(recognitionShare)));
  const centred = faceresPart(faceres, constants);
  fused.set(scaled(centred, Math.sqrt(1 - recognitionShare) / length(centred)), RECOGNITION_LENGTH);
  return fused;
}

function faceresPart(faceres: Float32Array, { mean, removedAxes }: FusionConstants): Float32Array {
  const centred = faceres.map((value, i) => Math.sqrt(Math.max(0, value)) - mean[i]!);
  for (const axis of removedAxes) {
    const along = centred.reduce((sum, value, i) => sum + value * axis[i]!, 0);
    for (let i = 0; i < centred.length; i++) centred[i]! -= along * axis[i]!;
  }
  return centred;
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
