import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import {
  validationDetail,
  validationPage,
  type DecisionRequest,
  type ValidationQuery,
} from '../../core/contracts/dashboard/validations.ts';
import { queryString, requestFile, requestJson } from './client.ts';

/** Rows of the first page: a screen of them, which a filter shows sooner the fewer they are. */
const SCREEN = 60;
/** Rows of each page after it: few pages make a hundred thousand rows. */
const PAGE = 200;

export function validationsQuery(filter: ValidationQuery) {
  return infiniteQueryOptions({
    queryKey: ['validations', 'list', filter],
    queryFn: ({ pageParam, signal }) =>
      requestJson(
        'GET',
        `/validations${queryString({ ...filter, limit: pageParam === undefined ? SCREEN : PAGE, cursor: pageParam })}`,
        validationPage,
        {
          signal,
        },
      ),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.nextCursor ?? undefined,
  });
}

export const validationQueryById = (id: number) =>
  queryOptions({
    queryKey: ['validations', 'one', id],
    queryFn: ({ signal }) => requestJson('GET', `/validations/${id}`, validationDetail, { signal }),
  });

/** @throws {ApiError} 409 when another reviewer has decided in the meantime */
export const decide = (id: number, request: DecisionRequest) =>
  requestJson('POST', `/validations/${id}/decision`, validationDetail, { body: request });

/** A PDF of the case. `match`: the only match that is shown side by side, as `blacklist:812` or `duplicate:557`. */
export const caseReport = (id: number, query: { language: string; match?: string | undefined }) =>
  requestFile(`/validations/${id}/report${queryString(query)}`, {});
