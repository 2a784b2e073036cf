/** Internal blacklists and their faces (dashboard only). */
import { z } from 'zod';
import { FAILURE_CODES } from '../errors/failures.ts';
import { faceListing } from '../faceListing.ts';
import { displayLine } from '../displayLine.ts';
import { faceId, pathId } from '../ids.ts';
import { get, patch, post, remove } from './operation.ts';

export const BLACKLIST_LIMITS = { name: 100, description: 255 } as const;

export const blacklistEdit = z.object({
  name: z.string().trim().min(1).max(BLACKLIST_LIMITS.name),
  description: z.string().trim().max(BLACKLIST_LIMITS.description).nullable(),
});
export type BlacklistEdit = z.infer<typeof blacklistEdit>;

export const blacklistRow = z.object({
  id: z.number().int(),
  name: z.string(),
  description: z.string().nullable(),
  /** 1 Active, 0 Inactive. */
  status: z.number().int(),
  /** Those that match. */
  enrolledFacesCount: z.number().int(),
  /** Those whose time in the list is over. */
  expiredFacesCount: z.number().int(),
  /** Trust Flows whose saved version screens against it. */
  usedByTrustFlows: z.array(z.string()),
  createdAt: z.iso.datetime(),
  updatedAt: z.iso.datetime(),
});
export type BlacklistRow = z.infer<typeof blacklistRow>;
export const blacklistList = z.object({ items: z.array(blacklistRow) });

/** `PATCH /blacklists/{id}`: words, or 1 Active / 0 Inactive. */
export const blacklistChange = blacklistEdit.partial().extend({ status: z.number().int().optional() });
export type BlacklistChange = z.infer<typeof blacklistChange>;

export const blacklistFace = z.object({
  /** The Blacklist Face Upload ID once enrolled; null while pending and when failed. */
  id: z.number().int().nullable(),
  /** Stable in the list, also after the image is replaced or fails. */
  itemId: z.number().int(),
  name: z.string(),
  status: z.number().int(),
  failureCode: z.enum(FAILURE_CODES).nullable(),
  addedAt: z.iso.datetime(),
  thumbnailUrl: z.string().nullable(),
  /** null: it is no face yet. */
  listing: faceListing.nullable(),
  /** Its time in the list is over: it no longer matches. */
  expired: z.boolean(),
});
export type BlacklistFace = z.infer<typeof blacklistFace>;
export const blacklistFacePage = z.object({
  items: z.array(blacklistFace),
  nextCursor: z.string().nullable(),
});
/**
 * `PATCH /blacklists/{id}/faces`: what changes for all of these; the fields of `change` are validated with their messages.
 * `name` is a new name, of one face alone.
 */
export const listingChange = z
  .object({
    ids: z.array(faceId).min(1).max(500),
    change: z.unknown(),
    name: displayLine(255).min(1).optional(),
  })
  .refine(({ ids, name }) => name === undefined || ids.length === 1, {
    path: ['name'],
    error: 'A name is of one face. Send one id.',
  });
export const listingChanged = z.object({
  items: z.array(z.object({ id: z.number().int(), listing: faceListing })),
});
/** `POST /blacklists/{id}/faces/move`: to another active blacklist of the company. */
export const faceMove = z.object({ ids: z.array(faceId).min(1).max(500), to: pathId.blacklist });
/** The faces that were in the list and are in the other now. */
export const facesMoved = z.object({ ids: z.array(z.number().int()) });
export const faceRemoval = z.object({ ids: z.array(faceId).min(1).max(500) });

const byId = z.object({ id: pathId.blacklist });
/** The dashboard's operations. */
export const blacklistApi = {
  list: get('/blacklists', 'blacklists:read', { answer: blacklistList }),
  create: post('/blacklists', 'blacklists:write', { body: z.unknown(), answer: blacklistRow }),
  change: patch('/blacklists/:id', 'blacklists:write', {
    params: byId,
    body: blacklistChange,
    answer: blacklistRow,
  }),
  delete: remove('/blacklists/:id', 'blacklists:erase', { params: byId }),
  removeFaces: post('/blacklists/:id/faces/remove', 'blacklists:erase', { params: byId, body: faceRemoval }),
  faces: get('/blacklists/:id/faces', 'blacklists:read', {
    params: byId,
    query: z.object({
      status: z.coerce.number().int().min(1).max(3).optional(),
      cursor: z.coerce.number().int().brand<'UploadItemId'>().optional(),
      limit: z.coerce.number().int().min(1).max(500).default(200),
    }),
    answer: blacklistFacePage,
  }),
  changeListings: patch('/blacklists/:id/faces', 'blacklists:write', {
    params: byId,
    body: listingChange,
    answer: listingChanged,
  }),
  moveFaces: post('/blacklists/:id/faces/move', 'blacklists:write', {
    params: byId,
    body: faceMove,
    answer: facesMoved,
  }),
};
