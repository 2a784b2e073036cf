import type { ReactNode } from 'react';
import { Button } from '@mantine/core';
import { IconDownload, IconFileTypePdf } from '@tabler/icons-react';
import { faceApi } from '../../core/contracts/dashboard/faceImages.ts';
import { requestFile } from '../api/client.ts';
import { Action, ErrorLine } from './Page.tsx';
import { useMay } from '../api/session.ts';
import { Dialog, Form, useReauthentication } from './Form.tsx';
import { useWords } from '../i18n/words.tsx';

interface Props<R> {
  label: string;
  icon: ReactNode;
  size?: 'xs' | 'sm';
  /** Asks the service, which adds the export to the audit log. */
  run: () => Promise<R>;
  /** Saves the answer of the service as a file. */
  done: (result: R) => void;
}

/**
 * Takes personal data out of the installation. Shown only to roles that may export; on a session that was left open the
 * core asks for the passphrase again.
 */
export function ExportButton<R>({ label, icon, size = 'sm', run, done }: Props<R>) {
  const may = useMay();
  const work = useReauthentication<undefined, R>(run, done, 'export');
  if (!may('exports:create')) return null;
  return (
    <>
      <Button
        size={size}
        variant="default"
        loading={work.isPending}
        leftSection={icon}
        onClick={() => work.mutate()}
      >
        {label}
      </Button>
      {work.field === null ? (
        <ErrorLine error={work.error} />
      ) : (
        <PassphraseDialog title={label} work={work} />
      )}
    </>
  );
}

/** Where the passphrase is typed that an export needs. */
export function PassphraseDialog(props: {
  title: string;
  work: ReturnType<typeof useReauthentication<undefined, unknown>>;
}) {
  const { title, work } = props;
  const { t } = useWords();
  return (
    <Dialog title={title} close={work.giveUp}>
      <Form className="column" send={() => work.mutate()}>
        {work.field}
        <ErrorLine error={work.error} />
        <Action
          primary
          type="submit"
          className="push"
          label={t('common.continue')}
          disabled={work.incomplete}
          loading={work.isPending}
        />
      </Form>
    </Dialog>
  );
}

/** Saves the screen's content as a PDF. */
export function ReportButton({ fileName, make }: { fileName: string; make: () => Promise<Blob> }) {
  const { t } = useWords();
  return (
    <ExportButton
      size="xs"
      label={t('signatures.report')}
      icon={<IconFileTypePdf size={16} aria-hidden />}
      run={make}
      done={(pdf) => downloadFile(fileName, pdf)}
    />
  );
}

/** Saves an enrolled face as a face record for another system. @param face its number */
export function RecordButton({ face, name }: { face: number | string; name: string }) {
  const { t } = useWords();
  return (
    <span title={t('face.exportRecordHelp', { standard: 'ISO/IEC 39794-5' })}>
      <ExportButton
        size="xs"
        label={t('face.exportRecord')}
        icon={<IconDownload size={16} aria-hidden />}
        run={() => requestFile(faceApi.record, { params: { id: face } })}
        done={(record) => downloadFile(`${name}.39794-5.bin`, record)}
      />
    </span>
  );
}

/** Offers content as a file to keep. */
export function downloadFile(name: string, content: Blob): void {
  const url = URL.createObjectURL(content);
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 1_000);
}
