import { memo, useCallback } from 'react';
import { IconClipboardCheck, IconListDetails, IconUserCheck } from '@tabler/icons-react';
import { keepPreviousData, useInfiniteQuery, useMutation, useQuery } from '@tanstack/react-query';
import { useNavigate, useParams, useSearchParams } from 'react-router';
import { Tabs } from '@mantine/core';
import {
  VALIDATION_SORTS,
  validationQuery,
  type ValidationQuery,
  type ValidationRow,
  type ValidationSort,
  type ValidationDetail,
} from '../../../core/contracts/dashboard/validations.ts';
import { Action, EmptyState, Loaded, Panel } from '../../components/Page.tsx';
import { useMay } from '../../api/session.ts';
import { firstOfFilter, validationsQuery, validationQueryById } from '../../api/validations.ts';
import { ListPage, NoneFiltered } from '../../components/list/ListBody.tsx';
import { useRowSelection, type RowSelection, useInfiniteRows } from '../../components/list/columns.ts';
import type { RowSorting } from '../../components/list/VirtualRows.tsx';
import { useAddressFilter, type FilterShape } from '../../components/useAddressFilter.ts';
import { useWords } from '../../i18n/words.tsx';
import { undoStore } from '../../state/undo.ts';
import { BULK_ACTIONS, BulkBar } from './bulk/BulkBar.tsx';
import { Filters, ListTools, type FilterKey, type ValidationAddress } from './Filters.tsx';
import { useColumns } from './useColumns.tsx';
import { FaceThumbnail } from '../../components/FaceThumbnail.tsx';
import { StatusBadge, WhoSaw } from '../../components/StatusBadge.tsx';
import { ErasePerson } from '../erasure/ErasePerson.tsx';
import { faceOfThumbnail } from '../../../core/contracts/dashboard/faceImages.ts';
import { RecordButton } from '../../components/ExportButton.tsx';
import { CaseReportButton, History, MatchCompare, MatchList, BlacklistAlert, Summary } from './MatchView.tsx';
import { DecisionBar } from './DecisionBar.tsx';
import { matchesOf, personsOf, type Match, validationName } from './matches.ts';
import './validations.css';

const FILTER: FilterShape<FilterKey, ValidationQuery> = {
  schema: validationQuery,
  keys: ['status', 'source', 'flow', 'hit', 'person', 'text', 'sort', 'order'],
  end: 'until',
  typed: ['text'],
  order: ['sort', 'order'],
};

/** The list of Trust Validations, and one of them beside it when the address names one. */
export function Component() {
  const { t, count } = useWords();
  const navigate = useNavigate();
  const { id } = useParams();
  const openId = id !== undefined && /^\d+$/.test(id) ? Number(id) : null;
  const address = useAddressFilter(FILTER);
  const list = useInfiniteRows(
    useInfiniteQuery({ ...validationsQuery(address.filter), placeholderData: keepPreviousData }),
  );
  const { first } = list;
  const selection = useSelection(address, list.rows);
  const selects = BULK_ACTIONS.some(useMay());
  return (
    <ListPage
      title={t('nav.validations')}
      state={
        first &&
        t('validations.state', {
          count: first.total,
          total: count(first.total),
          review: count(first.needReview),
        })
      }
      action={<HeadTools filter={address.filter} />}
      above={
        <>
          <Filters address={address} />
          <BulkBar selection={selection} />
        </>
      }
      beside={openId === null ? null : <ValidationPanel key={openId} id={openId} />}
      list={list}
      none={<Nothing address={address} />}
      columns={useColumns(address.value('text'))}
      rowKey={rowKey}
      openKey={openId}
      open={(row) => void navigate({ pathname: `/validations/${row.id}`, search: address.search })}
      follow
      sorting={sortingOf(address)}
      selection={selects ? selection : undefined}
    />
  );
}

const HeadTools = memo(function HeadTools({ filter }: { filter: ValidationQuery }) {
  const { t } = useWords();
  return (
    <>
      <ListTools filter={filter} />
      <Action primary Icon={IconClipboardCheck} label={t('validations.startReview')} to="/review" />
    </>
  );
});

const rowKey = ({ id }: ValidationRow) => id;

/** The selection. Ctrl A selects all rows of the filter, as many as one action may concern. */
function useSelection(
  { filter }: ValidationAddress,
  rows: readonly ValidationRow[],
): RowSelection<ValidationRow> {
  const { t, count } = useWords();
  const all = useMutation({
    mutationFn: () => firstOfFilter(filter),
    onSuccess: ({ rows: first, total }) => {
      selection.add(first);
      if (total > first.length)
        undoStore
          .getState()
          .notify(t('validations.firstSelected', { rows: count(first.length), total: count(total) }));
    },
    onError: () => undoStore.getState().notify(t('validations.notSelected')),
  });
  const { mutate } = all;
  const selectAll = useCallback(() => mutate(), [mutate]);
  const selection = useRowSelection(rows, rowKey, selectAll);
  return selection;
}

/** Columns whose largest value is usually wanted first. */
const LARGEST_FIRST: readonly ValidationSort[] = ['created', 'score', 'finalized'];

