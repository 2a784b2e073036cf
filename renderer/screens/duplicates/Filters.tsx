import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { FACE_SOURCES, GROUP_ORDERS, GROUP_STATES } from '../../../core/contracts/dashboard/duplicates.ts';
import { blacklistsQuery } from '../../api/blacklists.ts';
import { useSession } from '../../api/session.ts';
import { DayRange } from '../../components/DayRange.tsx';
import { FilterBar, TypedFilter } from '../../components/filters.tsx';
import { Select } from '../../components/Select.tsx';
import { useFormats } from '../../i18n/format.ts';
import type { GroupAddress } from './groupFilter.ts';

/** Least certainties that the filter and the bulk accept offer. */
export const CERTAINTIES = [0.99, 0.95, 0.8] as const;

/** The filters and the order of the list of groups. */
export function Filters({ address }: { address: GroupAddress }) {
  const { t } = useTranslation();
  const { percent } = useFormats();
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
      {select('state', t('duplicates.filterState'), [
        { value: '', label: t('duplicates.filterOpen') },
        ...GROUP_STATES.map((value) => ({ value, label: t(`duplicates.state_${value}`) })),
      ])}
      {select('certainty', t('duplicates.filterCertainty'), [
        { value: '', label: t('duplicates.everyCertainty') },
        ...CERTAINTIES.map((share) => ({
          value: String(share),
          label: t('duplicates.atLeast', { share: percent(share) }),
        })),
      ])}
      {select('identical', t('duplicates.filterIdentical'), [
        { value: '', label: t('duplicates.everyPhoto') },
        ...(['only', 'none'] as const).map((value) => ({
          value,
          label: t(`duplicates.identical_${value}`),
        })),
      ])}
      {select('list', t('duplicates.filterList'), [
        { value: '', label: t('duplicates.everyList') },
        { value: 'main', label: t('duplicates.mainList') },
        ...(lists.data?.items ?? []).map(({ id, name }) => ({ value: String(id), label: name })),
      ])}
      {select('source', t('duplicates.filterSource'), [
        { value: '', label: t('duplicates.everySource') },
        ...FACE_SOURCES.map((value) => ({ value, label: t(`duplicates.source_${value}`) })),
      ])}
      <DayRange address={address} />
      {select(
        'order',
        t('duplicates.order'),
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
