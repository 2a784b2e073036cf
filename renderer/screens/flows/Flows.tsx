import { IconCircleCheck, IconPlus, IconRoute } from '@tabler/icons-react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate, useSearchParams } from 'react-router';
import type { FlowRow } from '../../../core/contracts/flows.ts';
import { Action, Panel, EmptyState } from '../../components/Page.tsx';
import { flowsQuery, flowsSearchedQuery, createFlow } from '../../api/blacklists.ts';
import { RecordsPage, type MakeColumns } from '../../components/list/ListBody.tsx';
import { SegmentedControl } from '../../components/SegmentedControl.tsx';
import { Time } from '../../components/StatusBadge.tsx';
import { column } from '../../components/list/columns.ts';
import { useWords } from '../../i18n/words.tsx';
import { FlowPanel, FlowNameForm, FlowState } from './FlowPanel.tsx';
import { suggestedRate } from './ToolForm.tsx';
import '../blacklists/blacklists.css';

const PLACE = '/trust-flows';

/** The company's Trust Flows; one of them, or a new one, beside the list. */
export function Component() {
  const { t, count } = useWords();
  const navigate = useNavigate();
  const [params] = useSearchParams();
  const query = useQuery(flowsQuery);
  const rows = query.data?.items;
  const search = params.toString();
  const go = (to: string) => void navigate({ pathname: `${PLACE}${to}`, search });
  const create = (
    <Action
      may="flows:write"
      primary
      Icon={IconPlus}
      label={t('actions.newFlow')}
      onClick={() => go('/new')}
    />
  );
  const drafts = rows?.filter(({ draft }) => draft !== null) ?? [];
  const shown = params.get('show') === 'drafts' ? drafts : rows;
  return (
    <RecordsPage
      query={query}
      shown={shown}
      title={t('nav.flows')}
      state={
        rows &&
        t('flows.state', { count: rows.length, flows: count(rows.length), drafts: count(drafts.length) })
      }
      action={create}
      above={<ShowChoice />}
      panel={(flow, close) => <FlowPanel flow={flow} close={close} />}
      others={(close) => ({ new: <NewFlow close={close} created={(made) => go(`/${made}`)} /> })}
      none={
        rows !== undefined && rows.length > 0 ? (
          <EmptyState Icon={IconCircleCheck} title={t('flows.noDrafts')} help={t('flows.noDraftsHelp')} />
        ) : (
          <EmptyState Icon={IconRoute} title={t('flows.none')} action={create} help={t('flows.noneHelp')} />
        )
      }
      columns={COLUMNS}
      rowKey={(row) => row.id}
      place={PLACE}
      search={search}
    />
  );
}

function ShowChoice() {
  const { t } = useWords();
  const [params, setParams] = useSearchParams();
  return (
    <div className="filters">
      <SegmentedControl
        size="xs"
        aria-label={t('common.status')}
        data={[
          { value: 'all', label: t('common.all') },
          { value: 'drafts', label: t('flows.onlyDrafts') },
        ]}
        value={params.get('show') === 'drafts' ? 'drafts' : 'all'}
        onChange={(value) => setParams(value === 'drafts' ? { show: 'drafts' } : {}, { replace: true })}
      />
    </div>
  );
}

const COLUMNS: MakeColumns<FlowRow> = ({ t, list, flowName }) => [
  column('name', t('facts.name'), { minWidth: 140, grow: 2 }, ({ name }) => flowName(name)),
  column('state', t('common.status'), 120, (flow) => <FlowState flow={flow} />),
  column('lists', t('nav.blacklists'), { minWidth: 120, grow: 2 }, ({ saved, blacklistNames }) => {
    const screens = saved?.blacklistDetection;
    const names = screens?.enabled === true ? screens.blacklistIds : [];
    return names.length === 0 ? (
      <span className="soft">{t('flows.offLists')}</span>
    ) : (
      <div dir="auto" className="cut">
        {list(names.map((id) => blacklistNames[String(id)] ?? String(id)))}
      </div>
    );
  }),
  column('saved', t('flows.column_saved'), 170, ({ savedAt }) => <Time at={savedAt} />),
];

function NewFlow({ close, created }: { close: () => void; created: (id: number) => void }) {
  const { t } = useWords();
  const client = useQueryClient();
  return (
    <Panel title={t('actions.newFlow')} close={close}>
      <FlowNameForm
        start=""
        action={t('flows.create')}
        submit={async (name) => {
          const { lists } = await client.query({ ...flowsSearchedQuery, staleTime: 'static' });
          const enrolled = lists.find((list) => list.id === null)?.persons ?? 0;
          const { id } = await createFlow(name, { targetFmr: 1 / suggestedRate(enrolled) });
          await client.invalidateQueries({ queryKey: flowsQuery.queryKey });
          created(id);
        }}
      />
    </Panel>
  );
}
