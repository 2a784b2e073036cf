import type { FaceListing } from '../../contracts/faceListing.ts';
import { readListingEdit } from '../../domain/blacklists/faceListings.ts';
import { invalidFields } from '../http/errors.ts';

/**
 * The listing of faces that are about to be added.
 * @param fields severity, reason and expiry, all optional
 * @throws {ApiError} 422: one of the fields is invalid, or the expiry is past
 */
export function newListingOf(fields: unknown, now: Date): FaceListing {
  const read = readListingEdit(fields, now);
  if (read.kind === 'invalid') throw invalidFields(read.errors);
  return read.listing;
}
