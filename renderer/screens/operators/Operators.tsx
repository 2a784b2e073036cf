import { useMemo } from 'react';
import { Button } from '@mantine/core';
import { IconKey, IconPlus, IconTable } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { Link, useNavigate, useParams } from 'react-router';
import type { OperatorRow } from '../../../core/contracts/dashboard/operators.ts';
import { operatorsQuery } from '../../api/operators.ts';
import { useMay } from '../../api/session.ts';
import { ListBody } from '../../components/list/ListBody.tsx';
import { Page } from '../../components/Page.tsx';
import { panelOf, Split } from '../../components/Split.tsx';
import { Time } from '../../components/Time.tsx';
import { completeRows } from '../../components/list/infiniteRows.ts';
import type { Column } from '../../components/list/columns.ts';
import { useFormats } from '../../i18n/format.ts';
import { NewOperatorPanel } from './NewOperatorPanel.tsx';
import { OperatorPanel } from './OperatorPanel.tsx';
import { RecoveryCodePanel } from './RecoveryCodePanel.tsx';
import { RolesPanel } from './RolesPanel.tsx';
import { SignInState } from './SignInState.tsx';
import './operators.css';

const PLACE = '/settings/operators';

/** The people who sign in; one of them, a new one, the table of roles or the recovery key beside the list. */
export function Component() {
  const { t } = useTranslation();
  const { count } = useFormats();
  const may = useMay();
  const navigate = useNavigate();
  const { id } = useParams();
  const query = useQuery(operatorsQuery);
  const list = query.data;
  const rows = list?.items;
  const columns = useColumns();
  const here = rows?.filter(({ sessions }) => sessions.length > 0).length ?? 0;
  return (
    <Page
      title={t('operators.title')}
      state={
        rows && t('operators.state', { count: rows.length, total: count(rows.length), here: count(here) })
      }
      action={
        may('operators:write') ? (
          <Button
            leftSection={<IconPlus size={16} aria-hidden />}
            onClick={() => void navigate(`${PLACE}/new`)}
          >
            {t('operators.new')}
          </Button>
        ) : undefined
      }
    >
      <div className="filters">
        <Button
          component={Link}
          to={`${PLACE}/roles`}
          size="xs"
          variant="default"
          leftSection={<IconTable size={15} aria-hidden />}
        >
          {t('operators.roles')}
        </Button>
        <Button
          component={Link}
          to={`${PLACE}/recovery-code`}
          size="xs"
          variant="default"
          leftSection={<IconKey size={15} aria-hidden />}
        >
          {t('operators.recovery')}
        </Button>
      </div>
      <Split
        beside={panelOf(id, {
          rows,
          opened: rows?.find((row) => String(row.id) === id),
          panel: (operator) => <OperatorPanel operator={operator} close={close} />,
          others: list && {
            new: <NewOperatorPanel close={close} />,
            roles: <RolesPanel rows={list.permissions} close={close} />,
            'recovery-code': <RecoveryCodePanel madeAt={list.recoveryCodeMadeAt} close={close} />,
          },
        })}
      >
        <ListBody
          list={completeRows(query)}
          none={null}
          label={t('operators.title')}
          columns={columns}
          rowKey={(row) => row.id}
          openKey={id === undefined ? null : Number(id)}
          open={(row) => void navigate(`${PLACE}/${row.id}`)}
        />
      </Split>
    </Page>
  );
}

function useColumns(): Column<OperatorRow>[] {
  const { t } = useTranslation();
  const { count } = useFormats();
  return useMemo(
    () => [
      {
        key: 'name',
        label: t('signIn.operator'),
        minWidth: 140,
        grow: 2,
        cell: ({ name, self }) => (
          <>
            {name} {self ? <span className="soft">({t('operators.you')})</span> : null}
          </>
        ),
      },
      { key: 'role', label: t('operators.role'), minWidth: 130, cell: ({ role }) => t(`role.${role}`) },
      {
        key: 'signIn',
        label: t('operators.signIn'),
        minWidth: 130,
        grow: 1,
        cell: (operator) => <SignInState operator={operator} />,
      },
      {
        key: 'sessions',
        label: t('operators.sessions'),
        minWidth: 90,
        cell: ({ sessions }) => count(sessions.length),
      },
      {
        key: 'seen',
        label: t('operators.lastSeen'),
        minWidth: 170,
        cell: ({ lastSignedInAt }) =>
          lastSignedInAt === null ? (
            <span className="soft">{t('operators.none')}</span>
          ) : (
            <Time at={lastSignedInAt} />
          ),
      },
    ],
    [t, count],
  );
}
