import { useMemo } from 'react';
import { Button } from '@mantine/core';
import { IconExternalLink, IconKey, IconPlus } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { useNavigate, useParams } from 'react-router';
import type { CredentialRow } from '../../../core/contracts/dashboard/credentials.ts';
import { credentialsQuery } from '../../api/credentials.ts';
import { useMay } from '../../api/session.ts';
import { Page } from '../../components/Page.tsx';
import { RowList } from '../../components/RowList.tsx';
import { NothingHere, Split } from '../../components/Split.tsx';
import { EmptyState, ErrorState, LoadingRows } from '../../components/states.tsx';
import { Time } from '../../components/Time.tsx';
import type { Column } from '../../components/VirtualRows.tsx';
import { useFormats } from '../../i18n/format.ts';
import { CredentialState, nameOf } from './credential.tsx';
import { CredentialPanel } from './CredentialPanel.tsx';
import { NewCredentialPanel } from './NewCredentialPanel.tsx';
import './apiAccess.css';

const PLACE = '/api-access';

/** What programs sign in with; one of them, or a new one, beside the list. */
export function Component() {
  const { t } = useTranslation();
  const { count } = useFormats();
  const may = useMay();
  const navigate = useNavigate();
  const { id } = useParams();
  const { data, error, refetch } = useQuery(credentialsQuery);
  const rows = data?.items;
  const opened = rows?.find((row) => nameOf(row) === id);
  const columns = useColumns(id !== undefined);
  const active = rows?.filter(({ state }) => state === 'active').length ?? 0;
  const close = () => void navigate(PLACE);
  const create = may('tokens:write') ? (
    <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={() => void navigate(`${PLACE}/new`)}>
      {t('apiAccess.new')}
    </Button>
  ) : undefined;
  return (
    <Page
      title={t('nav.apiAccess')}
      state={
        rows && t('apiAccess.state', { count: active, active: count(active), total: count(rows.length) })
      }
      action={create}
    >
      <div className="filters address">
        <span className="soft">{t('apiAccess.address')}</span>
        <code className="mono ltr">{window.location.origin}</code>
        <a className="row" href="/docs" target="_blank" rel="noreferrer">
          {t('apiAccess.description')} <IconExternalLink size={14} className="mirrored" aria-hidden />
        </a>
      </div>
      <Split
        beside={
          id === undefined ? null : id === 'new' ? (
            <NewCredentialPanel close={close} />
          ) : rows === undefined ? null : opened === undefined ? (
            <NothingHere />
          ) : (
            <CredentialPanel key={id} credential={opened} close={close} />
          )
        }
      >
        {error !== null && rows === undefined ? (
          <ErrorState error={error} retry={() => void refetch()} />
        ) : rows === undefined ? (
          <LoadingRows />
        ) : rows.length === 0 ? (
          <EmptyState Icon={IconKey} title={t('apiAccess.none')} action={create}>
            {t('apiAccess.noneHelp')}
          </EmptyState>
        ) : (
          <RowList
            label={t('nav.apiAccess')}
            columns={columns}
            rows={rows}
            rowKey={nameOf}
            openKey={opened === undefined ? null : nameOf(opened)}
            open={(row) => void navigate(`${PLACE}/${nameOf(row)}`)}
          />
        )}
      </Split>
    </Page>
  );
}

function useColumns(narrow: boolean): Column<CredentialRow>[] {
  const { t } = useTranslation();
  return useMemo(() => {
    const all: Column<CredentialRow>[] = [
      { key: 'name', label: t('apiAccess.name'), track: 'minmax(140px, 2fr)', cell: ({ name }) => name },
      {
        key: 'state',
        label: t('validations.status'),
        track: '116px',
        cell: ({ state }) => <CredentialState state={state} />,
      },
      {
        key: 'kind',
        label: t('apiAccess.kind'),
        track: '150px',
        cell: ({ kind }) => t(`apiAccess.kind_${kind}`),
      },
      {
        key: 'scopes',
        label: t('apiAccess.scopes'),
        track: 'minmax(140px, 2fr)',
        cell: ({ scopes }) => <span className="mono ltr">{scopes.join(', ')}</span>,
      },
      {
        key: 'used',
        label: t('apiAccess.lastUsed'),
        track: '160px',
        cell: ({ lastUsedAt }) =>
          lastUsedAt === null ? (
            <span className="soft">{t('apiAccess.notUsed')}</span>
          ) : (
            <Time at={lastUsedAt} />
          ),
      },
      {
        key: 'expires',
        label: t('apiAccess.expiry'),
        track: '160px',
        cell: ({ expiresAt }) =>
          expiresAt === null ? <span className="soft">{t('apiAccess.never')}</span> : <Time at={expiresAt} />,
      },
    ];
    return narrow ? all.slice(0, 3) : all;
  }, [t, narrow]);
}
