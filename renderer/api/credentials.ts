import { queryOptions } from '@tanstack/react-query';
import { z } from 'zod';
import {
  credentialList,
  madeCredential,
  type CredentialRow,
  type NewCredential,
} from '../../core/contracts/dashboard/credentials.ts';
import { ask } from './client.ts';

export const credentialsQuery = queryOptions({
  queryKey: ['credentials'],
  queryFn: ({ signal }) => ask('GET', '/credentials', credentialList, { signal }),
});

export const createCredential = (wanted: NewCredential) =>
  ask('POST', '/credentials', madeCredential, { body: wanted });
export const revokeCredential = ({ kind, id }: CredentialRow) =>
  ask('POST', `/credentials/${kind}/${id}/revoke`, z.unknown());
