/** The vision engine's findings about a face. Types only; shared by the engine, the store and the screens. */
import type { PipelineId } from './ids.ts';

/** A point in pixels of the upright image (after EXIF orientation), origin top left. */
export interface Point {
  x: number;
  y: number;
}

/** A rectangle in pixels of the upright image; may reach beyond its edges. */
export interface Box extends Point {
  width: number;
  height: number;
}

/** Biometric sample quality (after ISO/IEC 29794-5), measured on the upright image. */
export interface QualityMeasures {
  /** Distance between the pupils' centres, in pixels of the original image. */
  interEyeDistance: number;
  /** Width of the face box, in pixels of the original image. */
  faceWidth: number;
  /** Head pose in degrees; 0 looks straight at the camera; roll positive when the head leans clockwise in the image. */
  yaw: number;
  pitch: number;
  roll: number;
  /** Focus on the aligned face, without grain and the dots of a print; 0 (none) to 1. */
  sharpness: number;
  /** The same with them: noise and print look sharper than a lens draws. */
  grain: number;
  /** Mean luminance on the skin, 0 (black) to 1 (white). */
  brightness: number;
  /** Share of skin pixels that are clipped to black, or to white; 0 to 1 each. */
  underexposed: number;
  overexposed: number;
  /** Smallest distance of the face box to an edge of the image, in face widths; negative when cut off. */
  borderDistance: number;
  /** Share of the face that lies inside the image, 0 to 1. */
  inFrame: number;
  /** Probability that the eyes are covered (bar, dark glasses); 0 to 1. */
  eyesCovered: number;
  /** Probability that nose and mouth are covered (mask, hand); 0 to 1. */
  mouthCovered: number;
  /** Mean step of a JPEG's quantisation: 12 at quality 90, 100 at 30, 230 at 5; 1 when there is none. */
  quantisation: number;
}

export interface Quality {
  /** 0 (unusable) to 100 (excellent): one number that predicts recognition errors. */
  score: number;
  measures: QualityMeasures;
}

/** A face as numbers: compare only within one pipeline. Unit length, as the pipeline fuses its parts. */
export interface Template {
  pipelineId: PipelineId;
  vector: Float32Array;
}

/** A face that was found, measured and described. */
export interface ExtractedFace {
  box: Box;
  /** Centres of the eyes: first the one further left in the upright image. */
  eyes: readonly [Point, Point];
  /** The detector's confidence that this is a face, 0 to 1. */
  confidence: number;
  quality: Quality;
  template: Template;
  /** A JPEG of the aligned face, eyes on one line, for people to look at; never used for matching. */
  thumbnail: Uint8Array;
}

/** The small picture of a face: a square JPEG, and where the eyes come to lie, shares of its side. */
export const FACE_THUMBNAIL = {
  side: 160,
  /** The whole head, hair and chin, fits around them. */
  eyes: [
    { x: 0.35, y: 0.46 },
    { x: 0.65, y: 0.46 },
  ],
} as const;

export const IMAGE_FORMATS = ['jpeg', 'png'] as const;
export type ImageFormat = (typeof IMAGE_FORMATS)[number];

/** The upright image that was looked at. */
export interface ImageFacts {
  width: number;
  height: number;
  format: ImageFormat;
}
