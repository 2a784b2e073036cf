import { Button } from '@mantine/core';
import { IconKey } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { setBackupKey, type draftBackupKey } from '../../api/backups.ts';
import { ErrorLine } from '../../components/states.tsx';
import { NewBackupKey } from '../backup/NewBackupKey.tsx';

/** The key that opens backups, offered at the end of the set-up. Without it the dashboard asks for one later. */
export function BackupKey(props: {
  draft: Awaited<ReturnType<typeof draftBackupKey>>;
  company: string;
  done: () => unknown;
}) {
  const { draft, company, done } = props;
  const { t } = useTranslation();
  const store = useMutation({
    mutationFn: () => setBackupKey({ publicKey: draft.publicKey, replaces: null }),
    onSuccess: done,
  });
  return (
    <main className="center-stage">
      <div className="card center-card wide column">
        <h1 className="row">
          <IconKey size={22} aria-hidden /> {t('backups.key')}
        </h1>
        <NewBackupKey
          text={draft.text}
          fingerprint={draft.fingerprint}
          company={company}
          label={t('setup.enter')}
          pending={store.isPending}
          stored={() => store.mutate()}
        />
        <ErrorLine error={store.error} />
        <Button variant="subtle" onClick={() => void done()}>
          {t('backups.keyLater')}
        </Button>
      </div>
    </main>
  );
}
