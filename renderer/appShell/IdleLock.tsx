import { useState } from 'react';
import { Button } from '@mantine/core';
import { Form } from '../components/Form.tsx';
import { PassphraseInput } from '../components/PassphraseInput.tsx';
import { IconLock } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { openSession, useSession, useSignOut } from '../api/session.ts';
import { ErrorLine } from '../components/states.tsx';

/** Stands instead of everything until the operator's passphrase is given again. Shows no face. */
export function IdleLock() {
  const { t } = useTranslation();
  const { operator } = useSession();
  const [passphrase, setPassphrase] = useState('');
  const open = useMutation({
    mutationFn: () => openSession(operator.name, passphrase),
  });
  const signOut = useMutation({ mutationFn: useSignOut() });
  return (
    <main className="center-stage">
      <Form className="card center-card column" send={() => open.mutate()}>
        <h1 className="row">
          <IconLock size={20} aria-hidden /> {t('lock.title')}
        </h1>
        <p className="soft">{t('lock.body')}</p>
        <PassphraseInput
          autoFocus
          label={t('signIn.passphrase')}
          description={operator.name}
          autoComplete="current-password"
          value={passphrase}
          onChange={(event) => setPassphrase(event.currentTarget.value)}
        />
        <ErrorLine error={open.error ?? signOut.error} />
        <div className="row">
          <Button variant="default" loading={signOut.isPending} onClick={() => signOut.mutate()}>
            {t('top.signOut')}
          </Button>
          <Button className="push" type="submit" loading={open.isPending}>
            {t('lock.unlock')}
          </Button>
        </div>
      </Form>
    </main>
  );
}
