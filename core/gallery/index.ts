import { MemoryGallery, type Gallery, type GalleryOptions } from './gallery.ts';

export type { Gallery, GalleryOptions } from './gallery.ts';

/** An empty gallery; the caller fills it from the store (`Faces.all`). */
export function createGallery(options: GalleryOptions): Gallery {
  return new MemoryGallery(options);
}
