import type { FastifyRequest } from 'fastify';

export interface PageRequest {
  /** From 1. */
  page: number;
  perPage: number;
  /** What else was asked for: every link asks for it again. */
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

/** The address that was asked for, without its query. `Host` was compared with the listener's own names before. */
export function ownAddress(request: FastifyRequest): string {
  return `${request.protocol}://${request.host}${request.url.split('?', 1)[0] ?? ''}`;
}

export function addressOf(path: string, query: Record<string, string | number>): string {
  const parameters = new URLSearchParams();
  for (const [key, value] of Object.entries(query)) parameters.set(key, String(value));
  return `${path}?${parameters.toString()}`;
}
