import { IconCircleCheck, IconClock, IconUserOff } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import type { OperatorRow } from '../../../core/contracts/dashboard/operators.ts';
import { StatusMark } from '../../components/StatusBadge.tsx';

/** Whether an operator can sign in, and if not, why. */
export function SignInState({ operator }: { operator: OperatorRow }) {
  const { t } = useTranslation();
  if (!operator.active)
    return (
      <StatusMark tone="calm" Icon={IconUserOff}>
        {t('operators.cannotSignIn')}
      </StatusMark>
    );
  if (operator.lockedUntil !== null)
    return (
      <StatusMark tone="warn" Icon={IconClock}>
        {t('operators.waits')}
      </StatusMark>
    );
  return (
    <StatusMark tone="good" Icon={IconCircleCheck}>
      {t('operators.canSignIn')}
    </StatusMark>
  );
}
