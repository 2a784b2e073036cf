import { useState } from 'react';
import { Button, PasswordInput } from '@mantine/core';
import { IconFileTypePdf } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { Refusal } from '../api/client.ts';
import { confirmSession, useMay } from '../api/session.ts';
import { Dialog } from './Dialog.tsx';
import { offerFile } from './offerFile.ts';
import { ErrorLine } from './states.tsx';

/**
 * Takes a PDF out of the installation. Shown to whom the role allows it; on a session that was left open the core asks
 * for the passphrase again.
 */
export function ReportButton({ fileName, make }: { fileName: string; make: () => Promise<Blob> }) {
  const { t } = useTranslation();
  const may = useMay();
  const [passphrase, setPassphrase] = useState('');
  const work = useMutation({
    mutationFn: async () => {
      if (passphrase !== '') await confirmSession(passphrase);
      return make();
    },
    onSuccess: (pdf) => {
      setPassphrase('');
      offerFile(fileName, pdf);
    },
  });
  if (!may('exports:create')) return null;
  const { error } = work;
  const asks = passphrase !== '' || (error instanceof Refusal && error.code === 'REAUTHENTICATE');
  const close = () => {
    setPassphrase('');
    work.reset();
  };
  return (
    <>
      <Button
        size="xs"
        variant="default"
        loading={work.isPending}
        leftSection={<IconFileTypePdf size={16} aria-hidden />}
        onClick={() => work.mutate()}
      >
        {t('signatures.report')}
      </Button>
      {asks ? (
        <Dialog title={t('signatures.report')} close={close}>
          <form
            className="column"
            onSubmit={(event) => {
              event.preventDefault();
              work.mutate();
            }}
          >
            <PasswordInput
              data-autofocus
              label={t('signIn.passphrase')}
              description={t('signatures.reportPassphrase')}
              autoComplete="current-password"
              value={passphrase}
              onChange={(event) => setPassphrase(event.currentTarget.value)}
            />
            <ErrorLine error={passphrase === '' ? null : error} />
            <Button className="push" type="submit" disabled={passphrase === ''} loading={work.isPending}>
              {t('signatures.report')}
            </Button>
          </form>
        </Dialog>
      ) : (
        <ErrorLine error={error} />
      )}
    </>
  );
}
