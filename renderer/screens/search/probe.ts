import type { ReadableImage } from '../../components/readableImage.ts';

/** An image that was searched with: shown from the disk, stored nowhere. */
export interface Probe extends ReadableImage {
  url: string;
  /** Lowercase hex SHA-256 of the file that was sent, for the report. */
  sha256: string;
}
