import { useState } from 'react';
import {
  IconKey,
  IconPlus,
  IconTable,
  IconCheck,
  IconRefreshAlert,
  IconAlertTriangle,
  IconCircleCheck,
  IconClock,
  IconUserOff,
} from '@tabler/icons-react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from 'react-router';
import type { OperatorRow, OperatorList } from '../../../core/contracts/dashboard/operators.ts';
import { OPERATOR_ROLES } from '../../../core/contracts/dashboard/session.ts';
import { Action, Panel, WideTable } from '../../components/Page.tsx';
import { operatorsQuery, issueRecoveryCode, useMay, useSession } from '../../api/session.ts';
import { RecordsPage, type MakeColumns } from '../../components/list/ListBody.tsx';
import { Fact, Time, StatusMark } from '../../components/StatusBadge.tsx';
import { column } from '../../components/list/columns.ts';
import { useWords } from '../../i18n/words.tsx';
import { NewOperatorPanel, OperatorActions } from './OperatorActions.tsx';
import { Form, useReauthentication, Submit } from '../../components/Form.tsx';
import { ShownOnce, useRecoverySheet } from '../../components/ShownOnce.tsx';
import { useEnumLabels } from '../../i18n/enumLabels.ts';
import '../settings/settings.css';

const PLACE = '/settings/operators';

/** The people who sign in; one of them, a new one, the table of roles or the recovery code beside the list. */
export function Component() {
  const { t, count } = useWords();
  const navigate = useNavigate();
  const query = useQuery(operatorsQuery);
  const list = query.data;
  const rows = list?.items;
  const here = rows?.filter(({ sessions }) => sessions.length > 0).length ?? 0;
  return (
    <RecordsPage
      query={query}
      title={t('nav.operators')}
      state={
        rows && t('operators.state', { count: rows.length, total: count(rows.length), here: count(here) })
      }
      action={
        <Action
          may="operators:write"
          primary
          Icon={IconPlus}
          label={t('operators.new')}
          onClick={() => void navigate(`${PLACE}/new`)}
        />
      }
      above={
        <div className="filters">
          <Action size="xs" Icon={IconTable} label={t('operators.roles')} to={`${PLACE}/roles`} />
          <Action size="xs" Icon={IconKey} label={t('setup.recoveryTitle')} to={`${PLACE}/recovery-code`} />
        </div>
      }
      panel={(operator, close) => <OperatorPanel operator={operator} close={close} />}
      others={(close) => ({
        new: <NewOperatorPanel close={close} />,
        ...(list && {
          roles: <RolesPanel rows={list.permissions} close={close} />,
          'recovery-code': <RecoveryCodePanel madeAt={list.recoveryCodeMadeAt} close={close} />,
        }),
      })}
      none={null}
      columns={COLUMNS}
      rowKey={(row) => row.id}
      place={PLACE}
    />
  );
}

const COLUMNS: MakeColumns<OperatorRow> = ({ t, count }) => [
  column('name', t('signIn.operator'), { minWidth: 140, grow: 2 }, ({ name, self }) => (
    <div dir="auto" className="cut">
      {name} {self ? <span className="soft">({t('operators.you')})</span> : null}
    </div>
  )),
  column('role', t('operators.role'), 130, ({ role }) => t(`role.${role}`)),
  column('signIn', t('common.status'), { minWidth: 130, grow: 1 }, (operator) => (
    <SignInState operator={operator} />
  )),
  column('sessions', t('operators.sessions'), 90, ({ sessions }) => count(sessions.length)),
  column('seen', t('operators.lastSeen'), 170, ({ lastSignedInAt }) =>
    lastSignedInAt === null ? (
      <span className="soft">{t('common.never')}</span>
    ) : (
      <Time at={lastSignedInAt} />
    ),
  ),
];

/** The company's way back in: whether there is one, and a new one. */
function RecoveryCodePanel({ madeAt, close }: { madeAt: string | null; close: () => void }) {
  const { t, time } = useWords();
  const may = useMay();
  const sheet = useRecoverySheet(useSession().company.name);
  const client = useQueryClient();
  const [key, setKey] = useState<string | null>(null);
  const work = useReauthentication(issueRecoveryCode, async ({ recoveryCode }) => {
    setKey(recoveryCode);
    await client.invalidateQueries({ queryKey: operatorsQuery.queryKey });
  });
  return (
    <Panel title={t('setup.recoveryTitle')} close={close}>
      <p>{t('operators.recoveryHelp')}</p>
      <p>
        {madeAt === null ? t('operators.recoveryNone') : t('operators.recoveryMade', { time: time(madeAt) })}
      </p>
      {key !== null ? (
        <ShownOnce value={key} sheet={sheet} label={t('common.done')} proceed={close} />
      ) : may('operators:write') ? (
        <Form className="column" send={() => work.mutate()}>
          {madeAt === null ? null : <p className="soft">{t('operators.recoveryReplaces')}</p>}
          <Submit work={work} start label={t('operators.recoveryMake')} />
        </Form>
      ) : null}
    </Panel>
  );
}

/** The permissions of each role, from the table that the service enforces. */
function RolesPanel({ rows, close }: { rows: OperatorList['permissions']; close: () => void }) {
  const { t } = useWords();
  const words = useEnumLabels().permissions;
  return (
    <Panel title={t('operators.roles')} note={t('operators.rolesHelp')} close={close}>
      <WideTable
        label={t('operators.roles')}
        alone
        className="roles"
        head={[t('operators.permission'), ...OPERATOR_ROLES.map((role) => t(`role.${role}`))]}
      >
        {rows.map(({ permission, roles, fresh }) => (
          <tr key={permission}>
            <th scope="row">
              {words[permission]}{' '}
              {fresh ? (
                <span
                  role="img"
                  className="soft"
                  aria-label={t('operators.fresh')}
                  title={t('operators.fresh')}
                >
                  <IconRefreshAlert size={14} aria-hidden />
                </span>
              ) : null}
            </th>
            {OPERATOR_ROLES.map((role) => (
              <td key={role}>
                {roles.includes(role) ? (
                  <span role="img" className="may" aria-label={t('operators.may')}>
                    <IconCheck size={16} aria-hidden />
                  </span>
                ) : (
                  <span className="sr-only">{t('operators.mayNot')}</span>
                )}
              </td>
            ))}
          </tr>
        ))}
      </WideTable>
      <p className="row soft">
        <IconRefreshAlert size={14} aria-hidden /> {t('operators.fresh')}
      </p>
    </Panel>
  );
}

/** One operator: role, sign-in state and sessions. */
function OperatorPanel({ operator, close }: { operator: OperatorRow; close: () => void }) {
  const { t, time, count } = useWords();
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
        <Fact label={t('facts.auditId')} className="mono ltr">
          operator:{operator.id}
        </Fact>
        <Fact label={t('facts.created')} at={operator.createdAt} />
        <Fact label={t('operators.lastSeen')} at={operator.lastSignedInAt} />
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

/** Whether an operator can sign in, and if not, why. */
function SignInState({ operator }: { operator: OperatorRow }) {
  const { t } = useWords();
  if (!operator.active)
    return <StatusMark tone="calm" Icon={IconUserOff} label={t('operators.cannotSignIn')} />;
  if (operator.lockedUntil !== null)
    return <StatusMark tone="warn" Icon={IconClock} label={t('operators.waits')} />;
  return <StatusMark tone="good" Icon={IconCircleCheck} label={t('status.active')} />;
}
