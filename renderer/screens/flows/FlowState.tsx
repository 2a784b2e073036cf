import { IconCircleCheck, IconPencil, IconSettings } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { StatusMark } from '../../components/StatusBadge.tsx';
import type { FlowRow } from '../../../core/contracts/flows.ts';

/** Draft, saved or internal: icon, word and colour. */
export function FlowState({ flow }: { flow: FlowRow }) {
  const { t } = useTranslation();
  const [tone, Icon, word] = flow.system
    ? (['calm', IconSettings, 'internal'] as const)
    : flow.draft !== null
      ? (['warn', IconPencil, 'draft'] as const)
      : (['good', IconCircleCheck, 'saved'] as const);
  return (
    <StatusMark tone={tone} Icon={Icon}>
      {t(`flows.${word}`)}
    </StatusMark>
  );
}
