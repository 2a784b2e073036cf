import { z } from 'zod';
import { queryOptions } from '@tanstack/react-query';
import {
  additionReceipt,
  searchAnswer,
  searchHistory,
  type SearchReportRequest,
} from '../../core/contracts/dashboard/search.ts';
import type { SearchView } from '../../core/contracts/dashboard/searchView.ts';
import type { FaceListing } from '../../core/contracts/faceListing.ts';
import { listingQuery } from './blacklists.ts';
import { requestJson, requestFile, queryString } from './client.ts';

/** Looks up every face of an image. Nothing is enrolled and the image is stored nowhere. */
export function searchImage(image: File, view: SearchView, signal: AbortSignal) {
  return requestJson('POST', `/search${queryString({ ...view, below: String(view.below) })}`, searchAnswer, {
    body: image,
    signal,
  });
}

/** Adds another threshold or filter of a result to the audit log; it may be shown only after this resolves. */
export const recordSearchView = (search: string, view: SearchView) =>
  requestJson('PUT', `/search/${search}/view`, z.null(), { body: view });

/** A PDF of a result, as it is on the screen. @throws {ApiError} SEARCH_EXPIRED: the service no longer keeps it */
export const searchReport = (search: string, request: SearchReportRequest) =>
  requestFile(`/search/${search}/report`, request);

/** Earlier searches without their photos: the operator's own, or all for a role that may read the audit log. */
export const searchHistoryQuery = queryOptions({
  queryKey: ['search', 'history'],
  queryFn: ({ signal }) => requestJson('GET', '/search/history', searchHistory, { signal }),
});

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
