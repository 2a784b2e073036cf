import type { FastifyInstance } from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { pathId } from '../../contracts/ids.ts';
import { MESSAGES } from '../../contracts/errors/messages.ts';
import { envelope, errorBody } from '../../contracts/uploads.ts';
import {
  validationDetail,
  validationPage,
  validationQuery,
  type ValidationQuery,
} from '../../contracts/validations.ts';
import { callerOf } from '../http/credentials.ts';
import { ApiError } from '../http/errors.ts';
import { addressOf, ownAddress } from '../http/paging.ts';
import type { Validations } from '../../storage/screening/validations.ts';

const LIST = '/api/v3/trust-validations';
const TAGS = ['Trust Validations'];

/** Lists and details of Trust Validations: the results of verifications and enrolments. */
export function trustValidationRoutes(app: FastifyInstance, ports: { validations: Validations }): void {
  app.withTypeProvider<ZodTypeProvider>().get(
    LIST,
    {
      config: { access: 'verify' },
      schema: {
        operationId: 'listTrustValidations',
        summary: 'Trust Validations, newest first',
        description: 'Follow `links.next` until it is null: rows that are added meanwhile move nothing.',
        tags: TAGS,
        querystring: validationQuery,
        response: { 200: validationPage.describe('One page of Trust Validations.'), 422: errorBody },
      },
    },
    async (request) => {
      const { page, per_page } = request.query;
      const limit = per_page ?? request.query.limit;
      // One row more than the page shows whether there is a next page.
      const rows = await ports.validations.list(callerOf(request).companyId, {
        ...request.query,
        limit: limit + 1,
        offset: page === undefined ? 0 : (page - 1) * limit,
      });
      const data = rows.slice(0, limit);
      const last = rows.length > limit ? data.at(-1) : undefined;
      const path = ownAddress(request);
      const filters = filtersOf(request.query);
      const from = page === undefined || data.length === 0 ? null : (page - 1) * limit + 1;
      return {
        success: true as const,
        message: MESSAGES.trustValidations,
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
  );

  app.withTypeProvider<ZodTypeProvider>().get(
    `${LIST}/:id`,
    {
      config: { access: 'verify' },
      schema: {
        operationId: 'getTrustValidation',
        summary: 'One Trust Validation with its duplicate and blacklist entries and its history',
        tags: TAGS,
        params: z.object({ id: pathId.trustValidation }),
        response: { 200: envelope(validationDetail).describe('The Trust Validation.'), 404: errorBody },
      },
    },
    async (request) => {
      const id = request.params.id;
      const detail = await ports.validations.detail(callerOf(request).companyId, id);
      if (detail === undefined) throw new ApiError('NOT_FOUND');
      return { success: true as const, message: MESSAGES.trustValidation, data: detail };
    },
  );
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
