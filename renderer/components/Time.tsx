import { IconEye } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { Action } from './Action.tsx';
import { useFormats } from '../i18n/format.ts';
import { useMay } from '../api/session.ts';

/** A moment in the time zone of the installation; the exact UTC time on hover. */
export function Time({ at }: { at: string | null }) {
  const { time, exact } = useFormats();
  if (at === null) return <span className="soft">–</span>;
  return (
    <time dateTime={at} title={exact(at)}>
      {time(at)}
    </time>
  );
}

/** Opens the entries of the audit log about a person, views included. @param of `person:7`, `validation:12` or `face:31` */
export function WhoSaw({ of }: { of: string }) {
  const { t } = useTranslation();
  const may = useMay();
  if (!may('audit:read')) return null;
  return (
    <Action
      size="xs"
      Icon={IconEye}
      label={t('audit.whoSaw')}
      to={`/audit?object=${encodeURIComponent(of)}&views=shown`}
    />
  );
}
