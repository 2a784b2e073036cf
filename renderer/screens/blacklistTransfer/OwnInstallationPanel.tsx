import { Button } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import type { InstallationView } from '../../../core/contracts/blacklistTransfer.ts';
import { ownInstallationQuery } from '../../api/blacklistTransfer.ts';
import { downloadFile } from '../../components/downloadFile.ts';
import { Panel } from '../../components/Panel.tsx';
import { ErrorState, LoadingRows } from '../../components/states.tsx';
import { Fingerprint } from './Fingerprint.tsx';

/** The identity of this installation for other installations. */
export function OwnInstallationPanel({ close }: { close: () => void }) {
  const { t } = useTranslation();
  const { data, error, refetch } = useQuery(ownInstallationQuery);
  return (
    <Panel title={t('exchange.own')} note={data?.name} close={close}>
      {data !== undefined ? (
        <>
          <Fingerprint of={data.fingerprint} />
          <p>{t('exchange.ownHelp')}</p>
          <div>
            <Button
              leftSection={<IconDownload size={16} aria-hidden />}
              onClick={() => saveCertificate(data)}
            >
              {t('exchange.saveCard')}
            </Button>
          </div>
        </>
      ) : error !== null ? (
        <ErrorState error={error} retry={() => void refetch()} />
      ) : (
        <LoadingRows rows={4} />
      )}
    </Panel>
  );
}

/** Saves the certificate. It has no personal data, so the audit log needs no entry. */
function saveCertificate({ name, certificate }: InstallationView): void {
  const fileName = `${name.replaceAll(/[^\p{L}\p{N}]+/gu, '-')}.vouchinstallation.json`;
  downloadFile(
    fileName,
    new Blob([`${JSON.stringify(certificate, null, 2)}\n`], { type: 'application/json' }),
  );
}
