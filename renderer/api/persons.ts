import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import {
  personDetail,
  personPage,
  personRow,
  personsAnswer,
  type PersonChange,
  type PersonMerge,
  type PersonMove,
  type PersonQuery,
  type PersonSplit,
} from '../../core/contracts/dashboard/persons.ts';
import { queryString, requestJson } from './client.ts';

export const personsQuery = (filter: PersonQuery) =>
  infiniteQueryOptions({
    queryKey: ['persons', 'list', filter],
    queryFn: ({ pageParam, signal }) =>
      requestJson('GET', `/persons${queryString({ ...filter, cursor: pageParam })}`, personPage, { signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.nextCursor ?? undefined,
  });

export const personQueryById = (id: number) =>
  queryOptions({
    queryKey: ['persons', 'one', id],
    queryFn: ({ signal }) => requestJson('GET', `/persons/${id}`, personDetail, { signal }),
  });

export const changePerson = (id: number, change: PersonChange) =>
  requestJson('PATCH', `/persons/${id}`, personRow, { body: change });

/** The photos of the source come to the target. */
export const mergePersons = (target: number, source: number, merge: PersonMerge) =>
  requestJson('POST', `/persons/${target}/merge/${source}`, personsAnswer, { body: merge });

export const splitPerson = (id: number, split: PersonSplit) =>
  requestJson('POST', `/persons/${id}/split`, personsAnswer, { body: split });

export const moveFace = (id: number, face: number, move: PersonMove) =>
  requestJson('POST', `/persons/${id}/move/${face}`, personsAnswer, { body: move });
