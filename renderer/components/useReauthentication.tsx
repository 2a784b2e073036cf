import { useState, type ReactNode } from 'react';
import { PassphraseInput } from './PassphraseInput.tsx';
import { useMutation } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { ApiError } from '../api/client.ts';
import { confirmSession } from '../api/session.ts';

interface Guarded<T> {
  start: (input: T) => void;
  /** Removes the passphrase field and the error. */
  giveUp: () => void;
  pending: boolean;
  /** The error to show beside the control. A request for the passphrase is not an error. */
  error: Error | null;
  /** The passphrase is asked for and still empty. */
  incomplete: boolean;
  /** The passphrase field, once the service has asked for it; else null. */
  field: ReactNode;
}

/**
 * Runs an action that the service refuses on an unattended session. When the service asks for the passphrase, the field
 * appears, and the next start confirms the passphrase first.
 * @param reason the reason that the field states: exports have a longer time than other protected actions
 */
export function useReauthentication<T, R>(
  run: (input: T) => Promise<R>,
  done?: (result: R, input: T) => unknown,
  reason: 'export' | 'protected' = 'protected',
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
      <PassphraseInput
        autoFocus
        label={t('signIn.passphrase')}
        description={t(reason === 'export' ? 'common.passphraseExport' : 'common.passphraseAgain')}
        autoComplete="current-password"
        value={passphrase}
        onChange={(event) => setPassphrase(event.currentTarget.value)}
      />
    ) : null,
  };
}
