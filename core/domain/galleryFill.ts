import type { PipelineId } from '../contracts/ids.ts';
import type { Companies, Faces, GalleryPort } from './ports.ts';

/**
 * Puts every matchable face of the store into the gallery.
 * @returns how many
 */
export async function fillGallery(
  ports: { companies: Companies; faces: Faces; gallery: GalleryPort },
  pipeline: PipelineId,
): Promise<number> {
  let count = 0;
  for (const company of await ports.companies.list())
    for await (const page of ports.faces.all(company.id, pipeline)) {
      ports.gallery.append(company.id, page);
      count += page.length;
    }
  return count;
}
