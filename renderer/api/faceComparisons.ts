import { queryOptions } from '@tanstack/react-query';
import {
  faceComparisonAnswer,
  faceComparisonPage,
  type FaceComparisonRequest,
} from '../../core/contracts/dashboard/faceComparisons.ts';
import { queryString, requestFile, requestJson } from './client.ts';

/** How many earlier comparisons the screen lists. */
const RECENT = 20;

/** Compares the faces of two photos. The service keeps the result and not the photos. */
export const compareFaces = (request: FaceComparisonRequest) =>
  requestJson('POST', '/face-comparisons', faceComparisonAnswer, { body: request });

/** The newest comparisons, those of programs too. */
export const recentFaceComparisonsQuery = queryOptions({
  queryKey: ['face-comparisons'],
  queryFn: ({ signal }) =>
    requestJson('GET', `/face-comparisons${queryString({ limit: RECENT })}`, faceComparisonPage, { signal }),
});

/** A PDF of a comparison. The service needs the compared files again, because it does not keep them. */
export const faceComparisonReport = (
  id: number,
  request: { image1: string; image2: string; face1?: number; face2?: number; language: string },
) => requestFile(`/face-comparisons/${id}/report`, request);
