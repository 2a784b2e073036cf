/**
 * The limits of an image and of the process that decodes it, with the reason of each. All but the last are judged from
 * the headers of the file, before a decoder runs.
 */
export const IMAGE_LIMITS = {
  /** More than the largest sensors of phones deliver by default (48 megapixels); decoded to 150 MB of colours. */
  pixels: 50_000_000,
  /**
   * The longest side, pixels. Panoramas of phones end at 16,384. Decoders keep several whole rows, and sampling has
   * positions of 15 bits, so that a row of millions of pixels takes gigabytes although it has few pixels in all.
   */
  side: 20_000,
  /**
   * Bytes that the decoder must hold at once, because the file stores the image in passes: an interlaced PNG its pixels,
   * a progressive JPEG its coefficients. 50 million pixels of three components with 16 bits each.
   */
  heldBytes: 300_000_000,
  /**
   * Samples that the decoder visits, over all scans of a JPEG. A progressive photo of 50 megapixels as encoders write it
   * has at most 14 scans, together 0.75 thousand million samples.
   */
  visitedSamples: 2_000_000_000,
  /** Memory of a worker process, bytes: 250 MB at rest, and an image at every limit above. */
  workerBytes: 700 * 2 ** 20,
} as const;
