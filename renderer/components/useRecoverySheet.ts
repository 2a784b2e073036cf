import { useTranslation } from 'react-i18next';
import { useFormats } from '../i18n/format.ts';
import type { SecretSheet } from './ShownOnce.tsx';

/** The sheet of a sign-in recovery code. @param company its name; omitted where the page does not know it */
export function useRecoverySheet(company?: string): SecretSheet {
  const { t } = useTranslation();
  const { time } = useFormats();
  return {
    title: company === undefined ? t('setup.recoveryTitle') : `${t('setup.recoveryTitle')} · ${company}`,
    lines: [t('setup.recovery'), t('recovery.sheet', { time: time(new Date().toISOString()) })],
    file: 'vouch-recovery-code.txt',
  };
}
