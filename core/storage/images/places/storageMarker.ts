/** The marker of a place: which installation and which company its images belong to. */
import { problem } from '../../../contracts/errors/problem.ts';
import { z } from 'zod';
import { trusted } from '../../../contracts/ids.ts';
import { UnavailableError } from '../../../domain/ports/machine.ts';
import type { Database } from '../../engine/database.ts';
import { MARKER, type ImagePlace } from './imagePlace.ts';
import { StorageFolderRefused } from './storageFolderRefused.ts';

const marker = z.object({ installation: z.string(), company: z.number().int() });
export type StorageMarker = z.infer<typeof marker>;

export async function writeMarker(place: ImagePlace, content: StorageMarker): Promise<void> {
  await place.writeMarker(`${JSON.stringify(content)}\n`);
}

/** @returns undefined: there is none @throws {UnavailableError} it is damaged */
export async function readMarker(place: ImagePlace): Promise<StorageMarker | undefined> {
  const text = await place.readMarker();
  try {
    return text === undefined ? undefined : marker.parse(JSON.parse(text));
  } catch (cause) {
    if (cause instanceof SyntaxError || cause instanceof z.ZodError)
      throw new UnavailableError(
        problem('STORAGE_MARKER_DAMAGED', { marker: MARKER, folder: place.location }),
        { cause },
      );
    throw cause;
  }
}

/**
 * A place with images and without a marker is the company's only when the company knows one of the images.
 * @throws {StorageFolderRefused} it belongs to another company or installation
 */
export async function refuseMarkerOfOthers(
  db: Database,
  place: ImagePlace,
  own: StorageMarker,
): Promise<void> {
  const found = await readMarker(place);
  if (found !== undefined) {
    if (found.installation === own.installation && found.company === own.company) return;
    throw new StorageFolderRefused(problem('STORAGE_FOLDER_MARKED', { marker: MARKER }));
  }
  for (const shelf of await place.shelves()) {
    const images = await place.imagesOn(shelf);
    if (images.length === 0) continue;
    const known = await db
      .selectFrom('image')
      .select('id')
      .where('company_id', '=', trusted.company(own.company))
      .where('id', 'in', images.slice(0, 100))
      .limit(1)
      .execute();
    if (known.length > 0) return;
    throw new StorageFolderRefused(problem('STORAGE_FOLDER_FOREIGN_IMAGES'));
  }
}
