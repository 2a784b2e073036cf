import { useState } from 'react';
import { Button, Progress } from '@mantine/core';
import { IconDatabaseExport, IconDownload } from '@tabler/icons-react';
import { useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import type { BackupState } from '../../../core/contracts/dashboard/backups.ts';
import { backupQuery, cancelBackup, downloadBackup, startBackup } from '../../api/backups.ts';
import { Select } from '../../components/Select.tsx';
import { ErrorLine } from '../../components/states.tsx';
import { useReauthentication } from '../../components/useReauthentication.tsx';
import { useFormats } from '../../i18n/format.ts';
import { firstPlace, usePlaceItems } from './usePlaceItems.ts';

/** A backup now: to a folder of the machine, or through the browser; the one in progress with its progress. */
export function BackupNow({ backup }: { backup: BackupState }) {
  const { t } = useTranslation();
  const { bytes } = useFormats();
  const client = useQueryClient();
  const { places, running, expectedBytes } = backup;
  const [chosen, setChosen] = useState(firstPlace(places) ?? null);
  const take = (state: BackupState) => client.setQueryData(backupQuery.queryKey, state);
  const start = useReauthentication(startBackup, take);
  const download = useReauthentication(downloadBackup, () =>
    client.invalidateQueries({ queryKey: backupQuery.queryKey }),
  );
  const cancel = useReauthentication(cancelBackup, take);
  const items = usePlaceItems(places);
  const home = places.find(({ path }) => path === chosen)?.kind === 'home';
  if (running !== null)
    return (
      <section className="card column">
        <h2>{t('backups.running')}</h2>
        <RunningBackup running={running} expectedBytes={expectedBytes} />
        {cancel.field}
        <ErrorLine error={cancel.error} />
        <div>
          <Button
            variant="default"
            loading={cancel.pending}
            disabled={cancel.incomplete}
            onClick={() => cancel.start(undefined)}
          >
            {t('backups.cancel')}
          </Button>
        </div>
      </section>
    );
  return (
    <section className="card column">
      <h2>{t('backups.now')}</h2>
      <p className="soft">{t('backups.nowHelp', { size: bytes(expectedBytes) })}</p>
      <Select label={t('backups.place')} data={items} value={chosen} onChange={setChosen} />
      {home ? <p className="soft">{t('backups.homeWarning')}</p> : null}
      {start.field ?? download.field}
      <ErrorLine error={start.error ?? download.error} />
      <div className="row wrap">
        <Button
          leftSection={<IconDatabaseExport size={16} aria-hidden />}
          loading={start.pending}
          disabled={chosen === null || start.incomplete || download.field !== null}
          onClick={() => {
            if (chosen !== null) start.start(chosen);
          }}
        >
          {t('backups.start')}
        </Button>
        <Button
          variant="default"
          leftSection={<IconDownload size={16} aria-hidden />}
          loading={download.pending}
          disabled={download.incomplete || start.field !== null}
          onClick={() => download.start(undefined)}
        >
          {t('backups.download')}
        </Button>
      </div>
      <p className="soft">{t('backups.downloadHelp')}</p>
    </section>
  );
}

function RunningBackup(props: { running: NonNullable<BackupState['running']>; expectedBytes: number }) {
  const { running, expectedBytes } = props;
  const { run, phase, bytesPerSecond } = running;
  const { t } = useTranslation();
  const { bytes, span } = useFormats();
  const left = Math.max(0, expectedBytes - run.bytes);
  return (
    <>
      <p>
        {run.place === null ? t(`backups.trigger_${run.trigger}`) : <span className="ltr">{run.place}</span>}
      </p>
      <Progress
        aria-label={t('backups.running')}
        animated={phase === 'verifying'}
        value={phase === 'verifying' ? 100 : Math.min(99, (100 * run.bytes) / Math.max(1, expectedBytes))}
      />
      <p className="soft">
        {phase === 'verifying'
          ? t('backups.verifying', { size: bytes(run.bytes) })
          : bytesPerSecond === null || bytesPerSecond === 0
            ? t('backups.written', { size: bytes(run.bytes) })
            : t('backups.progress', {
                size: bytes(run.bytes),
                rate: bytes(bytesPerSecond),
                left: span(left / bytesPerSecond),
              })}
      </p>
    </>
  );
}
