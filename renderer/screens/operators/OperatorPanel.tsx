import { IconAlertTriangle } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import type { OperatorRow } from '../../../core/contracts/dashboard/operators.ts';
import { useMay } from '../../api/session.ts';
import { Panel } from '../../components/Panel.tsx';
import { Time } from '../../components/Time.tsx';
import { useFormats } from '../../i18n/format.ts';
import { OperatorActions } from './OperatorActions.tsx';
import { SignInState } from './SignInState.tsx';

/** One operator: role, sign-in state and sessions. */
export function OperatorPanel({ operator, close }: { operator: OperatorRow; close: () => void }) {
  const { t } = useTranslation();
  const { time, count } = useFormats();
  const may = useMay();
  const { name, lastAdmin, lockedUntil, sessions } = operator;
  return (
    <Panel
      title={name}
      note={t(`role.${operator.role}`)}
      mark={<SignInState operator={operator} />}
      close={close}
    >
      {lastAdmin ? (
        <p className="callout">
          <IconAlertTriangle size={16} aria-hidden />
          {t('operators.lastAdmin')}
        </p>
      ) : null}
      {lockedUntil === null ? null : (
        <p className="callout">
          <IconAlertTriangle size={16} aria-hidden />
          {t('operators.waitsHelp', { attempts: count(operator.failedAttempts), time: time(lockedUntil) })}
        </p>
      )}
      <dl className="facts">
        <dt>{t('apiAccess.number')}</dt>
        <dd className="mono ltr">operator:{operator.id}</dd>
        <dt>{t('apiAccess.created')}</dt>
        <dd>
          <Time at={operator.createdAt} />
        </dd>
        <dt>{t('operators.lastSeen')}</dt>
        <dd>
          <Time at={operator.lastSignedInAt} />
        </dd>
      </dl>
      {may('operators:write') ? <OperatorActions operator={operator} /> : null}
      <section className="column">
        <h3>{t('operators.sessions')}</h3>
        {sessions.length === 0 ? (
          <p className="soft">{t('operators.noSessions')}</p>
        ) : (
          <ul className="sessions">
            {sessions.map(({ openedAt, usedAt, current }) => (
              <li key={openedAt}>
                {t('operators.sessionOpened', { opened: time(openedAt), used: time(usedAt) })}{' '}
                {current ? <span className="soft">({t('operators.current')})</span> : null}
              </li>
            ))}
          </ul>
        )}
      </section>
    </Panel>
  );
}
