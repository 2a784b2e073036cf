import { useState } from 'react';
import { Button, PasswordInput } from '@mantine/core';
import { IconLock } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { openSession, useSession } from '../api/session.ts';
import { ErrorLine } from '../components/states.tsx';

/** Covers everything until the operator's passphrase is given again. Shows no face. */
export function IdleLock({ unlocked }: { unlocked: () => void }) {
  const { t } = useTranslation();
  const { operator } = useSession();
  const [passphrase, setPassphrase] = useState('');
  const open = useMutation({
    mutationFn: () => openSession(operator.name, passphrase),
    onSuccess: unlocked,
  });
  return (
    <main className="center-stage">
      <form
        className="card center-card column"
        onSubmit={(event) => {
          event.preventDefault();
          open.mutate();
        }}
      >
        <h1 className="row">
          <IconLock size={20} aria-hidden /> {t('lock.title')}
        </h1>
        <p className="soft">{t('lock.body')}</p>
        <PasswordInput
          autoFocus
          label={t('signIn.passphrase')}
          description={operator.name}
          autoComplete="current-password"
          value={passphrase}
          onChange={(event) => setPassphrase(event.currentTarget.value)}
        />
        <ErrorLine error={open.error} />
        <Button type="submit" loading={open.isPending}>
          {t('lock.unlock')}
        </Button>
      </form>
    </main>
  );
}
