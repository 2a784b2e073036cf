import { useMemo } from 'react';
import { IconUsers } from '@tabler/icons-react';
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { useNavigate, useParams } from 'react-router';
import { personQuery, type PersonQuery, type PersonRow } from '../../../core/contracts/dashboard/persons.ts';
import { Action, NothingHere, EmptyState } from '../../components/Page.tsx';
import { personsQuery } from '../../api/persons.ts';
import { FaceThumbnail } from '../../components/FaceThumbnail.tsx';
import { FilterBar, TypedFilter } from '../../components/filters.tsx';
import { column, useInfiniteRows } from '../../components/list/columns.ts';
import { ListPage, NoneFiltered, type MakeColumns } from '../../components/list/ListBody.tsx';
import { Time } from '../../components/StatusBadge.tsx';
import { Matched } from '../../components/Matched.tsx';
import { Select } from '../../components/Select.tsx';
import { useAddressFilter } from '../../components/useAddressFilter.ts';
import { useWords } from '../../i18n/words.tsx';
import { PersonPanel } from './PersonPanel.tsx';
import '../validations/validations.css';
import '../erasure/erasure.css';

const PLACE = '/persons';
const SHAPE = {
  schema: personQuery,
  keys: ['text', 'order'],
  end: 'to',
  typed: ['text'],
  order: ['order'],
} as const;
const ORDERS = ['newest', 'name'] as const;

/** The persons of the company; one of them beside the list. */
export function Component() {
  const { t, count } = useWords();
  const navigate = useNavigate();
  const { id } = useParams();
  const address = useAddressFilter<'text' | 'order', PersonQuery>(SHAPE);
  const text = address.value('text');
  const columns = useMemo(() => columnsFor(text), [text]);
  const list = useInfiniteRows(
    useInfiniteQuery({ ...personsQuery(address.filter), placeholderData: keepPreviousData }),
  );
  const total = list.first?.total;
  // At once: when a person was erased, no panel may ask for it again.
  const go = (to: string) =>
    void navigate({ pathname: `${PLACE}${to}`, search: address.search }, { flushSync: true });
  const number = id !== undefined && /^\d+$/.test(id) ? Number(id) : null;
  return (
    <ListPage
      title={t('nav.persons')}
      state={total === undefined ? undefined : t('persons.state', { count: total, total: count(total) })}
      above={
        <FilterBar address={address}>
          <TypedFilter
            slash
            label={t('persons.search')}
            text={text}
            set={(typed) => address.set('text', typed)}
          />
          <Select
            size="xs"
            aria-label={t('common.order')}
            value={address.filter.order}
            onChange={(value) => address.set('order', value === 'newest' ? null : value)}
            data={ORDERS.map((value) => ({ value, label: t(`persons.order_${value}`) }))}
          />
        </FilterBar>
      }
      beside={
        id === undefined ? null : number === null ? (
          <NothingHere />
        ) : (
          <PersonPanel key={number} id={number} close={() => go('')} open={(to) => go(`/${to}`)} />
        )
      }
      whole={id !== undefined}
      list={list}
      none={
        address.filtered ? (
          <NoneFiltered title={t('persons.noneFiltered')} clear={address.clear} />
        ) : (
          <EmptyState
            Icon={IconUsers}
            title={t('persons.none')}
            action={<Action label={t('persons.toDuplicates')} to="/duplicates" />}
            help={t('persons.noneHelp')}
          />
        )
      }
      columns={columns}
      rowKey={(row) => row.id}
      openKey={number}
      open={(row) => go(`/${row.id}`)}
      follow
    />
  );
}

/** @param query the typed text, which the names show */
const columnsFor =
  (query: string): MakeColumns<PersonRow> =>
  ({ t, count }) => [
    column('photo', t('facts.photo'), { minWidth: 32, iconOnly: true }, ({ cover, name }) => (
      <FaceThumbnail url={cover.thumbnailUrl} name={name} />
    )),
    column('name', t('facts.name'), { minWidth: 140, grow: 2 }, ({ name }) => (
      <div dir="auto" className="cut">
        <Matched text={name} query={query} />
      </div>
    )),
    column('externalId', t('persons.column_externalId'), { minWidth: 120, grow: 1 }, ({ externalId }) =>
      externalId === null ? (
        <span className="soft">–</span>
      ) : (
        <div dir="auto" className="cut">
          <Matched text={externalId} query={query} />
        </div>
      ),
    ),
    column('faces', t('facts.photos'), 70, ({ faces }) => count(faces)),
    column('changed', t('common.lastChange'), 170, ({ changedAt }) => <Time at={changedAt} />),
  ];
