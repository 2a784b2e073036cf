import { verificationAnswer } from '../../core/contracts/dashboard/verifications.ts';
import { queryString, requestJson } from './client.ts';

/**
 * Runs a verification with a photo. Repeat it with the same key after a lost answer: the service makes one verification.
 * @param key a UUID that belongs to this photo and these fields
 */
export const runVerification = (
  photo: Blob,
  fields: { flow: number; name: string; reference: string },
  key: string,
) =>
  requestJson('POST', `/verifications${queryString(fields)}`, verificationAnswer, {
    body: photo,
    idempotencyKey: key,
  });