function sortingOf({ filter, setAll }: ValidationAddress): RowSorting {
  const by = filter.sort ?? 'created';
  const descending = filter.order !== 'asc';
  return {
    by,
    descending,
    change: (wanted) => {
      const column = VALIDATION_SORTS.find((each) => each === wanted) ?? 'created';
      const down = column === by ? !descending : LARGEST_FIRST.includes(column);
      setAll({ sort: column === 'created' ? null : column, order: down ? null : 'asc' });
    },
  };
}

function Nothing({ address }: { address: ValidationAddress }) {
  const { t } = useWords();
  if (address.filtered) return <NoneFiltered title={t('validations.noneFiltered')} clear={address.clear} />;
  return (
    <EmptyState
      Icon={IconListDetails}
      title={t('validations.none')}
      action={<Action primary label={t('validations.enrol')} to="/enrol" />}
      help={t('validations.noneHelp')}
    />
  );
}

const TABS = ['summary', 'matches', 'history'] as const;

/** One Trust Validation beside the list. */
function ValidationPanel({ id }: { id: number }) {
  const { t } = useWords();
  const navigate = useNavigate();
  const [params] = useSearchParams();
  const query = useQuery(validationQueryById(id));
  const { data } = query;
  const close = () => {
    const rest = new URLSearchParams(params);
    for (const key of ['tab', 'match']) rest.delete(key);
    // At once: when the validation was erased, no panel may ask for it again.
    void navigate({ pathname: '/validations', search: rest.toString() }, { flushSync: true });
  };
  return (
    <Panel
      title={data === undefined ? t('palette.validation', { id }) : validationName(t, data)}
      label={t('palette.validation', { id })}
      note={t('palette.validation', { id })}
      picture={
        data === undefined ? (
          <span className="face-thumbnail panel-thumbnail" />
        ) : (
          <FaceThumbnail url={data.thumbnailUrl} name={data.name} size={40} />
        )
      }
      mark={data && <StatusBadge of="validation" code={data.status} source={data.source} />}
      close={close}
      parts
    >
      <Loaded query={query} rows={8}>
        {(detail) => <Detail detail={detail} gone={close} />}
      </Loaded>
    </Panel>
  );
}

function Detail({ detail, gone }: { detail: ValidationDetail; gone: () => void }) {
  const { t, count } = useWords();
  const [params, setParams] = useSearchParams();
  const matches = matchesOf(detail);
  const face = detail.thumbnailUrl === null ? undefined : faceOfThumbnail(detail.thumbnailUrl);
  const tab = TABS.find((each) => each === params.get('tab')) ?? (matches.length > 0 ? 'matches' : 'summary');
  const show = (next: string | null) =>
    setParams(
      (now) => {
        const changed = new URLSearchParams(now);
        changed.set('tab', next ?? 'summary');
        return changed;
      },
      { replace: true },
    );
  return (
    <>
      <BlacklistAlert detail={detail} />
      <Tabs className="panel-tabs" value={tab} onChange={show}>
        <Tabs.List>
          <Tabs.Tab value="summary">{t('common.summary')}</Tabs.Tab>
          <Tabs.Tab value="matches">
            {t('validations.matchesTab')} <span className="soft">{count(personsOf(detail).length)}</span>
          </Tabs.Tab>
          <Tabs.Tab value="history">{t('validations.history')}</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="summary" className="panel-body">
          <Summary detail={detail} />
          <div className="row wrap summary-actions">
            <CaseReportButton id={detail.id} />
            {face === undefined ? null : <RecordButton face={face} name={detail.name} />}
            <WhoSaw of={`validation:${detail.id}`} />
            <ErasePerson start={{ validations: [detail.id] }} gone={gone} />
          </div>
        </Tabs.Panel>
        <Tabs.Panel value="matches" className="panel-body">
          <MatchesTab detail={detail} matches={matches} />
        </Tabs.Panel>
        <Tabs.Panel value="history" className="panel-body">
          <History entries={detail.history} source={detail.source} />
        </Tabs.Panel>
      </Tabs>
      <DecisionBar detail={detail} />
    </>
  );
}

/** Duplicates & Blacklists: each match side by side with its score, band, name, list and face upload id. */
function MatchesTab({ detail, matches }: { detail: ValidationDetail; matches: readonly Match[] }) {
  const { t } = useWords();
  const [params, setParams] = useSearchParams();
  const chosen = matches.find(({ key }) => key === params.get('match')) ?? matches[0];
  const { screening } = detail;
  if (chosen === undefined)
    return (
      <EmptyState
        Icon={IconUserCheck}
        title={t('validations.noMatch')}
        help={screening.at === null ? t('validations.notScreened') : t('validations.noMatchHelp')}
      />
    );
  const choose = (key: string) =>
    setParams(
      (now) => {
        const changed = new URLSearchParams(now);
        changed.set('match', key);
        changed.set('tab', 'matches');
        return changed;
      },
      { replace: true },
    );
  return (
    <div className="column">
      <MatchList matches={matches} chosen={chosen.key} choose={choose} />
      <MatchCompare detail={detail} match={chosen} />
    </div>
  );
}
