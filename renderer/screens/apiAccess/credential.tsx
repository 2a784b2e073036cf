import { IconCircleCheck, IconCircleX, IconClockOff } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import type { CredentialRow } from '../../../core/contracts/dashboard/credentials.ts';
import { StatusMark } from '../../components/StatusBadge.tsx';

const APPEARANCES = {
  active: { tone: 'good', Icon: IconCircleCheck },
  expired: { tone: 'calm', Icon: IconClockOff },
  revoked: { tone: 'bad', Icon: IconCircleX },
} as const;

export function CredentialState({ state }: Pick<CredentialRow, 'state'>) {
  const { t } = useTranslation();
  return <StatusMark {...APPEARANCES[state]}>{t(`apiAccess.state_${state}`)}</StatusMark>;
}

/** In the address: numbers are unique only within a kind. */
export function nameOf({ kind, id }: Pick<CredentialRow, 'kind' | 'id'>): string {
  return `${kind}-${id}`;
}
