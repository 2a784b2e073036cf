/** Where the images of an installation are. The home keeps it, so that every command finds the same images. */
import { existsSync, readFileSync } from 'node:fs';
import { isAbsolute } from 'node:path';
import { CodedError, problem } from '../../contracts/errors/problem.ts';
import { writeDurably } from '../engine/fsync.ts';
import type { Home } from '../engine/home.ts';
import { isBucketLocation, parseBucketAddress } from './places/bucketAddress.ts';

/** @returns the whole path of a folder, or an address as `parseBucketAddress` takes it; undefined: the home has them */
export function keptImages({ imagesAddress }: Pick<Home, 'imagesAddress'>): string | undefined {
  return existsSync(imagesAddress) ? readFileSync(imagesAddress, 'utf8').trim() : undefined;
}

/**
 * Keeps where the images of an installation are. A wrong place does no harm: it lacks the markers of the companies.
 * @throws {CodedError} it is neither a whole path nor an S3 address
 */
export async function keepImages(home: Pick<Home, 'imagesAddress'>, images: string): Promise<void> {
  if (isBucketLocation(images)) parseBucketAddress(images);
  else if (!isAbsolute(images))
    throw new CodedError(problem('IMAGES_ADDRESS', { why: 'a folder must be given with its whole path' }));
  if (keptImages(home) !== images) await writeDurably(home.imagesAddress, `${images}\n`);
}
