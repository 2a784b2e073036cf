import {
  IconCircleCheck,
  IconCircleDashed,
  IconCircleDotted,
  IconCircleX,
  IconHelpCircle,
  IconReplace,
  IconUserCheck,
  type Icon,
} from '@tabler/icons-react';
import type { GroupState } from '../../../core/contracts/dashboard/duplicates.ts';
import { StatusMark, type Tone } from '../../components/StatusBadge.tsx';
import { useTexts } from '../../i18n/useTexts.tsx';

const APPEARANCES: Record<GroupState, { tone: Tone; Icon: Icon }> = {
  proposed: { tone: 'warn', Icon: IconCircleDashed },
  partlyDecided: { tone: 'warn', Icon: IconCircleDotted },
  awaitingConfirmation: { tone: 'warn', Icon: IconUserCheck },
  accepted: { tone: 'good', Icon: IconCircleCheck },
  rejected: { tone: 'calm', Icon: IconCircleX },
  deferred: { tone: 'busy', Icon: IconHelpCircle },
  superseded: { tone: 'calm', Icon: IconReplace },
};

/** The state of a group as icon, word and colour. */
export function GroupStatus({ state }: { state: GroupState }) {
  const { t } = useTexts();
  return <StatusMark {...APPEARANCES[state]}>{t(`duplicates.state_${state}`)}</StatusMark>;
}
