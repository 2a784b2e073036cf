import { lazy, Suspense, useState } from 'react';
import { Anchor, TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { TFunction } from 'i18next';
import { Action, ErrorLine } from '../components/Page.tsx';
import { Form, PassphraseInput } from '../components/Form.tsx';
import { ApiError } from '../api/client.ts';
import { openSession, sessionQuery } from '../api/session.ts';
import { LanguageSelect } from '../components/Select.tsx';
import mark from '../mark.svg';
import { useWords } from '../i18n/words.tsx';

/** Few sign-ins need it. */
const Recover = lazy(() => import('./recovery/Recover.tsx'));

export function SignIn() {
  const { t } = useWords();
  const client = useQueryClient();
  const [operator, setOperator] = useState('');
  const [passphrase, setPassphrase] = useState('');
  const open = useMutation({
    mutationFn: () => openSession(operator, passphrase),
    onSuccess: () => client.invalidateQueries({ queryKey: sessionQuery.queryKey }),
  });
  const [recovering, setRecovering] = useState(false);
  if (recovering)
    return (
      <Suspense>
        <Recover operator={operator} back={() => setRecovering(false)} />
      </Suspense>
    );
  return (
    <main className="center-stage">
      <Form className="card center-card column" send={() => open.mutate()}>
        <div className="row">
          <img src={mark} alt="" width={28} height={28} />
          <h1>{t('signIn.title')}</h1>
          <LanguageSelect />
        </div>
        <TextInput
          autoFocus
          required
          withAsterisk={false}
          label={t('signIn.operator')}
          autoComplete="username"
          value={operator}
          onChange={(event) => setOperator(event.currentTarget.value)}
        />
        <PassphraseInput
          required
          withAsterisk={false}
          label={t('signIn.passphrase')}
          autoComplete="current-password"
          value={passphrase}
          onChange={(event) => setPassphrase(event.currentTarget.value)}
        />
        <ErrorLine error={signInError(open.error, t)} />
        <Action primary type="submit" label={t('signIn.title')} loading={open.isPending} />
        <Anchor component="button" type="button" size="sm" onClick={() => setRecovering(true)}>
          {t('signIn.forgot')}
        </Anchor>
        <p className="soft">{t('signIn.local')}</p>
      </Form>
    </main>
  );
}

/** The service has one text for every wrong credential. At a form the operator needs to know which field to check. */
function signInError(error: Error | null, t: TFunction): Error | null {
  if (!(error instanceof ApiError)) return error;
  if (error.status === 401) return new ApiError(401, t('signIn.wrong'));
  if (error.status === 429) return new ApiError(429, t('signIn.tooMany'));
  return error;
}
