import { IconBan, IconCheck } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import type { AuditOutcome } from '../../../core/contracts/audit.ts';
import { StatusMark } from '../../components/StatusBadge.tsx';

/** Who or what an entry names: the name of today, and the number that stands in the log. */
export function Party({ id, name }: { id: string; name: string | null }) {
  if (name === null) return <span className="mono ltr">{id}</span>;
  return (
    <>
      {name} <span className="mono ltr soft">{id}</span>
    </>
  );
}

export function Outcome({ outcome }: { outcome: AuditOutcome }) {
  const { t } = useTranslation();
  return outcome === 'done' ? (
    <StatusMark tone="good" Icon={IconCheck}>
      {t('audit.outcome_done')}
    </StatusMark>
  ) : (
    <StatusMark tone="bad" Icon={IconBan}>
      {t('audit.outcome_refused')}
    </StatusMark>
  );
}
