import { queryOptions } from '@tanstack/react-query';
import type { ComparisonQuery } from '../../core/contracts/dashboard/signatures.ts';
import { queryString, requestFile, requestJson } from './client.ts';
import {
  faceComparisonAnswer,
  faceComparisonPage,
  faceComparisonRow,
  type FaceComparisonRequest,
} from '../../core/contracts/faceComparisons.ts';

/** Compares the faces of two photos. The service keeps the result and not the photos. */
export const compareFaces = (request: FaceComparisonRequest) =>
  requestJson('POST', '/face-comparisons', faceComparisonAnswer, { body: request });

/** The key of everything that is read of recorded comparisons. */
export const FACE_COMPARISONS = ['face-comparisons'];

/** Recorded comparisons, those of programs too, newest first. */
export const faceComparisons = {
  key: FACE_COMPARISONS,
  page: (query: ComparisonQuery, signal: AbortSignal) =>
    requestJson('GET', `/face-comparisons${queryString(query)}`, faceComparisonPage, { signal }),
};

export const faceComparisonQueryById = (id: number) =>
  queryOptions({
    queryKey: [...FACE_COMPARISONS, 'one', id],
    queryFn: ({ signal }) => requestJson('GET', `/face-comparisons/${id}`, faceComparisonRow, { signal }),
  });

/** A PDF of a comparison. The service needs the compared files again, because it does not keep them. */
export const faceComparisonReport = (
  id: number,
  request: {
    image1: string;
    image2: string;
    face1?: number | undefined;
    face2?: number | undefined;
    language: string;
  },
) => requestFile(`/face-comparisons/${id}/report`, request);
