import { useState, type ReactNode } from 'react';
import { useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import type { OperatorChange, OperatorRow } from '../../../core/contracts/dashboard/operators.ts';
import {
  changeOperator,
  operatorsQuery,
  resetPassphrase,
  signOutOperator,
  unlockOperator,
} from '../../api/operators.ts';
import { useReauthentication } from '../../components/useReauthentication.tsx';
import { undoStore } from '../../state/undo.ts';

/** One change of an operator. All run through one reauthentication, so that the passphrase is asked for once. */
interface Action {
  run: () => Promise<unknown>;
  /** The result, as a sentence. */
  text: string;
  undo?: () => Promise<unknown>;
}

export interface OperatorActions {
  changeRole: (role: OperatorRow['role']) => void;
  toggleActive: () => void;
  unlock: () => void;
  signOut: () => void;
  resetPassphrase: (passphrase: string) => void;
  /** Runs the last action once more, after the passphrase was given. */
  repeat: () => void;
  pending: boolean;
  error: Error | null;
  /** The passphrase field, where the service asked for it; else null. */
  field: ReactNode;
  incomplete: boolean;
  /** The latest result, as a sentence; empty while an action runs. */
  done: string;
}

/** @param onDone called after each action that succeeded */
export function useOperatorActions(operator: OperatorRow, onDone: () => void): OperatorActions {
  const { t } = useTranslation();
  const client = useQueryClient();
  const { id, name, role, active } = operator;
  const [done, setDone] = useState('');
  const [last, setLast] = useState<Action | null>(null);
  const refresh = () => client.invalidateQueries({ queryKey: operatorsQuery.queryKey });
  const { start, pending, error, field, incomplete } = useReauthentication(
    ({ run }: Action) => run(),
    async (_result, { text, undo }) => {
      setDone(text);
      onDone();
      await refresh();
      if (undo !== undefined) undoStore.getState().offer(text, () => undo().then(refresh));
    },
  );
  const begin = (action: Action) => {
    setDone('');
    setLast(action);
    start(action);
  };
  const change = (to: OperatorChange, back: OperatorChange, text: string) =>
    begin({ run: () => changeOperator(id, to), text, undo: () => changeOperator(id, back) });
  return {
    changeRole: (next) =>
      change({ role: next }, { role }, t('operators.roleChanged', { name, role: t(`role.${next}`) })),
    toggleActive: () =>
      change(
        { active: !active },
        { active },
        t(active ? 'operators.deactivated' : 'operators.activated', { name }),
      ),
    unlock: () => begin({ run: () => unlockOperator(id), text: t('operators.unlocked', { name }) }),
    signOut: () => begin({ run: () => signOutOperator(id), text: t('operators.signedOut', { name }) }),
    resetPassphrase: (passphrase) =>
      begin({ run: () => resetPassphrase(id, passphrase), text: t('operators.resetDone', { name }) }),
    repeat: () => {
      if (last !== null) start(last);
    },
    pending,
    error,
    field,
    incomplete,
    done,
  };
}
