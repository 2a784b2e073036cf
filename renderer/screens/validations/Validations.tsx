import { memo, useCallback } from 'react';
import { IconClipboardCheck, IconListDetails } from '@tabler/icons-react';
import { keepPreviousData, useInfiniteQuery, useMutation } from '@tanstack/react-query';
import { useNavigate, useParams } from 'react-router';
import {
  VALIDATION_SORTS,
  validationQuery,
  type ValidationQuery,
  type ValidationRow,
  type ValidationSort,
} from '../../../core/contracts/dashboard/validations.ts';
import { Action } from '../../components/Action.tsx';
import { firstOfFilter, validationsQuery } from '../../api/validations.ts';
import { ListBody, NoneFiltered } from '../../components/list/ListBody.tsx';
import { useRowSelection, type RowSelection, useInfiniteRows } from '../../components/list/columns.ts';
import type { RowSorting } from '../../components/list/VirtualRows.tsx';
import { Page, Split } from '../../components/Page.tsx';
import { EmptyState } from '../../components/states.tsx';
import { useAddressFilter, type FilterShape } from '../../components/useAddressFilter.ts';
import { useFormats } from '../../i18n/format.ts';
import { useTexts } from '../../i18n/useTexts.tsx';
import { undoStore } from '../../state/undo.ts';
import { BulkBar } from './bulk/BulkBar.tsx';
import { Filters, ListTools, type FilterKey, type ValidationAddress } from './Filters.tsx';
import { useColumns } from './useColumns.tsx';
import { ValidationPanel } from './ValidationPanel.tsx';
import './validations.css';

const FILTER: FilterShape<FilterKey, ValidationQuery> = {
  schema: validationQuery,
  keys: ['status', 'source', 'flow', 'hit', 'text', 'sort', 'order'],
  end: 'until',
  typed: ['text'],
  order: ['sort', 'order'],
};

/** The list of Trust Validations, and one of them beside it when the address names one. */
export function Component() {
  const { t } = useTexts();
  const { count } = useFormats();
  const openId = useOpenId();
  const address = useAddressFilter(FILTER);
  const list = useRows(address);
  const { first } = list;
  const selection = useSelection(address, list.rows);
  const state =
    first === undefined
      ? undefined
      : t('validations.state', {
          count: first.total,
          total: count(first.total),
          review: count(first.needReview),
        });
  return (
    <Page title={t('nav.validations')} state={state} action={<HeadTools filter={address.filter} />}>
      <Filters address={address} />
      <BulkBar selection={selection} />
      <Split beside={openId === null ? null : <ValidationPanel key={openId} id={openId} />}>
        <List list={list} address={address} openId={openId} selection={selection} />
      </Split>
    </Page>
  );
}

const HeadTools = memo(function HeadTools({ filter }: { filter: ValidationQuery }) {
  const { t } = useTexts();
  return (
    <>
      <ListTools filter={filter} />
      <Action primary Icon={IconClipboardCheck} label={t('validations.startReview')} to="/review" />
    </>
  );
});

function useOpenId(): number | null {
  const { id } = useParams();
  return id !== undefined && /^\d+$/.test(id) ? Number(id) : null;
}

function useRows({ filter }: ValidationAddress) {
  return useInfiniteRows(
    useInfiniteQuery({ ...validationsQuery(filter), placeholderData: keepPreviousData }),
  );
}

const rowKey = ({ id }: ValidationRow) => id;

/** The selection. Ctrl A selects all rows of the filter, as many as one action may concern. */
function useSelection(
  { filter }: ValidationAddress,
  rows: readonly ValidationRow[],
): RowSelection<ValidationRow> {
  const { t } = useTexts();
  const { count } = useFormats();
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

interface ListProps {
  list: ReturnType<typeof useRows>;
  address: ValidationAddress;
  openId: number | null;
  selection: RowSelection<ValidationRow>;
}

function List({ list, address, openId, selection }: ListProps) {
  const { t } = useTexts();
  const columns = useColumns(address.value('text'));
  const sorting = sortingOf(address);
  const navigate = useNavigate();
  return (
    <ListBody
      list={list}
      none={<Nothing address={address} />}
      label={t('nav.validations')}
      columns={columns}
      rowKey={rowKey}
      openKey={openId}
      open={({ id }) => void navigate({ pathname: `/validations/${id}`, search: address.search })}
      follow
      sorting={sorting}
      selection={selection}
    />
  );
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
  const { t } = useTexts();
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
