import type { ReadableImage } from '../../components/readableImage.ts';

/** An image that was searched with: shown from the disk, stored nowhere. */
export interface Probe extends ReadableImage {
  url: string;
}
