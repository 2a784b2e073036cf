import { groupQuery, type GroupQuery } from '../../../core/contracts/dashboard/duplicates.ts';
import { useAddressFilter, type AddressFilter } from '../../components/useAddressFilter.ts';

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
