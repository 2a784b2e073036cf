import { IconAlertTriangle, IconCircleCheck, IconClock } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import type { ErasureRow } from '../../../core/contracts/dashboard/erasure.ts';
import { StatusMark } from '../../components/StatusBadge.tsx';
import { useFormats } from '../../i18n/format.ts';

/** The state of the proof. On PostgreSQL the unused space of the database is not searched. */
export function ProofState({ row }: { row: ErasureRow }) {
  const { t } = useTranslation();
  const { count } = useFormats();
  const { finished, found, verified } = row;
  const [tone, Icon, words] = !finished
    ? (['warn', IconClock, t('erasure.notFinished')] as const)
    : verified !== true
      ? (['bad', IconAlertTriangle, t('erasure.notGood')] as const)
      : found === null
        ? (['warn', IconAlertTriangle, t('erasure.notSearched')] as const)
        : found === 0
          ? (['good', IconCircleCheck, t('erasure.verified')] as const)
          : (['warn', IconAlertTriangle, t('erasure.tracesFound', { found: count(found) })] as const);
  return (
    <StatusMark tone={tone} Icon={Icon}>
      {words}
    </StatusMark>
  );
}
