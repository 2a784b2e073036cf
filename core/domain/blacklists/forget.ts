import { afterCommit, FOLLOWS } from '../work/afterCommit.ts';
import type { CompanyId } from '../../contracts/ids.ts';
import type { GalleryPort } from '../ports/gallery.ts';
import type { ImageFiles } from '../ports/images.ts';
import type { Logger } from '../ports/machine.ts';
import type { Removed } from '../ports/screening.ts';

/**
 * Follows a committed removal: first its faces match no more, then the files go. A file that cannot be removed now
 * (its disk is away) cannot be read either, because its key is gone; the next start sweeps it away.
 */
export async function forget(
  ports: { gallery: GalleryPort; images: ImageFiles; log: Logger },
  company: CompanyId,
  { faces, images }: Removed,
): Promise<void> {
  await afterCommit(ports.log, { company, faces }, FOLLOWS.erased, () =>
    ports.gallery.remove(company, faces),
  );
  try {
    await ports.images.discard(company, images);
  } catch (error) {
    ports.log.warn(
      { err: error, company, images: images.length },
      'erased images whose files could not be removed; the next start sweeps them away',
    );
  }
}
