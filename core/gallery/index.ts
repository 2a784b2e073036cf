import type { GalleryPort } from '../domain/ports.ts';
import { MemoryGallery, type GalleryOptions } from './gallery.ts';

export type { GalleryOptions } from './gallery.ts';

/** The gallery with the threads and the memory that it holds. */
export interface Gallery extends GalleryPort {
  close(): Promise<void>;
}

/** An empty gallery; the caller fills it from the store (`Faces.all`). */
export function createGallery(options: GalleryOptions): Gallery {
  return new MemoryGallery(options);
}
