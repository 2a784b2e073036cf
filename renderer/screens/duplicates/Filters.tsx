import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import {
  FACE_SOURCES,
  GROUP_ORDERS,
  GROUP_STATES,
  groupQuery,
  type GroupQuery,
  type GroupFilter,
} from '../../../core/contracts/dashboard/duplicates.ts';
import { blacklistsQuery } from '../../api/blacklists.ts';
import { useSession } from '../../api/session.ts';
import { DayRange, FilterBar, TypedFilter } from '../../components/filters.tsx';
import { Select } from '../../components/Select.tsx';
import { useWords } from '../../i18n/words.tsx';
import { useAddressFilter, type AddressFilter } from '../../components/useAddressFilter.ts';
import { groupCountQuery } from '../../api/persons.ts';

/** Least certainties that the filter and the bulk accept offer. */
export const CERTAINTIES = [0.99, 0.95, 0.8] as const;

/** The filters and the order of the list of groups. */
export function Filters({ address }: { address: GroupAddress }) {
  const { t, percent } = useWords();
  const { company, permissions } = useSession();
  const lists = useQuery({
    ...blacklistsQuery,
    enabled: company.features.blacklists && permissions.includes('blacklists:read'),
  });
  const select = (key: Parameters<GroupAddress['set']>[0], label: string, data: Item[]) => (
    <Select
      size="xs"
      aria-label={label}
      value={address.value(key)}
      onChange={(value) => address.set(key, value)}
      data={data}
    />
  );
  return (
    <FilterBar address={address}>
      <TypedFilter
        slash
        label={t('duplicates.search')}
        text={address.value('text')}
        set={(text) => address.set('text', text)}
      />
      {select('state', t('common.status'), [
        { value: '', label: t('duplicates.filterOpen') },
        ...GROUP_STATES.map((value) => ({ value, label: t(`duplicates.state_${value}`) })),
      ])}
      {select('certainty', t('duplicates.column_certainty'), [
        { value: '', label: t('duplicates.everyCertainty') },
        ...CERTAINTIES.map((share) => ({
          value: String(share),
          label: t('duplicates.atLeast', { share: percent(share) }),
        })),
      ])}
      {select('identical', t('facts.photos'), [
        { value: '', label: t('duplicates.everyPhoto') },
        ...(['only', 'none'] as const).map((value) => ({
          value,
          label: t(`duplicates.identical_${value}`),
        })),
      ])}
      {select('list', t('common.list'), [
        { value: '', label: t('duplicates.everyList') },
        { value: 'main', label: t('common.mainGallery') },
        ...(lists.data?.items ?? []).map(({ id, name }) => ({ value: String(id), label: name })),
      ])}
      {select('source', t('common.source'), [
        { value: '', label: t('duplicates.everySource') },
        ...FACE_SOURCES.map((value) => ({ value, label: t(`duplicates.source_${value}`) })),
      ])}
      <DayRange address={address} />
      {select(
        'order',
        t('common.order'),
        GROUP_ORDERS.map((value) => ({
          value: value === 'certainty' ? '' : value,
          label: t(`duplicates.order_${value}`),
        })),
      )}
    </FilterBar>
  );
}

interface Item {
  value: string;
  label: string;
}

const SHAPE = {
  schema: groupQuery,
  keys: ['state', 'list', 'source', 'certainty', 'identical', 'text', 'order'],
  end: 'until',
  typed: ['text'],
  order: ['order'],
} as const;
type Key = (typeof SHAPE)['keys'][number];
export type GroupAddress = AddressFilter<Key, GroupQuery>;

/** The filter of the groups, kept in the address. */
export const useGroupAddress = (): GroupAddress => useAddressFilter<Key, GroupQuery>(SHAPE);

/** Opens a group by its id, its neighbour in the list, or the list. */
export type GoTo = (to: number | 'next' | 'previous' | 'list') => void;

/** How many groups a bulk accept leaves open because a decision holds for a part of them, and why. */
export function PartlyDecided({ filter }: { filter: Omit<GroupFilter, 'state'> }) {
  const { t, count } = useWords();
  const { data } = useQuery(groupCountQuery({ ...filter, state: 'partlyDecided' }));
  if (data === undefined || data.total === 0) return null;
  return (
    <p className="soft">
      {t('duplicates.samplePartly', { count: data.total, groups: count(data.total) })}{' '}
      <Link to="/duplicates?state=partlyDecided">{t('duplicates.samplePartlyLink')}</Link>
    </p>
  );
}
