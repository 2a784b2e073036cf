/** Joins the two descriptors of a face into one vector whose dot product is the weighted sum of both similarities. */

/** The descriptors of both nets for a face, before any fitting. Each has unit length. */
export interface DescriptorParts {
  /** 128 numbers. */
  recognition: Float32Array;
  /** 192 numbers of MobileFaceNet. */
  mobile: Float32Array;
}

/** Fitted on development photos by `npm run research -- fusion write`; in `fusion.json`. */
export interface FusionConstants {
  /** Share of the 128-D net in the squared length of a full template, 0 to 1. */
  recognitionShare: number;
  /** 64 rows of 128 numbers. */
  recognition: readonly (readonly number[])[];
  /** 64 rows of 192 numbers. */
  mobile: readonly (readonly number[])[];
}

/** Numbers of each part of a template: the first half of a full one is the 128-D net's, the second is a light one. */
const PART_LENGTH = 64;
export const LIGHT_LENGTH = PART_LENGTH;
export const FULL_LENGTH = 2 * PART_LENGTH;

/**
 * A full template: 128 numbers, unit length. Each half is a net's descriptor, projected and scaled to the root of its share.
 *
 * The projection of the 128-D net shrinks the directions along which photos of one person differ (within-class
 * whitening). That of MobileFaceNet takes out one direction, along which people of one group lie close together.
 * ADR 0015 has the reasons, docs/research/recognition-templates.md the experiments.
 */
export function fuse({ recognition, mobile }: DescriptorParts, constants: FusionConstants): Float32Array {
  const fused = new Float32Array(FULL_LENGTH);
  const { recognitionShare: share } = constants;
  fused.set(scaled(projected(recognition, constants.recognition), Math.sqrt(share)));
  fused.set(scaled(projected(mobile, constants.mobile), Math.sqrt(1 - share)), PART_LENGTH);
  return fused;
}

/** A light template: the projected descriptor of MobileFaceNet alone, 64 numbers, unit length. @throws EmptyDescriptor */
export function lightTemplate(mobile: Float32Array, constants: FusionConstants): Float32Array {
  return projected(mobile, constants.mobile);
}

/** The matrix times the vector, at unit length. @throws EmptyDescriptor */
function projected(vector: Float32Array, rows: FusionConstants['mobile']): Float32Array {
  return unit(
    Float32Array.from(rows, (row) => {
      let sum = 0;
      for (let i = 0; i < row.length; i++) sum += row[i]! * vector[i]!;
      return sum;
    }),
  );
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
  if (!Number.isFinite(size) || size < 1e-6)
    throw new EmptyDescriptor('the network returned a vector without length');
  return scaled(vector, 1 / size);
}
