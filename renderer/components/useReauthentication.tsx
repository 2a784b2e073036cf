import { useState, type ReactNode } from 'react';
import { PasswordInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { ApiError } from '../api/client.ts';
import { confirmSession } from '../api/session.ts';

interface Guarded<T> {
  start: (input: T) => void;
  /** Puts the question away, and what failed. */
  giveUp: () => void;
  pending: boolean;
  /** What to show beside the control; being asked for the passphrase is none. */
  error: Error | null;
  /** The passphrase is asked for and not typed yet. */
  incomplete: boolean;
  /** Where it is typed, once the core has asked for it. */
  field: ReactNode;
}

/**
 * Runs what the core lets nobody do on a session that was left open: when it asks for the passphrase again, so does the
 * field, and the next start gives it first.
 */
export function useReauthentication<T, R>(
  run: (input: T) => Promise<R>,
  done?: (result: R, input: T) => unknown,
): Guarded<T> {
  const { t } = useTranslation();
  const [asked, setAsked] = useState(false);
  const [passphrase, setPassphrase] = useState('');
  const work = useMutation({
    mutationFn: async (input: T) => {
      if (passphrase !== '') await confirmSession(passphrase);
      return run(input);
    },
    onSuccess: async (result, input) => {
      setAsked(false);
      setPassphrase('');
      await done?.(result, input);
    },
  });
  const { error } = work;
  if (!asked && error instanceof ApiError && error.code === 'REAUTHENTICATE') setAsked(true);
  return {
    start: (input) => work.mutate(input),
    giveUp: () => {
      setAsked(false);
      setPassphrase('');
      work.reset();
    },
    pending: work.isPending,
    error: asked && passphrase === '' ? null : error,
    incomplete: asked && passphrase === '',
    field: asked ? (
      <PasswordInput
        autoFocus
        label={t('signIn.passphrase')}
        description={t('common.passphraseAgain')}
        autoComplete="current-password"
        value={passphrase}
        onChange={(event) => setPassphrase(event.currentTarget.value)}
      />
    ) : null,
  };
}
