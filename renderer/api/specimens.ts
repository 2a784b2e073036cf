import { queryOptions } from '@tanstack/react-query';
import { z } from 'zod';
import { loadedSpecimens, personSpecimens, signatureSpecimen } from '../../core/contracts/persons.ts';
import { requestJson } from './client.ts';

export const specimensQuery = (person: number) =>
  queryOptions({
    queryKey: ['persons', 'specimens', person],
    queryFn: ({ signal }) => requestJson('GET', `/persons/${person}/specimens`, personSpecimens, { signal }),
  });

/** Stores an image as a specimen. @param image data URI of a JPEG or PNG */
export const addSpecimen = (person: number, image: string) =>
  requestJson('POST', `/persons/${person}/specimens`, signatureSpecimen, { body: { image } });

export const eraseSpecimen = (person: number, specimen: number) =>
  requestJson('DELETE', `/persons/${person}/specimens/${specimen}`, z.null());

/** All specimens of a person with their images. The audit log records that they were loaded for a comparison. */
export const loadSpecimens = (person: number) =>
  requestJson('POST', `/persons/${person}/specimens/use`, loadedSpecimens);

/** Address of the image; each reading is recorded in the audit log. */
export const specimenUrl = (person: number, specimen: number) =>
  `/api/dashboard/persons/${person}/specimens/${specimen}/image`;
