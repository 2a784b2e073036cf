import type { FastifyInstance } from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import { z } from 'zod';
import type { TrustValidationId } from '../../contracts/ids.ts';
import { MESSAGES } from '../../contracts/messages.ts';
import { envelope, errorBody } from '../../contracts/uploads.ts';
import {
  validationDetail,
  validationPage,
  validationQuery,
  type ValidationQuery,
} from '../../contracts/validations.ts';
import type { Validations } from '../../domain/screening/ports.ts';
import { callerOf } from '../credentials.ts';
import { ApiError } from '../errors.ts';
import { addressOf, ownAddress } from '../paging.ts';

const LIST = '/api/v3/trust-validations';
const TAGS = ['Trust Validations'];
const REFUSALS = { 401: errorBody, 403: errorBody, 429: errorBody, 503: errorBody };

/** What became of verifications and enrolments: contract §7, last row. */
export function trustValidationRoutes(app: FastifyInstance, ports: { validations: Validations }): void {
  app.withTypeProvider<ZodTypeProvider>().get(
    LIST,
    {
      config: { access: 'verify' },
      schema: {
        summary: 'Trust Validations, newest first',
        description: 'Follow `links.next` until it is null: rows that are added meanwhile move nothing.',
        tags: TAGS,
        querystring: validationQuery,
        response: { 200: validationPage, ...REFUSALS, 422: errorBody },
      },
    },
    async (request) => {
      const { page, per_page } = request.query;
      const limit = per_page ?? request.query.limit;
      // One more than asked for tells whether there is a next page.
      const rows = await ports.validations.list(callerOf(request).companyId, {
        ...request.query,
        limit: limit + 1,
        offset: page === undefined ? 0 : (page - 1) * limit,
      });
      const data = rows.slice(0, limit);
      const last = rows.length > limit ? data.at(-1) : undefined;
      const path = ownAddress(request);
      return {
        success: true as const,
        message: MESSAGES.trustValidations,
        data,
        links: { next: last === undefined ? null : addressOf(path, following(request.query, last.id)) },
        meta: {
          path,
          per_page: limit,
          next_cursor: last?.id ?? null,
          ...(page !== undefined && { current_page: page }),
        },
      };
    },
  );

  app.withTypeProvider<ZodTypeProvider>().get(
    `${LIST}/:id`,
    {
      config: { access: 'verify' },
      schema: {
        summary: 'One Trust Validation with its duplicate and blacklist entries and its history',
        tags: TAGS,
        params: z.object({ id: z.coerce.number().int().min(1) }),
        response: { 200: envelope(validationDetail), ...REFUSALS, 404: errorBody },
      },
    },
    async (request) => {
      const id = request.params.id as TrustValidationId;
      const detail = await ports.validations.detail(callerOf(request).companyId, id);
      if (detail === undefined) throw new ApiError('NOT_FOUND');
      return { success: true as const, message: MESSAGES.trustValidation, data: detail };
    },
  );
}

/** The query of the next page: the next number where numbers are asked for, else what comes after a row. */
function following(query: ValidationQuery, id: number): Record<string, string | number> {
  const filters = Object.entries(query).filter(
    (entry): entry is [string, string | number] => entry[1] !== undefined,
  );
  const next: Record<string, number> = query.page === undefined ? { after: id } : { page: query.page + 1 };
  return { ...Object.fromEntries(filters), ...next };
}
