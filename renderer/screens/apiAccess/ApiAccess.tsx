import { IconDownload, IconExternalLink, IconKey, IconPlus } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from 'react-router';
import type { CredentialRow } from '../../../core/contracts/dashboard/credentials.ts';
import { CLIENT_FILES } from '../../../core/contracts/dashboard/company.ts';
import { Action, EmptyState } from '../../components/Page.tsx';
import { credentialsQuery } from '../../api/session.ts';
import { RecordsPage, type MakeColumns } from '../../components/list/ListBody.tsx';
import { Time } from '../../components/StatusBadge.tsx';
import { column } from '../../components/list/columns.ts';
import { useWords } from '../../i18n/words.tsx';
import { CredentialState, nameOf, CredentialPanel, NewCredentialPanel } from './CredentialPanel.tsx';
import '../settings/settings.css';

const PLACE = '/settings/api-access';
const CLIENTS = ['shell', 'Node', 'Python'] as const;

/** The credentials of programs; one of them, or a new one, beside the list. */
export function Component() {
  const { t, count } = useWords();
  const navigate = useNavigate();
  const query = useQuery(credentialsQuery);
  const rows = query.data?.items;
  const active = rows?.filter(({ state }) => state === 'active').length ?? 0;
  const create = (
    <Action
      may="tokens:write"
      primary
      Icon={IconPlus}
      label={t('apiAccess.new')}
      onClick={() => void navigate(`${PLACE}/new`)}
    />
  );
  return (
    <RecordsPage
      query={query}
      title={t('nav.apiAccess')}
      state={
        rows && t('apiAccess.state', { count: active, active: count(active), total: count(rows.length) })
      }
      action={create}
      above={
        <div className="filters address">
          <span className="soft">{t('apiAccess.address')}</span>
          <code className="mono ltr">{window.location.origin}</code>
          <a className="row" href="/docs" target="_blank" rel="noreferrer">
            {t('apiAccess.description')} <IconExternalLink size={14} className="mirrored" aria-hidden />
          </a>
          {CLIENTS.map((name) => (
            <a key={name} className="row" href={`/api/dashboard/clients/${CLIENT_FILES[name]}`} download>
              {t(`apiAccess.client_${name}`)} <IconDownload size={14} aria-hidden />
            </a>
          ))}
        </div>
      }
      panel={(credential, close) => <CredentialPanel credential={credential} close={close} />}
      others={(close) => ({ new: <NewCredentialPanel close={close} /> })}
      none={
        <EmptyState
          Icon={IconKey}
          title={t('apiAccess.none')}
          action={create}
          help={t('apiAccess.noneHelp')}
        />
      }
      columns={COLUMNS}
      rowKey={nameOf}
      place={PLACE}
    />
  );
}

const COLUMNS: MakeColumns<CredentialRow> = ({ t }) => [
  column('name', t('facts.name'), { minWidth: 140, grow: 2 }, ({ name }) => name),
  column('state', t('common.status'), 116, ({ state }) => <CredentialState state={state} />),
  column('kind', t('apiAccess.kind'), 150, ({ kind }) => t(`apiAccess.kind_${kind}`)),
  column('scopes', t('apiAccess.scopes'), { minWidth: 140, grow: 2 }, ({ scopes }) => (
    <div className="mono ltr cut">{scopes.join(', ')}</div>
  )),
  column('used', t('apiAccess.lastUsed'), 160, ({ lastUsedAt }) =>
    lastUsedAt === null ? <span className="soft">{t('apiAccess.notUsed')}</span> : <Time at={lastUsedAt} />,
  ),
  column('expires', t('apiAccess.expiry'), 160, ({ expiresAt }) =>
    expiresAt === null ? <span className="soft">{t('apiAccess.never')}</span> : <Time at={expiresAt} />,
  ),
];
