import { queryOptions } from '@tanstack/react-query';
import {
  comparisonAnswer,
  comparisonPage,
  knownSetAnswer,
  signatureRow,
  type ComparisonQuery,
} from '../../core/contracts/dashboard/signatures.ts';
import type { SignatureSetRequest } from '../../core/contracts/signatureSets.ts';
import type { SignatureMatchRequest } from '../../core/contracts/signatures.ts';
import { requestJson, requestFile, queryString } from './client.ts';

/** Compares two images. The service keeps the result and not the images. */
export const compareSignatures = (request: SignatureMatchRequest) =>
  requestJson('POST', '/signatures/compare', comparisonAnswer, { body: request });

/** Compares a questioned signature with several known ones. The service keeps the result and not the images. */
export const compareKnownSignatures = (request: SignatureSetRequest) =>
  requestJson('POST', '/signatures/compare-known', knownSetAnswer, { body: request });

/** Recorded comparisons, of two signatures or of a known set, newest first. */
export const signatureComparisons = {
  key: ['signatures'],
  page: (query: ComparisonQuery, signal: AbortSignal) =>
    requestJson('GET', `/signatures${queryString(query)}`, comparisonPage, { signal }),
};

export const comparisonQueryById = (id: number) =>
  queryOptions({
    queryKey: ['signatures', 'one', id],
    queryFn: ({ signal }) => requestJson('GET', `/signatures/${id}`, signatureRow, { signal }),
  });

/** A PDF of a comparison with several known signatures. With the compared files, in their order, it also shows the ink. */
export const knownSetReport = (
  id: number,
  request: { language: string; questioned?: string; known?: string[] },
) => requestFile(`/signatures/${id}/known-report`, request);

/** A PDF of a comparison. With the compared files it also shows the aligned ink. */
export const comparisonReport = (
  id: number,
  request: { language: string; image1?: string; image2?: string },
) => requestFile(`/signatures/${id}/report`, request);
