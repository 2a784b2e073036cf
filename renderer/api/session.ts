import {
  sessionApi,
  type Appearance,
  type Session,
  type SetupRequest,
} from '../../core/contracts/dashboard/session.ts';
import {
  operatorApi,
  type NewOperatorBody,
  type OperatorChange,
} from '../../core/contracts/dashboard/operators.ts';
import {
  credentialApi,
  type CredentialRow,
  type NewCredential,
} from '../../core/contracts/dashboard/credentials.ts';
import { createContext, use } from 'react';
import { hashKey, queryOptions, useQueryClient, type QueryClient } from '@tanstack/react-query';
import type { Permission } from '../../core/contracts/dashboard/permissions.ts';
import { endSession } from '../state/sessionReset.ts';
import { lockStore } from '../state/lock.ts';
import { ApiError, readQuery, ask } from './client.ts';

/** The operator of the last session: another operator must find none of its data. */
let lastSeen: string | null = null;
/** The role of that operator: what it was allowed to read is not kept for another role. */
let lastRole: string | null = null;

/** Removes all that was read but the session itself, which `AuthGate` observes. */
function clearReadData(client: QueryClient): void {
  client.removeQueries({ predicate: ({ queryHash }) => queryHash !== hashKey(sessionQuery.queryKey) });
}

function clearSessionData(client: QueryClient): void {
  endSession();
  clearReadData(client);
  client.getMutationCache().clear();
}

/** The session of the signed-in operator; null without one. */
export const sessionQuery = queryOptions({
  queryKey: ['session'],
  staleTime: 60_000,
  queryFn: async ({ client, signal }): Promise<Session | null> => {
    try {
      const now = await ask(sessionApi.read, { signal });
      const who = `${now.company.id}:${now.operator.id}`;
      const { role } = now.operator;
      if (lastSeen !== null && lastSeen !== who) clearSessionData(client);
      else if (lastRole !== null && lastRole !== role) clearReadData(client);
      lastSeen = who;
      lastRole = role;
      return now;
    } catch (error) {
      if (error instanceof ApiError && error.status === 401) return null;
      throw error;
    }
  },
});

export const setupQuery = readQuery(['setup'], sessionApi.setupState, { staleTime: Infinity });

/** How the operator wants the dashboard to look; null: never chosen. */
export const appearanceQuery = readQuery(['session', 'appearance'], sessionApi.appearance, {
  staleTime: Infinity,
});
export const chooseAppearance = (appearance: Appearance) =>
  ask(sessionApi.chooseAppearance, { body: appearance });

export const checkStorage = (folder: string) => ask(sessionApi.checkStorage, { body: { folder } });
export const setUp = (request: SetupRequest) => ask(sessionApi.setUp, { body: request });
/** Signs in, or unlocks the page with the operator's passphrase. */
export async function openSession(operator: string, passphrase: string): Promise<void> {
  await ask(sessionApi.open, { body: { operator, passphrase } });
  lockStore.getState().set(false);
}

/** Confirms the passphrase, for actions that an unattended session must not do. */
export const confirmSession = (passphrase: string) => ask(sessionApi.confirm, { body: { passphrase } });

/** Sets a new passphrase with the recovery code; answers the next code. */
export const recoverSession = (request: { operator: string; recoveryCode: string; passphrase: string }) =>
  ask(sessionApi.recover, { body: request });
/** Changes the operator's own passphrase and ends all sessions of the operator. */
export const changePassphrase = (current: string, passphrase: string) =>
  ask(sessionApi.changePassphrase, { body: { current, passphrase } });

/** Signs out and removes all data from the page. */
export function useSignOut(): () => Promise<void> {
  const client = useQueryClient();
  return async () => {
    await ask(sessionApi.close);
    lastSeen = null;
    clearSessionData(client);
    client.setQueryData(sessionQuery.queryKey, null);
  };
}

/**
 * Provided by `AuthGate` to the screens. A screen that used the query itself would render without a session between the
 * sign-out and the unmount.
 */
export const SignedIn = createContext<Session | null>(null);

/** The session of a screen behind the sign-in. */
export function useSession(): Session {
  const data = use(SignedIn);
  if (data === null) throw new Error('A screen behind the sign-in was shown without a session.');
  return data;
}

/** Whether the operator's role includes something: a screen shows nothing that would be refused. */
export function useMay(): (permission: Permission) => boolean {
  const { permissions } = useSession();
  return (permission) => permissions.includes(permission);
}

export const operatorsQuery = readQuery(['operators'], operatorApi.list);

export const createOperator = (wanted: NewOperatorBody) => ask(operatorApi.create, { body: wanted });
export const changeOperator = (id: number, change: OperatorChange) =>
  ask(operatorApi.change, { params: { id }, body: change });
export const resetPassphrase = (id: number, passphrase: string) =>
  ask(operatorApi.resetPassphrase, { params: { id }, body: { passphrase } });
export const unlockOperator = (id: number) => ask(operatorApi.unlock, { params: { id } });
export const signOutOperator = (id: number) => ask(operatorApi.signOut, { params: { id } });
export const issueRecoveryCode = () => ask(operatorApi.issueRecoveryCode);

export const credentialsQuery = readQuery(['credentials'], credentialApi.list);

export const createCredential = (wanted: NewCredential) => ask(credentialApi.create, { body: wanted });
export const revokeCredential = ({ kind, id }: CredentialRow) =>
  ask(credentialApi.revoke, { params: { kind, id } });
