import { z } from 'zod';
import {
  validationDetail,
  validationPage,
  type DecisionRequest,
  type ValidationQuery,
  type ValidationRow,
} from '../../core/contracts/dashboard/validations.ts';
import {
  additionReceipt,
  searchAnswer,
  searchHistory,
  type SearchReportRequest,
} from '../../core/contracts/dashboard/search.ts';
import type { SearchView } from '../../core/contracts/dashboard/searchView.ts';
import type { FaceListing } from '../../core/contracts/faceListing.ts';
import { findAnswer } from '../../core/contracts/dashboard/paletteSearch.ts';
import { enrolledFace } from '../../core/contracts/dashboard/faceImages.ts';
import {
  batchResult,
  MAX_BATCH,
  type BatchDecision,
  type ValidationExport,
  type exportNotice,
} from '../../core/contracts/dashboard/lists.ts';
import { pagesQuery, queryString, readQuery, requestFile, requestJson } from './client.ts';
import { listingQuery } from './blacklists.ts';

/** Rows of the first page: a screen of them, which a filter shows sooner the fewer they are. */
const SCREEN = 60;
/** Rows of each page after it: few pages make a hundred thousand rows. */
const PAGE = 200;

export const validationsQuery = (filter: ValidationQuery) =>
  pagesQuery(
    ['validations', 'list', filter],
    validationPage,
    (cursor) =>
      `/validations${queryString({ ...filter, limit: cursor === undefined ? SCREEN : PAGE, cursor })}`,
  );

export const validationQueryById = (id: number) =>
  readQuery(['validations', 'one', id], `/validations/${id}`, validationDetail);

/** @throws {ApiError} 409 when another reviewer has decided in the meantime */
export const decide = (id: number, request: DecisionRequest) =>
  requestJson('POST', `/validations/${id}/decision`, validationDetail, { body: request });

/** A PDF of the case. `match`: the only match that is shown side by side, as `blacklist:812` or `duplicate:557`. */
export const caseReport = (id: number, query: { language: string; match?: string | undefined }) =>
  requestFile(`/validations/${id}/report${queryString(query)}`, {});

/** Looks up every face of an image. Nothing is enrolled and the image is stored nowhere. */
export const searchImage = (image: File, view: SearchView, signal: AbortSignal) =>
  requestJson('POST', `/search${queryString({ ...view, below: String(view.below) })}`, searchAnswer, {
    body: image,
    signal,
  });

/** Adds another threshold or filter of a result to the audit log; it may be shown only after this resolves. */
export const recordSearchView = (search: string, view: SearchView) =>
  requestJson('PUT', `/search/${search}/view`, z.null(), { body: view });

/** A PDF of a result, as it is on the screen. @throws {ApiError} SEARCH_EXPIRED: the service no longer keeps it */
export const searchReport = (search: string, request: SearchReportRequest) =>
  requestFile(`/search/${search}/report`, request);

/** Earlier searches without their photos: the operator's own, or all for a role that may read the audit log. */
export const searchHistoryQuery = readQuery(['search', 'history'], '/search/history', searchHistory);

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

/** Validations, faces, uploads and comparisons that match a text. */
export const paletteSearchQuery = (text: string) =>
  readQuery(['find', text], `/find${queryString({ text })}`, findAnswer, {
    staleTime: 5_000,
  });

/** The photo of an enrolled face. */
export const faceQuery = (id: number | string) =>
  readQuery(['faces', String(id)], `/faces/${id}`, enrolledFace, {
    staleTime: 60_000,
  });

/** The first rows of a filter, as many as one action may concern, and how many there are. */
export async function firstOfFilter(
  filter: ValidationQuery,
): Promise<{ rows: readonly ValidationRow[]; total: number }> {
  const { items, total } = await requestJson(
    'GET',
    `/validations${queryString({ ...filter, limit: MAX_BATCH })}`,
    validationPage,
  );
  return { rows: items, total };
}

export const decideAll = (request: BatchDecision) =>
  requestJson('POST', '/validations/decisions', batchResult, { body: request });

export const exportValidations = (request: ValidationExport) => requestFile('/validations/export', request);

export const exportBlacklistFaces = (blacklist: number) =>
  requestFile(`/blacklists/${blacklist}/faces/export`, {});

/** Adds an export to the audit log. A file must be saved, or a page printed, only after it resolves. */
export const announceExport = (notice: z.input<typeof exportNotice>) =>
  requestJson('POST', '/exports', z.null(), { body: notice });
