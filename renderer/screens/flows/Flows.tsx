import { useMemo } from 'react';
import { Button, SegmentedControl } from '@mantine/core';
import { IconCircleCheck, IconPlus, IconRoute } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { useNavigate, useParams, useSearchParams } from 'react-router';
import type { FlowRow } from '../../../core/contracts/dashboard/flows.ts';
import { flowsQuery } from '../../api/flows.ts';
import { useMay } from '../../api/session.ts';
import { Page } from '../../components/Page.tsx';
import { RowList } from '../../components/RowList.tsx';
import { NothingHere, Split } from '../../components/Split.tsx';
import { EmptyState, ErrorState, LoadingRows } from '../../components/states.tsx';
import { Time } from '../../components/Time.tsx';
import type { Column } from '../../components/VirtualRows.tsx';
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
  const opened = rows?.find((row) => String(row.id) === id);
  const columns = useColumns(id !== undefined);
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
      <Split
        beside={
          id === undefined ? null : id === 'new' ? (
            <NewFlow close={close} created={(made) => go(String(made))} />
          ) : rows === undefined ? null : opened === undefined ? (
            <NothingHere />
          ) : (
            <FlowPanel key={id} flow={opened} close={close} />
          )
        }
      >
        {shown !== undefined && shown.length > 0 ? (
          <RowList
            label={t('nav.flows')}
            columns={columns}
            rows={shown}
            rowKey={(row) => row.id}
            openKey={opened?.id ?? null}
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
      </Split>
    </Page>
  );
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
