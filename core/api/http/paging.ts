import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import { problem } from '../../contracts/errors/problem.ts';
import { invalidFields, type ApiError } from './errors.ts';

/** A text in a cursor: one that PostgreSQL can compare with. */
export const cursorText = z.string().refine((text) => text.isWellFormed() && !text.includes('\0'));

export interface PageRequest {
  /** From 1. */
  page: number;
  perPage: number;
  /** The other parameters of the request. Every link repeats them. */
  filters: Record<string, string | number>;
}

/** One numbered page with `links` and `meta` in the hosted service's manner. */
export function pageOf<Row>(
  request: FastifyRequest,
  { page, perPage, filters }: PageRequest,
  data: Row[],
  total: number,
) {
  const path = ownAddress(request);
  const lastPage = Math.max(1, Math.ceil(total / perPage));
  const link = (to: number) => addressOf(path, { ...filters, page: to, per_page: perPage });
  const from = data.length === 0 ? null : (page - 1) * perPage + 1;
  return {
    data,
    links: {
      first: link(1),
      last: link(lastPage),
      prev: page > 1 ? link(page - 1) : null,
      next: page < lastPage ? link(page + 1) : null,
    },
    meta: {
      current_page: page,
      from,
      last_page: lastPage,
      path,
      per_page: perPage,
      to: from === null ? null : from + data.length - 1,
      total,
    },
  };
}

/** 422: the cursor of a request is none that a page gave. */
export function unknownCursor(): ApiError {
  return invalidFields({ cursor: [problem('CURSOR_UNKNOWN', { field: 'cursor' })] });
}

/** Where the page after these rows begins; null: they are the last ones, because their page is not full. */
export function cursorAfter<Row>(
  rows: readonly Row[],
  limit: number,
  cursorOf: (last: Row) => string,
): string | null {
  const last = rows.length === limit ? rows.at(-1) : undefined;
  return last === undefined ? null : cursorOf(last);
}

/** One page of a list that is read by cursors, in the manner of the numbered pages. */
export function cursorPageOf<Row>(
  request: FastifyRequest,
  page: { limit: number; total: number; next: string | null; filters: Record<string, unknown> },
  data: Row[],
) {
  const { limit, total, next } = page;
  const path = ownAddress(request);
  const filters = Object.fromEntries(
    Object.entries({ ...page.filters, limit }).flatMap(([name, value]) =>
      typeof value === 'string' || typeof value === 'number' ? [[name, value]] : [],
    ),
  );
  const first = addressOf(path, filters);
  const following = next === null ? null : addressOf(path, { ...filters, cursor: next });
  return {
    data,
    links: { first, last: null, prev: null, next: following },
    meta: { path, per_page: limit, total, next_cursor: next },
  };
}

/** The address that was asked for, without its query. `Host` was compared with the listener's own names before. */
export function ownAddress(request: FastifyRequest): string {
  return `${request.protocol}://${request.host}${request.url.split('?', 1)[0] ?? ''}`;
}

export function addressOf(path: string, query: Record<string, string | number>): string {
  const parameters = new URLSearchParams();
  for (const [key, value] of Object.entries(query)) parameters.set(key, String(value));
  return `${path}?${parameters.toString()}`;
}
