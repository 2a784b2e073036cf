import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { pathId } from '../../contracts/ids.ts';
import { MESSAGES } from '../../contracts/errors/messages.ts';
import { envelope } from '../../contracts/uploads.ts';
import {
  validationDetail,
  validationPage,
  validationQuery,
  type ValidationQuery,
} from '../../contracts/validations.ts';
import { serveProgram } from '../http/program.ts';
import { ApiError } from '../http/errors.ts';
import { addressOf, ownAddress } from '../http/paging.ts';
import type { Validations } from '../../storage/screening/validations.ts';

const LIST = '/api/v3/trust-validations';
const TAGS = ['Trust Validations'];

/** Lists and details of Trust Validations: the results of verifications and enrolments. */
export function trustValidationRoutes(app: FastifyInstance, ports: { validations: Validations }): void {
  serveProgram(app, {
    route: `GET ${LIST}`,
    config: { access: 'verify' },
    operationId: 'listTrustValidations',
    summary: 'Trust Validations, newest first',
    description: 'Follow `links.next` until it is null: rows that are added meanwhile move nothing.',
    tags: TAGS,
    querystring: validationQuery,
    answer: validationPage.describe('One page of Trust Validations.'),
    message: MESSAGES.trustValidations,
    failures: [422],
    handle: async ({ companyId, query, request }) => {
      const { page, per_page } = query;
      const limit = per_page ?? query.limit;
      // One row more than the page shows whether there is a next page.
      const rows = await ports.validations.list(companyId, {
        ...query,
        limit: limit + 1,
        offset: page === undefined ? 0 : (page - 1) * limit,
      });
      const data = rows.slice(0, limit);
      const last = rows.length > limit ? data.at(-1) : undefined;
      const path = ownAddress(request);
      const filters = filtersOf(query);
      const from = page === undefined || data.length === 0 ? null : (page - 1) * limit + 1;
      return {
        data,
        links: {
          first: addressOf(path, { ...filters, ...(page !== undefined && { page: 1 }) }),
          last: null,
          prev: page === undefined || page === 1 ? null : addressOf(path, { ...filters, page: page - 1 }),
          next: last === undefined ? null : addressOf(path, { ...filters, ...following(page, last.id) }),
        },
        meta: {
          current_page: page ?? null,
          from,
          last_page: null,
          path,
          per_page: limit,
          to: from === null ? null : from + data.length - 1,
          total: null,
          next_cursor: last?.id ?? null,
        },
      };
    },
  });

  serveProgram(app, {
    route: `GET ${LIST}/:id`,
    config: { access: 'verify' },
    operationId: 'getTrustValidation',
    summary: 'One Trust Validation with its duplicate and blacklist entries and its history',
    tags: TAGS,
    params: z.object({ id: pathId.trustValidation }),
    answer: envelope(validationDetail).describe('The Trust Validation.'),
    message: MESSAGES.trustValidation,
    failures: [404],
    handle: async ({ companyId, params }) => {
      const detail = await ports.validations.detail(companyId, params.id);
      if (detail === undefined) throw new ApiError('NOT_FOUND');
      return { data: detail };
    },
  });
}

/** The other parameters of the request. Every link repeats them, with one of the two names of the page size. */
function filtersOf(query: ValidationQuery): Record<string, string | number> {
  const { page: _page, after: _after, limit, per_page, ...filters } = query;
  const sent = { ...filters, ...(per_page === undefined ? { limit } : { per_page }) };
  return Object.fromEntries(
    Object.entries(sent).filter((entry): entry is [string, string | number] => entry[1] !== undefined),
  );
}

/** Where the next page begins: at the next number where numbers are asked for, else behind a row. */
function following(page: number | undefined, id: number): Record<string, number> {
  return page === undefined ? { after: id } : { page: page + 1 };
}
