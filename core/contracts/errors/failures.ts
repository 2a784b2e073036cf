import { IMAGE_LIMITS } from '../limits/limits.ts';
import { namesOf } from '../namesOf.ts';

interface FailureText {
  sentence: string;
  remedy: string;
}

/**
 * Why an image was not enrolled: one plain sentence of what happened, and one of what to do about it.
 * The sentences of the first seven follow the hosted service; a poll shows
 * `sentence` as `failureReason`, the dashboard and the terminal add `remedy`.
 */
export const FAILURES = {
  NO_FACE: {
    sentence: 'No face detected in the image. Please ensure face is clearly visible.',
    remedy: 'Use a well-lit photo of one unobstructed face that looks at the camera.',
  },
  FACE_TOO_SMALL: {
    sentence: 'Face is too small. Please move face closer to the camera.',
    remedy: 'Use the full-resolution original instead of a thumbnail, or crop closer to the face.',
  },
  MULTIPLE_FACES: {
    sentence: 'Multiple faces detected in the image. Please ensure only one face is visible.',
    remedy: 'Crop the photo to one person.',
  },
  FACE_OBSCURED: {
    sentence: 'Face is partially hidden or obscured. Please ensure full face is clearly visible.',
    remedy: 'Use a photo without a mask, sunglasses or anything that covers the face.',
  },
  FACE_CROPPED: {
    sentence: 'Face is cropped. Please ensure full face is in frame.',
    remedy: 'Use a photo that shows the whole face, from forehead to chin.',
  },
  EXTREME_POSE: {
    sentence: 'Face angle is too large. Please ensure face is clearly visible.',
    remedy: 'Use a photo of a person who faces the camera with the head upright.',
  },
  NEAR_BORDER: {
    sentence: 'Face is too close to the border. Please ensure face is clearly visible.',
    remedy: 'Use a photo with some space around the face.',
  },
  LOW_SHARPNESS: {
    sentence: 'Image is not sharp enough. Please use a photo that is in focus.',
    remedy: 'Do not use a photo with a pixelated face, or one that was enlarged from a smaller photo.',
  },
  TOO_DARK: {
    sentence: 'Image is too dark. Please use a photo with more light on the face.',
    remedy: 'Add light on the face, or brighten the photo.',
  },
  TOO_BRIGHT: {
    sentence: 'Image is too bright. Please use a photo with less light on the face.',
    remedy: 'Use a photo without flash glare or overexposed skin.',
  },
  CORRUPT_IMAGE: {
    sentence: 'Image is damaged and cannot be read.',
    remedy: 'Copy the original again, or save it again as JPEG or PNG.',
  },
  UNSUPPORTED_IMAGE: {
    sentence: 'This kind of JPEG or PNG is not supported.',
    remedy: 'Save the picture again as a JPEG with 8 bits a channel, or as a PNG without animation.',
  },
  IMAGE_TOO_LARGE: {
    sentence: `Image exceeds a limit: ${IMAGE_LIMITS.pixels / 1e6} megapixels, ${IMAGE_LIMITS.side} pixels on a side, or ${IMAGE_LIMITS.heldBytes / 1e6} MB while it is decoded.`,
    remedy: 'Save the photo as JPEG with fewer pixels. 2 megapixels are enough.',
  },
  ENGINE_ERROR: {
    sentence: 'Image could not be processed by the biometric engine.',
    remedy: 'Save the photo again as JPEG and retry. If it fails again, contact support with the upload ID.',
  },
  TIMEOUT: {
    sentence: 'Image took too long to process.',
    remedy: 'Save the photo with fewer pixels and retry.',
  },
  CANCELLED: {
    sentence: 'Upload was cancelled before this image was processed.',
    remedy: 'Upload the photo again if you still need it.',
  },
} satisfies Record<string, FailureText>;
export type FailureCode = keyof typeof FAILURES;
export const FAILURE_CODES = namesOf(FAILURES);
