import { useTranslation } from 'react-i18next';
import { ShownOnce } from '../../components/ShownOnce.tsx';
import { useFormats } from '../../i18n/format.ts';

/** A drafted backup key, shown this once. It becomes the present key when the operator has stored it. */
export function NewBackupKey(props: {
  text: string;
  fingerprint: string;
  company: string;
  label: string;
  pending: boolean;
  stored: () => void;
}) {
  const { text, fingerprint, company, label, pending, stored } = props;
  const { t } = useTranslation();
  const { time } = useFormats();
  return (
    <>
      <p>{t('backups.keyShown')}</p>
      <ShownOnce
        value={text}
        sheet={{
          title: `${t('backups.key')} · ${company}`,
          lines: [
            t('backups.keyShown'),
            t('backups.keySheet', { fingerprint, time: time(new Date().toISOString()) }),
          ],
          file: 'vouch-backup-key.txt',
        }}
        label={label}
        pending={pending}
        proceed={stored}
      />
    </>
  );
}
