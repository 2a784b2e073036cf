import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { z } from 'zod';
import {
  blacklistFacePage,
  blacklistList,
  blacklistRow,
  facesMoved,
  listingChanged,
  type BlacklistChange,
  type BlacklistEdit,
} from '../../core/contracts/dashboard/blacklists.ts';
import { type FaceListing, type FaceListingEdit, ofTexts } from '../../core/contracts/faceListing.ts';
import { requestJson, queryString } from './client.ts';

const FACES_PER_PAGE = 200;

export const blacklistsQuery = queryOptions({
  queryKey: ['blacklists', 'list'],
  queryFn: ({ signal }) => requestJson('GET', '/blacklists', blacklistList, { signal }),
});

export function facesQuery(id: number, status: number | undefined) {
  return infiniteQueryOptions({
    queryKey: ['blacklists', 'faces', id, status],
    queryFn: ({ pageParam, signal }) =>
      requestJson(
        'GET',
        `/blacklists/${id}/faces${queryString({ status, limit: FACES_PER_PAGE, cursor: pageParam })}`,
        blacklistFacePage,
        { signal },
      ),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.nextCursor ?? undefined,
  });
}

export const createBlacklist = (edit: BlacklistEdit) =>
  requestJson('POST', '/blacklists', blacklistRow, { body: edit });
export const changeBlacklist = (id: number, change: BlacklistChange) =>
  requestJson('PATCH', `/blacklists/${id}`, blacklistRow, { body: change });
export const deleteBlacklist = (id: number) => requestJson('DELETE', `/blacklists/${id}`, z.unknown());
export const changeListing = (
  id: number,
  faces: readonly number[],
  { name, ...change }: FaceListingEdit & { name?: string },
) => requestJson('PATCH', `/blacklists/${id}/faces`, listingChanged, { body: { ids: faces, change, name } });
/** Moves faces of a list to another one. */
export const moveFaces = (from: number, faces: readonly number[], to: number) =>
  requestJson('POST', `/blacklists/${from}/faces/move`, facesMoved, { body: { ids: faces, to } });
/** A listing as the query of a request whose body is a photo. */
export function listingQuery({ severity, expiresAt, ...texts }: FaceListing) {
  return {
    severity,
    ...ofTexts((field) => texts[field] ?? undefined),
    expiresAt: expiresAt ?? undefined,
  } satisfies Record<keyof FaceListing, unknown>;
}
export const removeFaces = (id: number, faces: readonly number[]) =>
  requestJson('POST', `/blacklists/${id}/faces/remove`, z.unknown(), { body: { ids: faces } });
