import { lazy, Suspense, useState } from 'react';
import { Anchor, TextInput, Button } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { IconLanguage } from '@tabler/icons-react';
import { LANGUAGES, type Language } from '../../core/contracts/dashboard/session.ts';
import { Action, ErrorLine, useTitle } from '../components/Page.tsx';
import { Form, PassphraseInput, signInError } from '../components/Form.tsx';
import { openSession, sessionQuery } from '../api/session.ts';
import mark from '../mark.svg';
import { useWords } from '../i18n/words.tsx';
import { changeLanguage } from '../i18n/i18n.ts';
import { usePreferences } from '../state/preferences.ts';

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
  useTitle(t(recovering ? 'recovery.title' : 'signIn.title'));
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
          label={t('signIn.operator')}
          autoComplete="username"
          value={operator}
          onChange={(event) => setOperator(event.currentTarget.value)}
        />
        <PassphraseInput
          required
          label={t('signIn.passphrase')}
          autoComplete="current-password"
          value={passphrase}
          onChange={(event) => setPassphrase(event.currentTarget.value)}
        />
        <ErrorLine error={signInError(open.error, t, t('signIn.wrong'))} />
        <Action primary type="submit" label={t('signIn.title')} loading={open.isPending} />
        <Anchor component="button" type="button" size="sm" onClick={() => setRecovering(true)}>
          {t('signIn.forgot')}
        </Anchor>
        <p className="soft">{t('signIn.local')}</p>
      </Form>
    </main>
  );
}

/** The other languages, each by its own name, for who is not signed in yet: this browser remembers the choice. */
export function LanguageSelect() {
  const { language, setLanguage } = usePreferences();
  const others = (Object.keys(LANGUAGES) as Language[]).filter((each) => each !== language);
  return others.map((each) => (
    <Button
      key={each}
      className="push"
      size="compact-sm"
      variant="subtle"
      lang={each}
      leftSection={<IconLanguage size={15} aria-hidden />}
      onClick={() => {
        setLanguage(each);
        void changeLanguage(each);
      }}
    >
      {LANGUAGES[each]}
    </Button>
  ));
}
