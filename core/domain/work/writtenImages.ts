/** Image files around the transaction that refers to them. */
import type { CompanyId, ImageId } from '../../contracts/ids.ts';
import type { ImageFiles, WrittenImage } from '../ports/images.ts';
import { OutcomeUnknown, type Logger } from '../ports/machine.ts';

interface Ports {
  images: Pick<ImageFiles, 'discard' | 'settled'>;
  log: Pick<Logger, 'warn'>;
}

/** Removes files that no row refers to. What cannot be removed now is swept away at the next start. */
export async function discardImages(
  { images, log }: Ports,
  company: CompanyId,
  unused: readonly ImageId[],
): Promise<void> {
  try {
    await images.discard(company, unused);
  } catch (error) {
    log.warn(
      { err: error, company, images: unused.length },
      'image files that nothing refers to could not be removed; the next start sweeps them away',
    );
  }
}

/**
 * Runs the transaction that refers to written images. Where it refuses them, by an error or by undefined, their files go. Where it
 * may have been committed, they stay: their rows may be there.
 * @param written may grow until the transaction ends
 */
export async function referTo<T>(
  ports: Ports,
  company: CompanyId,
  written: readonly WrittenImage[],
  transaction: () => Promise<T>,
): Promise<T> {
  const ids = () => written.map(({ id }) => id);
  try {
    const result = await transaction();
    if (result === undefined) await discardImages(ports, company, ids());
    else ports.images.settled(ids());
    return result;
  } catch (cause) {
    if (cause instanceof OutcomeUnknown) ports.images.settled(ids());
    else await discardImages(ports, company, ids());
    throw cause;
  }
}
