import { IconAlertTriangle, IconCircleCheck } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import type { BackupSummary } from '../../core/contracts/dashboard/backups.ts';
import { useFormats } from '../i18n/format.ts';

/** A backup older than this is reported, milliseconds. */
const STALE = 8 * 24 * 60 * 60_000;

/**
 * The state of the backups in one line: the last completed one, or what is missing, with a link to the page that fixes it.
 * @param now milliseconds since 1970, so that the age is computed once per answer
 */
export function BackupState({ backup, now }: { backup: BackupSummary; now: number }) {
  const { t } = useTranslation();
  const { time } = useFormats();
  const { keyMadeAt, lastGoodAt, failed } = backup;
  const word =
    keyMadeAt === null
      ? 'noKey'
      : lastGoodAt === null
        ? 'noBackup'
        : failed
          ? 'failed'
          : now - Date.parse(lastGoodAt) > STALE
            ? 'stale'
            : 'good';
  // A time and the name of a screen are read as one: the line breaks before or after them.
  const whole = (text: string) => text.replaceAll(' ', '\u00a0');
  const Icon = word === 'good' ? IconCircleCheck : IconAlertTriangle;
  return (
    <p className="row">
      <Icon size={18} color={word === 'good' ? 'var(--good)' : 'var(--warn)'} aria-hidden />
      <span>{t(`backups.state_${word}`, { time: lastGoodAt === null ? '' : whole(time(lastGoodAt)) })}</span>
      <Link className="push" to="/settings/backup">
        {whole(t('nav.backup'))}
      </Link>
    </p>
  );
}
