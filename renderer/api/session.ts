import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query';
import { z } from 'zod';
import {
  session,
  setupState,
  storageCheck,
  type Session,
  type SetupRequest,
} from '../../core/contracts/dashboard/session.ts';
import { ask, Refusal } from './client.ts';

/** Who is signed in; null when nobody is. */
export const sessionQuery = queryOptions({
  queryKey: ['session'],
  staleTime: 60_000,
  queryFn: async ({ signal }): Promise<Session | null> => {
    try {
      return await ask('GET', '/session', session, { signal });
    } catch (error) {
      if (error instanceof Refusal && error.status === 401) return null;
      throw error;
    }
  },
});

export const setupQuery = queryOptions({
  queryKey: ['setup'],
  staleTime: Infinity,
  queryFn: ({ signal }) => ask('GET', '/setup', setupState, { signal }),
});

export const checkStorage = (folder: string) =>
  ask('POST', '/setup/storage', storageCheck, { body: { folder } });
export const setUp = (request: SetupRequest) => ask('POST', '/setup', z.unknown(), { body: request });
export const openSession = (operator: string, passphrase: string) =>
  ask('POST', '/session', z.unknown(), { body: { operator, passphrase } });

/** Ends the session and forgets everything that was shown. */
export function useSignOut(): () => Promise<void> {
  const client = useQueryClient();
  return async () => {
    await ask('DELETE', '/session', z.unknown());
    client.clear();
    client.setQueryData(sessionQuery.queryKey, null);
  };
}

/** The session of a screen behind the sign-in. */
export function useSession(): Session {
  const { data } = useQuery(sessionQuery);
  if (data == null) throw new Error('A screen behind the sign-in was shown without a session.');
  return data;
}
