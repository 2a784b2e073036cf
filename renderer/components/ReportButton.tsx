import { Button } from '@mantine/core';
import { IconFileTypePdf } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { useMay } from '../api/session.ts';
import { Dialog } from './Dialog.tsx';
import { offerFile } from './offerFile.ts';
import { ErrorLine } from './states.tsx';
import { usePassphraseAgain } from './usePassphraseAgain.tsx';

/**
 * Takes a PDF out of the installation. Shown to whom the role allows it; on a session that was left open the core asks
 * for the passphrase again.
 */
export function ReportButton({ fileName, make }: { fileName: string; make: () => Promise<Blob> }) {
  const { t } = useTranslation();
  const may = useMay();
  const work = usePassphraseAgain(make, (pdf) => offerFile(fileName, pdf));
  if (!may('exports:create')) return null;
  return (
    <>
      <Button
        size="xs"
        variant="default"
        loading={work.pending}
        leftSection={<IconFileTypePdf size={16} aria-hidden />}
        onClick={() => work.start(undefined)}
      >
        {t('signatures.report')}
      </Button>
      {work.field === null ? (
        <ErrorLine error={work.error} />
      ) : (
        <Dialog title={t('signatures.report')} close={work.giveUp}>
          <form
            className="column"
            onSubmit={(event) => {
              event.preventDefault();
              work.start(undefined);
            }}
          >
            {work.field}
            <ErrorLine error={work.error} />
            <Button className="push" type="submit" disabled={work.incomplete} loading={work.pending}>
              {t('signatures.report')}
            </Button>
          </form>
        </Dialog>
      )}
    </>
  );
}
