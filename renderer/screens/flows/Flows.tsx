import { useMemo } from 'react';
import { Button, SegmentedControl } from '@mantine/core';
import { IconCircleCheck, IconPlus, IconRoute } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { useNavigate, useParams, useSearchParams } from 'react-router';
import type { FlowRow } from '../../../core/contracts/dashboard/flows.ts';
import { Refusal } from '../../api/client.ts';
import { flowsQuery } from '../../api/flows.ts';
import { useMay } from '../../api/session.ts';
import { Page } from '../../components/Page.tsx';
import { EmptyState, ErrorState, LoadingRows } from '../../components/states.tsx';
import { Time } from '../../components/Time.tsx';
import { useRowKeys } from '../../components/useRowKeys.ts';
import { VirtualRows, type Column } from '../../components/VirtualRows.tsx';
import { useFormats } from '../../i18n/format.ts';
import { FlowPanel } from './FlowPanel.tsx';
import { FlowState } from './FlowState.tsx';
import { NewFlow } from './NewFlow.tsx';
import './flows.css';

const PLACE = '/trust-flows';

/** The company's Trust Flows; one of them, or a new one, beside the list. */
export function Component() {
  const { t } = useTranslation();
  const { count } = useFormats();
  const may = useMay();
  const navigate = useNavigate();
  const { id } = useParams();
  const [params] = useSearchParams();
  const { data, error, refetch } = useQuery(flowsQuery);
  const rows = data?.items;
  const search = params.toString();
  const close = () => void navigate({ pathname: PLACE, search });
  const go = (place: string) => void navigate({ pathname: `${PLACE}/${place}`, search });
  const create = may('flows:write') ? (
    <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={() => go('new')}>
      {t('flows.new')}
    </Button>
  ) : undefined;
  const drafts = rows?.filter(({ draft }) => draft !== null) ?? [];
  const shown = params.get('show') === 'drafts' ? drafts : rows;
  return (
    <Page
      title={t('nav.flows')}
      state={
        rows &&
        t('flows.state', { count: rows.length, flows: count(rows.length), drafts: count(drafts.length) })
      }
      action={create}
    >
      <ShowChoice />
      <div className={id === undefined ? 'split' : 'split with-panel'}>
        <div className="split-main">
          {shown !== undefined && shown.length > 0 ? (
            <List
              rows={shown}
              openId={Number(id)}
              narrow={id !== undefined}
              open={(row) => go(String(row.id))}
            />
          ) : rows !== undefined && rows.length > 0 ? (
            <EmptyState Icon={IconCircleCheck} title={t('flows.noDrafts')}>
              {t('flows.noDraftsHelp')}
            </EmptyState>
          ) : rows !== undefined ? (
            <EmptyState Icon={IconRoute} title={t('flows.none')} action={create}>
              {t('flows.noneHelp')}
            </EmptyState>
          ) : error !== null ? (
            <ErrorState error={error} retry={() => void refetch()} />
          ) : (
            <LoadingRows />
          )}
        </div>
        {id === undefined ? null : id === 'new' ? (
          <NewFlow close={close} created={(made) => go(String(made))} />
        ) : rows === undefined ? null : (
          <Opened key={id} flow={rows.find((row) => String(row.id) === id)} close={close} />
        )}
      </div>
    </Page>
  );
}

function Opened({ flow, close }: { flow: FlowRow | undefined; close: () => void }) {
  if (flow === undefined)
    return (
      <aside className="panel">
        <ErrorState error={new Refusal(404, '')} />
      </aside>
    );
  return <FlowPanel flow={flow} close={close} />;
}

function ShowChoice() {
  const { t } = useTranslation();
  const [params, setParams] = useSearchParams();
  return (
    <div className="filters">
      <SegmentedControl
        size="xs"
        aria-label={t('flows.column_state')}
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

function List(props: {
  rows: readonly FlowRow[];
  openId: number;
  narrow: boolean;
  open: (row: FlowRow) => void;
}) {
  const { rows, openId, narrow } = props;
  const { t } = useTranslation();
  const columns = useColumns(narrow);
  const { cursor, open } = useRowKeys(rows, props.open);
  return (
    <VirtualRows
      label={t('nav.flows')}
      columns={columns}
      rows={rows}
      total={rows.length}
      rowKey={({ id }) => id}
      cursor={cursor}
      openKey={openId}
      open={open}
      more={null}
    />
  );
}

function useColumns(narrow: boolean): Column<FlowRow>[] {
  const { t } = useTranslation();
  return useMemo(() => {
    const all: Column<FlowRow>[] = [
      { key: 'name', label: t('facts.name'), track: 'minmax(140px, 2fr)', cell: ({ name }) => name },
      {
        key: 'state',
        label: t('flows.column_state'),
        track: '120px',
        cell: (flow) => <FlowState flow={flow} />,
      },
      {
        key: 'lists',
        label: t('flows.column_lists'),
        track: 'minmax(120px, 2fr)',
        cell: ({ saved, blacklistNames }) => {
          const screens = saved?.blacklistDetection;
          const names = screens?.enabled === true ? screens.blacklistIds : [];
          return names.length === 0 ? (
            <span className="soft">{t('flows.offLists')}</span>
          ) : (
            names.map((id) => blacklistNames[String(id)] ?? String(id)).join(', ')
          );
        },
      },
      {
        key: 'saved',
        label: t('flows.column_saved'),
        track: '170px',
        cell: ({ savedAt }) => <Time at={savedAt} />,
      },
    ];
    return narrow ? all.slice(0, 2) : all;
  }, [t, narrow]);
}
