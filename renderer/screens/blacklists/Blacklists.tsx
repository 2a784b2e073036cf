import { IconArrowsExchange, IconPlus, IconUserOff } from '@tabler/icons-react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate, useParams } from 'react-router';
import type { BlacklistRow } from '../../../core/contracts/dashboard/blacklists.ts';
import { Action, Page, Panel, panelOf, Split, EmptyState } from '../../components/Page.tsx';
import { blacklistsQuery, createBlacklist } from '../../api/blacklists.ts';
import { ListBody, type MakeColumns, useColumns } from '../../components/list/ListBody.tsx';
import { Select } from '../../components/Select.tsx';
import { StatusBadge, Time } from '../../components/StatusBadge.tsx';
import { column, completeRows } from '../../components/list/columns.ts';
import { useWords } from '../../i18n/words.tsx';
import { BlacklistPanel, BlacklistForm } from './BlacklistPanel.tsx';
import './blacklists.css';

const PLACE = '/company/internal-biometrics';

/** The company's internal blacklists; one of them, or a new one, beside the list. */
export function Component() {
  const { t, count } = useWords();
  const navigate = useNavigate();
  const { id } = useParams();
  const query = useQuery(blacklistsQuery);
  const rows = query.data?.items;
  const faces = rows?.reduce((sum, { enrolledFacesCount }) => sum + enrolledFacesCount, 0) ?? 0;
  const close = () => void navigate(PLACE);
  const columns = useColumns(COLUMNS);
  const opened = rows?.find((row) => String(row.id) === id);
  const create = (
    <Action
      may="blacklists:write"
      primary
      Icon={IconPlus}
      label={t('actions.newBlacklist')}
      onClick={() => void navigate(`${PLACE}/new`)}
    />
  );
  return (
    <Page
      title={t('setup.blacklists')}
      state={
        rows && t('blacklists.state', { count: rows.length, lists: count(rows.length), faces: count(faces) })
      }
      action={create}
    >
      <div className="filters">
        {opened === undefined || rows === undefined ? null : (
          <Select
            size="xs"
            aria-label={t('setup.blacklists')}
            value={String(opened.id)}
            onChange={(chosen) => void navigate(`${PLACE}/${chosen ?? ''}`)}
            data={rows.map((row) => ({
              value: String(row.id),
              label: `${row.name} (${count(row.enrolledFacesCount)})`,
            }))}
          />
        )}
        <Action size="xs" Icon={IconArrowsExchange} label={t('exchange.link')} to="/exchange" />
      </div>
      <Split
        whole={opened !== undefined}
        beside={panelOf(id, {
          rows,
          opened,
          panel: (list) => <BlacklistPanel list={list} close={close} />,
          others: { new: <NewBlacklist close={close} /> },
        })}
      >
        <ListBody
          list={completeRows(query)}
          none={
            <EmptyState
              Icon={IconUserOff}
              title={t('blacklists.none')}
              action={create}
              help={t('blacklists.noneHelp')}
            />
          }
          label={t('setup.blacklists')}
          columns={columns}
          rowKey={({ id: each }) => each}
          openKey={opened?.id ?? null}
          open={(row) => void navigate(`${PLACE}/${row.id}`)}
        />
      </Split>
    </Page>
  );
}

const COLUMNS: MakeColumns<BlacklistRow> = ({ t, count, list }) => [
  column('name', t('facts.name'), { minWidth: 140, grow: 2 }, ({ name }) => name),
  column('status', t('common.status'), 110, ({ status }) => <StatusBadge of="blacklist" code={status} />),
  column('faces', t('common.enrolledFaces'), 110, ({ enrolledFacesCount }) => count(enrolledFacesCount)),
  column('used', t('blacklists.usedBy'), { minWidth: 120, grow: 2 }, ({ usedByTrustFlows }) =>
    usedByTrustFlows.length === 0 ? (
      <span className="soft">{t('blacklists.unused')}</span>
    ) : (
      <div dir="auto" className="cut">
        {list(usedByTrustFlows)}
      </div>
    ),
  ),
  column('created', t('validations.column_created'), 170, ({ createdAt }) => <Time at={createdAt} />),
];

function NewBlacklist({ close }: { close: () => void }) {
  const { t } = useWords();
  const client = useQueryClient();
  const navigate = useNavigate();
  return (
    <Panel title={t('actions.newBlacklist')} close={close}>
      <BlacklistForm
        start={{ name: '', description: null }}
        action={t('blacklists.create')}
        submit={async (edit) => {
          const made = await createBlacklist(edit);
          await client.invalidateQueries({ queryKey: ['blacklists'] });
          await navigate(`/company/internal-biometrics/${made.id}`);
        }}
      />
    </Panel>
  );
}
