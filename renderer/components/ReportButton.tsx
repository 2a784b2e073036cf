import { IconFileTypePdf } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { ExportButton } from './ExportButton.tsx';
import { downloadFile } from './downloadFile.ts';

/** Saves the screen's content as a PDF. */
export function ReportButton({ fileName, make }: { fileName: string; make: () => Promise<Blob> }) {
  const { t } = useTranslation();
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
