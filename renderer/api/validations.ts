import {
  validationApi,
  type DecisionRequest,
  type ValidationQuery,
  type ValidationRow,
} from '../../core/contracts/dashboard/validations.ts';
import { searchApi, type SearchReportRequest } from '../../core/contracts/dashboard/search.ts';
import { paletteApi } from '../../core/contracts/dashboard/paletteSearch.ts';
import { portraitApi } from '../../core/contracts/portrait.ts';
import { faceApi } from '../../core/contracts/dashboard/faceImages.ts';
import {
  listApi,
  MAX_BATCH,
  type BatchDecision,
  type ValidationExport,
  type exportNotice,
} from '../../core/contracts/dashboard/lists.ts';
import { z } from 'zod';
import type { SearchView } from '../../core/contracts/dashboard/searchView.ts';
import type { FaceListing } from '../../core/contracts/faceListing.ts';
import { pagesQuery, readQuery, requestFile, ask } from './client.ts';
import { listingQuery } from './blacklists.ts';

/** Rows of the first page: a screen of them, which a filter shows sooner the fewer they are. */
const SCREEN = 60;
/** Rows of each page after it: few pages make a hundred thousand rows. */
const PAGE = 200;

export const validationsQuery = (filter: ValidationQuery) =>
  pagesQuery(['validations', 'list', filter], validationApi.list, (cursor) => ({
    query: { ...filter, limit: cursor === undefined ? SCREEN : PAGE, cursor },
  }));

export const validationQueryById = (id: number) =>
  readQuery(['validations', 'one', id], validationApi.read, { params: { id } });

/** @throws {ApiError} 409 when another reviewer has decided in the meantime */
export const decide = (id: number, request: DecisionRequest) =>
  ask(validationApi.decide, { params: { id }, body: request });

/** A PDF of the case. `match`: the only match that is shown side by side, as `blacklist:812` or `duplicate:557`. */
export const caseReport = (id: number, query: { language: string; match?: string | undefined }) =>
  requestFile(validationApi.report, { params: { id }, query });

/** Looks up every face of an image. Nothing is enrolled and the image is stored nowhere. */
export const searchImage = (image: File, view: SearchView, signal: AbortSignal) =>
  ask(searchApi.run, { query: { ...view, below: String(view.below) }, body: image, signal });

/** Adds another threshold or filter of a result to the audit log; it may be shown only after this resolves. */
export const recordSearchView = (search: string, view: SearchView) =>
  ask(searchApi.setView, { params: { id: search }, body: view });

/** A PDF of a result, as it is on the screen. @throws {ApiError} SEARCH_EXPIRED: the service no longer keeps it */
export const searchReport = (search: string, request: SearchReportRequest) =>
  requestFile(searchApi.report, { params: { id: search }, body: request });

/** The use of the last weeks, and the shares of people who are found. */
export const expectationQuery = readQuery(['search', 'expectation'], searchApi.expectation);

/** Earlier searches without their photos: the operator's own, or all for a role that may read the audit log. */
export const searchHistoryQuery = readQuery(['search', 'history'], searchApi.history);

/** Adds one face to a blacklist: the cut photo, or the one that is kept of an enrolled face. */
export function addToBlacklist(
  photo: Blob | number,
  { listing, ...place }: { blacklist: number; name: string; listing: FaceListing },
  idempotencyKey: string,
) {
  return photo instanceof Blob
    ? ask(searchApi.addPhoto, {
        query: { ...place, ...listingQuery(listing) },
        body: photo,
        idempotencyKey,
      })
    : ask(searchApi.addFace, { params: { id: photo }, body: { ...place, ...listing }, idempotencyKey });
}
export const undoAddition = (uploadId: string) => ask(searchApi.undoAddition, { params: { id: uploadId } });

/** Validations, faces, uploads and comparisons that match a text. */
export const paletteSearchQuery = (text: string) =>
  readQuery(['find', text], paletteApi.find, { query: { text }, staleTime: 5_000 });

/** The photo of an enrolled face. */
export const faceQuery = (id: number | string) =>
  readQuery(['faces', String(id)], faceApi.read, { params: { id }, staleTime: 60_000 });

/** Measured anew at each first look: nothing of it is stored. */
export const portraitQuery = (id: string) =>
  readQuery(['faces', id, 'portrait'], portraitApi.ofFace, { params: { id }, staleTime: Infinity });

/** The first rows of a filter, as many as one action may concern, and how many there are. */
export async function firstOfFilter(
  filter: ValidationQuery,
): Promise<{ rows: readonly ValidationRow[]; total: number }> {
  const { items, total } = await ask(validationApi.list, { query: { ...filter, limit: MAX_BATCH } });
  return { rows: items, total };
}

export const decideAll = (request: BatchDecision) => ask(listApi.decideAll, { body: request });

export const exportValidations = (request: ValidationExport) =>
  requestFile(listApi.exportValidations, { body: request });

export const exportBlacklistFaces = (blacklist: number) =>
  requestFile(listApi.exportFaces, { params: { id: blacklist } });

/** Adds an export to the audit log. A file must be saved, or a page printed, only after it resolves. */
export const announceExport = (notice: z.input<typeof exportNotice>) =>
  ask(listApi.announceExport, { body: notice });
