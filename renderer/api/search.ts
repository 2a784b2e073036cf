import { z } from 'zod';
import { additionReceipt, searchAnswer } from '../../core/contracts/dashboard/search.ts';
import type { FaceListing } from '../../core/contracts/faceListing.ts';
import { listingQuery } from './blacklists.ts';
import { requestJson, requestFile, queryString } from './client.ts';

/** Looks up every face of an image. Nothing is enrolled and the image is kept nowhere. */
export function searchImage(image: File, signal: AbortSignal) {
  return requestJson('POST', '/search', searchAnswer, { body: image, signal });
}

/** A PDF of the search. The service searches with the photo again, because it does not keep it. */
export const searchReport = (
  image: File,
  query: { face: number; candidate: number | undefined; file: string; language: string },
) => requestFile(`/search/report${queryString(query)}`, image);

/** Adds one face to a blacklist: the cut photo, or the one that is kept of an enrolled face. */
export function addToBlacklist(
  photo: Blob | number,
  { listing, ...place }: { blacklist: number; name: string; listing: FaceListing },
  idempotencyKey: string,
) {
  return photo instanceof Blob
    ? requestJson(
        'POST',
        `/search/additions${queryString({ ...place, ...listingQuery(listing) })}`,
        additionReceipt,
        {
          body: photo,
          idempotencyKey,
        },
      )
    : requestJson('POST', `/search/additions/faces/${photo}`, additionReceipt, {
        body: { ...place, ...listing },
        idempotencyKey,
      });
}
export const undoAddition = (uploadId: string) =>
  requestJson('DELETE', `/search/additions/${uploadId}`, z.unknown());
