import { queryOptions } from '@tanstack/react-query';
import { findAnswer } from '../../core/contracts/dashboard/find.ts';
import { faceImage } from '../../core/contracts/dashboard/portraits.ts';
import { requestJson, queryString } from './client.ts';

/** What of the company a text may mean. */
export function paletteSearchQuery(text: string) {
  return queryOptions({
    queryKey: ['find', text],
    staleTime: 5_000,
    queryFn: ({ signal }) => requestJson('GET', `/find${queryString({ text })}`, findAnswer, { signal }),
  });
}

/** What is known of the photo that an enrolled face is of. */
export function faceQuery(id: number | string) {
  return queryOptions({
    queryKey: ['faces', String(id)],
    staleTime: 60_000,
    queryFn: ({ signal }) => requestJson('GET', `/faces/${id}`, faceImage, { signal }),
  });
}
