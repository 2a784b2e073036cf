import { queryOptions } from '@tanstack/react-query';
import { z } from 'zod';
import {
  credentialList,
  madeCredential,
  type CredentialRow,
  type NewCredential,
} from '../../core/contracts/dashboard/credentials.ts';
import { requestJson } from './client.ts';

export const credentialsQuery = queryOptions({
  queryKey: ['credentials'],
  queryFn: ({ signal }) => requestJson('GET', '/credentials', credentialList, { signal }),
});

export const createCredential = (wanted: NewCredential) =>
  requestJson('POST', '/credentials', madeCredential, { body: wanted });
export const revokeCredential = ({ kind, id }: CredentialRow) =>
  requestJson('POST', `/credentials/${kind}/${id}/revoke`, z.unknown());
