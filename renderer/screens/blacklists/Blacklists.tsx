import { IconPlus, IconUserOff } from '@tabler/icons-react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate, useParams } from 'react-router';
import type { BlacklistRow } from '../../../core/contracts/dashboard/blacklists.ts';
import { Action, Panel, EmptyState } from '../../components/Page.tsx';
import { blacklistsQuery, createBlacklist } from '../../api/blacklists.ts';
import { RecordsPage, type MakeColumns } from '../../components/list/ListBody.tsx';
import { Select } from '../../components/Select.tsx';
import { StatusBadge, Time } from '../../components/StatusBadge.tsx';
import { column } from '../../components/list/columns.ts';
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
    <RecordsPage
      query={query}
      title={t('nav.blacklists')}
      state={
        rows && t('blacklists.state', { count: rows.length, lists: count(rows.length), faces: count(faces) })
      }
      action={create}
      above={
        opened === undefined || rows === undefined ? null : (
          <div className="filters">
            <Select
              size="xs"
              aria-label={t('nav.blacklists')}
              value={String(opened.id)}
              onChange={(chosen) => void navigate(`${PLACE}/${chosen ?? ''}`)}
              data={rows.map((row) => ({
                value: String(row.id),
                label: `${row.name} (${count(row.enrolledFacesCount)})`,
              }))}
            />
          </div>
        )
      }
      whole={opened !== undefined}
      panel={(list, close) => <BlacklistPanel list={list} close={close} />}
      others={(close) => ({ new: <NewBlacklist close={close} /> })}
      none={
        <EmptyState
          Icon={IconUserOff}
          title={t('blacklists.none')}
          action={create}
          help={t('blacklists.noneHelp')}
        />
      }
      columns={COLUMNS}
      rowKey={({ id: each }) => each}
      place={PLACE}
    />
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
