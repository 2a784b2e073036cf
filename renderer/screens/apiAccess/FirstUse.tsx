import { IconCircleCheck, IconCircleDashed } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import type { CredentialRow } from '../../../core/contracts/dashboard/credentials.ts';
import { credentialsQuery } from '../../api/credentials.ts';
import { StatusMark } from '../../components/StatusBadge.tsx';
import { Time } from '../../components/Time.tsx';
import { nameOf } from './credential.tsx';

/** The service is asked so often while a program has not used the credential yet, milliseconds. */
const ASK_EVERY = 3_000;

/** Whether a program has used the credential: the result of an example that was run in a terminal. */
export function FirstUse({ credential }: { credential: CredentialRow }) {
  const { t } = useTranslation();
  const lastUseIn = (items: readonly CredentialRow[] | undefined) =>
    items?.find((each) => nameOf(each) === nameOf(credential))?.lastUsedAt ?? credential.lastUsedAt;
  const { data } = useQuery({
    ...credentialsQuery,
    refetchInterval: ({ state }) => (lastUseIn(state.data?.items) === null ? ASK_EVERY : false),
  });
  const last = lastUseIn(data?.items);
  return (
    <p role="status">
      {last === null ? (
        <StatusMark tone="calm" Icon={IconCircleDashed}>
          {t('apiAccess.notTested')}
        </StatusMark>
      ) : (
        <StatusMark tone="good" Icon={IconCircleCheck}>
          {t('apiAccess.tested')} <Time at={last} />
        </StatusMark>
      )}
    </p>
  );
}
