import { queryOptions } from '@tanstack/react-query';
import { findAnswer } from '../../core/contracts/dashboard/paletteSearch.ts';
import { enrolledFace } from '../../core/contracts/dashboard/faceImages.ts';
import { requestJson, queryString } from './client.ts';

/** Validations, faces, uploads and comparisons that match a text. */
export function paletteSearchQuery(text: string) {
  return queryOptions({
    queryKey: ['find', text],
    staleTime: 5_000,
    queryFn: ({ signal }) => requestJson('GET', `/find${queryString({ text })}`, findAnswer, { signal }),
  });
}

/** The photo of an enrolled face. */
export function faceQuery(id: number | string) {
  return queryOptions({
    queryKey: ['faces', String(id)],
    staleTime: 60_000,
    queryFn: ({ signal }) => requestJson('GET', `/faces/${id}`, enrolledFace, { signal }),
  });
}
