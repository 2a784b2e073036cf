import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query';
import { z } from 'zod';
import {
  chosenAppearance,
  recoveryKeyAnswer,
  session,
  setupState,
  storageCheck,
  type Appearance,
  type Session,
  type SetupRequest,
} from '../../core/contracts/dashboard/session.ts';
import type { Permission } from '../../core/contracts/dashboard/permissions.ts';
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

/** How the operator wants the dashboard to look; null: never chosen. */
export const appearanceQuery = queryOptions({
  queryKey: ['session', 'appearance'],
  staleTime: Infinity,
  queryFn: ({ signal }) => ask('GET', '/session/appearance', chosenAppearance, { signal }),
});
export const chooseAppearance = (appearance: Appearance) =>
  ask('PUT', '/session/appearance', z.unknown(), { body: appearance });

export const checkStorage = (folder: string) =>
  ask('POST', '/setup/storage', storageCheck, { body: { folder } });
export const setUp = (request: SetupRequest) => ask('POST', '/setup', recoveryKeyAnswer, { body: request });
export const openSession = (operator: string, passphrase: string) =>
  ask('POST', '/session', z.unknown(), { body: { operator, passphrase } });

/** Gives the passphrase again, for what a session that was left open must not do. */
export const confirmSession = (passphrase: string) =>
  ask('POST', '/session/confirm', z.unknown(), { body: { passphrase } });

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

/** Whether the operator's role includes something: a screen shows nothing that would be refused. */
export function useMay(): (permission: Permission) => boolean {
  const { permissions } = useSession();
  return (permission) => permissions.includes(permission);
}
